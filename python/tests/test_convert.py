"""Models read through MuJoCo's compiler move as MuJoCo itself moves them, to its error of integration."""

import numpy as np
import pytest

import carom

mujoco = pytest.importorskip("mujoco")
from carom import convert  # noqa: E402
from carom.convert import program  # noqa: E402
from carom.convert.rotations import from_quaternion  # noqa: E402

ARM = """
<mujoco><option gravity="0 0 -9.81" timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="0 0 1" pos="0 0 -5" friction="0.7"/>
    <body name="upper" pos="0 0 1" quat="0.9 0.1 0.3 0.2">
      <joint name="shoulder" type="{first}" axis="0 1 0" pos="0.1 0 0"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.04"/>
      <body name="lower" pos="0.5 0 0" euler="0 30 0">
        <joint name="elbow" type="hinge" axis="1 2 0.5" pos="0.02 0 0"/>
        <geom type="box" size="0.2 0.03 0.05" pos="0.2 0 0"/>
        <body name="hand" pos="0.4 0 0"><geom type="sphere" size="0.06"/></body>
      </body>
    </body>
  </worldbody></mujoco>"""

THROWN = """
<mujoco><worldbody><body name="top" pos="0 0 2"><freejoint/>
  <geom type="box" size="0.1 0.2 0.3" pos="0.05 0 0" euler="10 20 30"/>
  <geom type="ellipsoid" size="0.1 0.05 0.2" pos="-0.2 0.1 0"/></body></worldbody></mujoco>"""

ROBOT = """
<robot name="swing"><link name="base"/><link name="rod">
  <inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><origin xyz="0 0 -0.5"/><geometry><cylinder radius="0.05" length="1"/></geometry></collision></link>
  <joint name="pivot" type="revolute"><parent link="base"/><child link="rod"/><origin xyz="0 0 2" rpy="0.8 0 0"/>
    <axis xyz="1 0 0"/><limit lower="-3" upper="3" effort="10" velocity="10"/></joint></robot>"""


def frames_of_mujoco(model, names, t, step):
    """Origins and axes of the bodies at t, by its integrator of fourth order."""
    model.opt.timestep = step
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    for _ in range(round(t / step)):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    ids = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) for name in names]
    return np.array([[data.xpos[i], *data.xmat[i].reshape(3, 3)] for i in ids])


def frames_of(simulation):
    """The same of ours, whose positions are those of the centres of mass."""
    turns = [from_quaternion(q) for q in simulation.orientation]
    return np.array([[x - turn @ c, *turn]
                     for x, turn, c in zip(simulation.position, turns, simulation.scene.center_of_mass)])


