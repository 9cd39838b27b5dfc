"""Models read through MuJoCo's compiler move as MuJoCo itself moves them, to its error of integration."""

import json

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
    assert not losses


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
    for part in ('actuator "push": the whole of it: its joint is not', 'body "hopper": its joints "x", "z", "turn"',
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
    (tmp_path / "robot.urdf").write_text(ROBOT.replace("-3", "-7").replace('"3"', '"7"'))
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


SPRUNG = """
<mujoco><option gravity="0 0 -9.81" timestep="0.001"/><worldbody>
  <body name="cart" pos="0 0 1"><joint name="rail" type="slide" axis="1 0 0" stiffness="30" springref="0.3" damping="0.8"/>
    <geom type="box" size="0.2 0.1 0.1"/>
    <body name="pole"><joint name="pivot" type="hinge" axis="0 1 0" damping="0.05"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0.5" size="0.04"/></body></body>
  <body name="bob" pos="1 0 0.2"><freejoint/><geom type="box" size="0.05 0.06 0.07"/><site name="eye" pos="0.05 0 0.07"/></body>
  <site name="hook" pos="1 0 2"/></worldbody>
  <tendon><spatial name="cord" stiffness="60" damping="0.7" springlength="1.2"><site site="hook"/><site site="eye"/></spatial></tendon>
</mujoco>"""


def test_springs_and_dampers_act_as_in_mujoco(tmp_path):
    error, losses = compare(tmp_path, SPRUNG, ["cart", "pole", "bob"], 1)
    assert error < 1e-6 and not losses


@pytest.mark.parametrize("kind, axis", [("hinge", "0 1 0"), ("slide", "0 0.6 -0.8")])
def test_what_rests_at_a_limit_rests_there_in_both(tmp_path, kind, axis):
    """MuJoCo's limits give way a little; where both come to rest tells the sign and the zero of the joint."""
    path = tmp_path / "model.xml"
    path.write_text(f"""<mujoco><compiler angle="radian"/><worldbody><body name="arm" pos="0 0 1" euler="0.3 0 0">
      <joint name="joint" type="{kind}" axis="{axis}" ref="0.4" range="-0.3 0.9" limited="true" damping="2"
        solreflimit="0.004 1"/><geom type="capsule" fromto="0 0 0 0.5 0.2 0" size="0.04"/></body></worldbody></mujoco>""")
    scene, losses = convert.load(path)
    assert not losses or kind == "slide"
    simulation = carom.Simulation(scene)
    simulation.advance_to(4)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 4000)
    rest = data.qpos[0] - model.qpos0[0]
    assert min(abs(rest + 0.7), abs(rest - 0.5)) < 0.02  # at one of the limits
    assert simulation.joint_position[0] == pytest.approx(rest, abs=0.02)
    assert min(abs(simulation.joint_position[0] + 0.7), abs(simulation.joint_position[0] - 0.5)) < 1e-9


def test_friction_of_a_joint_stops_it_where_work_says(tmp_path):
    """m v² / 2 = f s."""
    path = tmp_path / "model.xml"
    path.write_text("""<mujoco><worldbody><body name="sled"><joint name="rail" type="slide" axis="1 0 0"
      frictionloss="3"/><geom type="box" size="0.1 0.1 0.1" mass="2"/></body></worldbody></mujoco>""")
    scene, losses = convert.load(path)
    simulation = carom.Simulation(scene)
    state = simulation.state()
    state.velocity[scene.index("sled")] = [1.5, 0, 0]
    simulation.set_state(state)
    simulation.advance_to(3)
    assert simulation.joint_position[0] == pytest.approx(2 * 1.5**2 / 2 / 3, abs=1e-6) and not losses


ACTUATED = """
<mujoco><option gravity="0 0 -9.81" timestep="0.001"/><compiler angle="radian"/><worldbody><body name="arm" pos="0 0 1">
  <joint name="shoulder" type="hinge" axis="0 1 0" ref="0.2"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.04"/>
  </body></worldbody><actuator>{}</actuator></mujoco>"""