def compare(tmp_path, text, names, t, name="model.xml"):
    path = tmp_path / name
    path.write_text(text)
    scene, losses = convert.load(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    before, fine = (frames_of_mujoco(model, names, at, 1e-4) for at in (0, t))
    assert np.abs(fine - before).max() > 0.1  # they move
    simulation = carom.Simulation(scene.replace(method="analytic", set={"/method/tolerance": 1e-9}))
    simulation.advance_to(t)
    ours = frames_of(simulation)[[scene.index(each) for each in names]]
    return np.abs(ours - fine).max(), losses


def test_what_falls_falls_as_in_mujoco(tmp_path):
    error, losses = compare(tmp_path, THROWN, ["top"], 0.5)
    assert error < 1e-9 and not losses


@pytest.mark.parametrize("first", ["hinge", "ball"])
def test_an_arm_swings_as_in_mujoco(tmp_path, first):
    error, losses = compare(tmp_path, ARM.format(first=first), ["upper", "lower"], 1)
    assert error < 1e-6
    assert not losses


def test_a_robot_of_urdf_swings_as_in_mujoco(tmp_path):
    error, losses = compare(tmp_path, ROBOT, ["rod"], 1, "robot.urdf")
    assert error < 1e-6
    assert [loss.place for loss in losses] == ['joint "pivot"'] and "limits" in losses[0].what


def test_masses_are_those_that_mujoco_computes(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(ARM.format(first="hinge"))
    scene, _ = convert.load(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    assert scene.mass[scene.index("lower")] == pytest.approx(model.body_mass[2] + model.body_mass[3])
    assert scene.mass.sum() == pytest.approx(model.body_mass[1:].sum())


def test_what_rests_carries_its_weight_and_friction_is_the_greater(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text("""<mujoco><option gravity="0 0 -10"/><worldbody>
      <geom type="plane" size="0 0 1" friction="0.2"/>
      <body name="box" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" friction="0.6"/></body>
      </worldbody></mujoco>""")
    scene, _ = convert.load(path)
    simulation = carom.Simulation(scene)
    simulation.advance_to(0.05)
    assert np.abs(simulation.forces()["force"].sum(axis=0)) == pytest.approx([0, 0, 8 * 10], abs=1e-9)
    assert set(simulation.contacts()["friction"]) == {0.6}


def test_what_is_not_carried_over_is_named(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text("""<mujoco><compiler angle="radian"/><worldbody>
      <geom type="plane" size="1 1 1"/>
      <body name="hopper" pos="0 0 2"><joint name="x" type="slide" axis="1 0 0"/>
        <joint name="z" type="slide" axis="0 0 1"/><joint name="turn" damping="1" range="-1 1" limited="true"/>
        <geom name="foot" size="0.1" condim="4" margin="0.01"/></body></worldbody>
      <actuator><motor name="push" joint="turn"/></actuator></mujoco>""")
    _, losses = convert.load(path)
    told = "\n".join(map(str, losses))
    for part in ('actuator "push": the whole of it', 'body "hopper": its joints "x", "z", "turn"',
                 'joint "turn": its limits [-1.0, 1.0]', 'joint "turn": its damping', 'geom "foot": friction against',
                 'geom "foot": the margin', 'geom "geom 0": the edges of a plane'):
        assert part in told, told


@pytest.mark.parametrize("name", ["every-joint", "hinged-rods", "stack-of-bricks", "falling-hull", "block-on-slope"])
def test_a_scene_becomes_mjcf_and_comes_back(scenes, tmp_path, name):
    """The masses and frames that MuJoCo then has are those of the scene."""
    losses = convert.convert(scenes / f"{name}.json", tmp_path / "model.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = carom.load(scenes / f"{name}.json")
    simulation = carom.Simulation(scene)
    frames = frames_of(simulation)
    for i, body in enumerate(scene.bodies):
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body)
        assert data.xpos[number] == pytest.approx(frames[i, 0], abs=1e-12), body
        if scene.mass[i] == 0:
            continue  # fixed or driven
        assert model.body_mass[number] == pytest.approx(scene.mass[i])
        assert data.xipos[number] == pytest.approx(simulation.position[i], abs=1e-9)
    if name == "hinged-rods":
        assert not any("joint" in loss.place for loss in losses)


def test_a_scene_that_went_to_mjcf_and_back_moves_the_same(scenes, tmp_path):
    convert.convert(scenes / "falling-chain.json", tmp_path / "model.xml")
    convert.convert(tmp_path / "model.xml", tmp_path / "again.json")
    first = carom.load(scenes / "falling-chain.json", set={"/duration": 0.2})
    again = carom.load(tmp_path / "again.json", set={"/duration": 0.2, "/method": first.document.get("method", {})})
    there = dict(zip(first.bodies, carom.run(first).position[-1]))
    back = dict(zip(again.bodies, carom.run(again).position[-1]))
    for name in again.bodies:
        if name != "world":
            assert back[name] == pytest.approx(there[name], abs=1e-9)


def test_the_program_says_what_it_lost(tmp_path, capsys):
    (tmp_path / "robot.urdf").write_text(ROBOT)
    assert program.main([str(tmp_path / "robot.urdf"), str(tmp_path / "robot.json")]) == 0
    assert 'not carried over: joint "pivot": its limits' in capsys.readouterr().err
    assert carom.load(tmp_path / "robot.json").joints == ["pivot"]
    (tmp_path / "wrong.xml").write_text("<mujoco><wordlbody/></mujoco>")
    assert program.main([str(tmp_path / "wrong.xml"), str(tmp_path / "wrong.json")]) == 2
    assert "wrong.xml" in capsys.readouterr().err
    assert program.main([str(tmp_path / "robot.urdf"), str(tmp_path / "robot.txt")]) == 2


def test_meshes_become_bodies(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    parts = trimesh.Scene({"brick": trimesh.creation.box((1, 2, 3)), "sheet": trimesh.Trimesh(
        [[0, 0, 5], [1, 0, 5], [0, 1, 5], [0, 0, 6]], [[0, 1, 2], [0, 2, 3]])})
    parts.export(tmp_path / "parts.glb")
    losses = convert.convert(tmp_path / "parts.glb", tmp_path / "parts.json")
    scene = carom.load(tmp_path / "parts.json")
    brick = scene.index("brick")
    assert scene.mass[brick] == pytest.approx(6000)  # glTF's y is our z
    assert np.diag(scene.inertia[brick]) == pytest.approx(6000 / 12 * np.array([9 + 4, 1 + 4, 1 + 9]))
    assert [loss.place for loss in losses] == ['part "sheet"']