@pytest.mark.parametrize("actuator, servo", [
    ('<motor name="m" joint="shoulder" gear="3" ctrlrange="-1 1" ctrllimited="true"/>', False),
    ('<position name="p" joint="shoulder" kp="40" kv="3" forcerange="-9 9"/>', True),
    ('<velocity name="v" joint="shoulder" kv="2" gear="-1"/>', True)])
def test_actuators_push_as_in_mujoco(tmp_path, actuator, servo):
    """Controls that change every 10 ms. What a servo reads is constant over a call of ours: of first order in it."""
    path = tmp_path / "model.xml"
    path.write_text(ACTUATED.format(actuator))
    scene, losses = convert.load(path)
    assert [loss.place for loss in losses] == [f'actuator "{actuator.split(chr(34))[1]}"']
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    controls = 2 * np.sin(0.3 * (np.arange(500) // 10))
    for control in controls:
        data.ctrl[0] = control
        mujoco.mj_step(model, data)
    assert abs(data.qpos[0] - 0.2) > 0.05
    motor, = convert.actuators(path)

    def error(calls):
        simulation = carom.Simulation(scene.replace(method="analytic", set={"/method/tolerance": 1e-9}))
        for i, control in enumerate(np.repeat(controls, calls)):
            motor.apply(simulation, control)
            simulation.advance_to((i + 1) * 1e-3 / calls)
        return abs(simulation.joint_position[0] - (data.qpos[0] - 0.2))

    if servo:
        assert error(1) < 5e-3 and error(4) < 0.3 * error(1)
    else:
        assert error(1) < 1e-8


def test_actuators_that_cannot_be_applied_say_why(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(ACTUATED.format('<muscle name="m" joint="shoulder" lengthrange="0 1"/><motor name="f" joint="shoulder"/>'))
    _, losses = convert.load(path)
    assert 'actuator "m": the whole of it: it has an activation' in map(str, losses)
    assert [each.name for each in convert.actuators(path)] == ["f"]


DRIVEN = {"carom": 1, "duration": 3, "gravity": [0, 0, -10], "bodies": [
    {"name": "wall", "motion": "fixed", "shapes": []},
    {"name": "wheel", "shape": {"type": "cylinder", "radius": 0.2, "length": 0.05}, "mass": 2},
    {"name": "sled", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "mass": 1, "position": [0, 1, 0]},
    {"name": "bob", "shape": {"type": "sphere", "radius": 0.05}, "mass": 1, "position": [0, 2, 0]},
    {"name": "rod", "shape": {"type": "sphere", "radius": 0.05}, "mass": 1, "position": [0.6, 3, 0]}],
    "joints": [
        {"name": "axle", "type": "hinge", "between": ["wheel", "wall"], "anchor": [0, 0, 0], "axis": [0, 0, 1],
         "motor": {"speed": 2, "max_torque": 0.05}},
        {"name": "rail", "type": "slider", "between": ["wall", "sled"], "axis": [0, 0, 1], "limits": [-5, 0.25],
         "friction": 4},
        {"name": "rope", "type": "distance", "between": ["wall", "rod"], "anchor": [0, 3, 0], "anchor_b": [0.6, 3, 0]}],
    "forces": [{"type": "spring", "between": ["bob", "wall"], "anchor_b": [0, 2, 1], "stiffness": 50, "damping": 1}]}


def test_drives_limits_springs_and_ropes_become_mjcf(tmp_path):
    """Of our scene MuJoCo makes the same motion, within what its first order and its soft limits are off: the wheel's
    speed, the sled that slides to its stop, the spring's end, the pendulum, whose tendon stretches."""
    (tmp_path / "scene.json").write_text(json.dumps(DRIVEN))
    losses = convert.convert(tmp_path / "scene.json", tmp_path / "model.xml")
    assert [loss.place for loss in losses] == ['joint "axle"']
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 200)
    scene = carom.load(tmp_path / "scene.json")
    simulation = carom.Simulation(scene)
    simulation.advance_to(data.time)
    for name, error in (("sled", 2e-3), ("bob", 1e-3), ("rod", 2e-2)):
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
        assert data.xpos[body] == pytest.approx(simulation.position[scene.index(name)], abs=error), name
    assert simulation.joint_velocity[0] == pytest.approx(0.05 * data.time / (2 * 0.2**2 / 2), rel=1e-6)
    axle = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, "axle")
    assert data.qvel[model.jnt_dofadr[axle]] == pytest.approx(simulation.joint_velocity[0], rel=1e-3)
    mujoco.mj_step(model, data, round(2.5 / model.opt.timestep))
    assert data.qvel[model.jnt_dofadr[axle]] == pytest.approx(2, rel=0.011)


def in_mujoco(path):
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("name", ["hinged-rods", "falling-chain", "driven"])
def test_a_scene_becomes_urdf_that_mujoco_reads(scenes, tmp_path, name):
    """Masses, centres and moments of inertia are where they were."""
    source = scenes / f"{name}.json"
    if name == "driven":
        source = tmp_path / "scene.json"
        source.write_text(json.dumps(DRIVEN))
    losses = convert.convert(source, tmp_path / "robot.urdf")
    told = {loss.place for loss in losses}
    text = (tmp_path / "robot.urdf").read_text()
    keep = '<mujoco><compiler discardvisual="true" fusestatic="false" strippath="false"/></mujoco>'
    (tmp_path / "robot.urdf").write_text(text.replace("</robot>", keep + "</robot>"))
    model, data = in_mujoco(tmp_path / "robot.urdf")
    scene = carom.load(source)
    simulation = carom.Simulation(scene)
    for i in np.flatnonzero(scene.mass):
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, scene.bodies[i])
        assert number > 0 and model.body_mass[number] == pytest.approx(scene.mass[i])
        assert data.xipos[number] == pytest.approx(simulation.position[i], abs=1e-9)
        assert sorted(model.body_inertia[number]) == pytest.approx(np.linalg.eigvalsh(scene.inertia[i]), rel=1e-6)
    assert (name == "driven") == ('joint "rope"' in told) == ("force 1" in told)


def test_a_scene_that_went_to_urdf_and_back_moves_the_same(tmp_path):
    """Limits and friction of joints come back as well."""
    axle = {"name": "axle", "type": "hinge", "between": ["wheel", "wall"], "anchor": [0, 0.1, 0], "axis": [0, 0.6, 0.8],
            "limits": [-1, 2], "friction": 0.1}
    document = {"carom": 1, "bodies": DRIVEN["bodies"][:3], "joints": [axle, DRIVEN["joints"][1]]}
    (tmp_path / "scene.json").write_text(json.dumps(document))
    convert.convert(tmp_path / "scene.json", tmp_path / "robot.urdf")
    again, _ = convert.load(tmp_path / "robot.urdf")
    first = carom.load(tmp_path / "scene.json")
    ends = [carom.run(each.replace(duration=1.0)) for each in (first, again)]
    for name in ("wheel", "sled"):
        there, back = (run.position[-1][run.scene.index(name)] for run in ends)
        assert back == pytest.approx(there, abs=1e-8)
    assert ends[0].position[-1][2, 2] == pytest.approx(-0.25, abs=1e-8)  # the sled is at its stop


def test_what_a_scene_calls_world_is_mujocos_world(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(ARM.format(first="hinge"))
    convert.convert(path, tmp_path / "scene.json")
    convert.convert(tmp_path / "scene.json", tmp_path / "again.xml")
    model, _ = in_mujoco(tmp_path / "again.xml")
    assert model.nbody == 3 and model.ngeom == 4
