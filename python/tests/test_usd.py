"""USD read as scenes. Expected values are those of the stage, in its own units, or closed forms."""

import numpy as np
import pytest

import carom
import carom.convert

HEAD = '#usda 1.0\n(\n metersPerUnit = {metre}\n kilogramsPerUnit = {kilogram}\n upAxis = "{up}"\n)\n'
BALL_AND_FLOOR = """
def PhysicsScene "physics" { float physics:gravityMagnitude = 1000 }
def Material "rubber" (prepend apiSchemas = ["PhysicsMaterialAPI"])
{
    float physics:restitution = 0.9
    float physics:dynamicFriction = 0.6
    float physics:staticFriction = 0.7
    float physics:density = 0.002
}
def Plane "floor" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { uniform token axis = "Y" }
def Xform "ball" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
{
    double3 xformOp:translate = (0, 110, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    vector3f physics:velocity = (50, 0, 0)
    def Sphere "round" (prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"])
    {
        double radius = 5
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:scale"]
        rel material:binding:physics = </rubber>
    }
}
"""


@pytest.fixture
def read(tmp_path):
    def reader(text, metre=1, kilogram=1, up="Z"):
        path = tmp_path / "stage.usda"
        path.write_text(HEAD.format(metre=metre, kilogram=kilogram, up=up) + text.replace("{ ", "{\n").replace(" }", "\n}"))
        return carom.convert.load(path)

    return reader


def test_a_ball_falls_in_metres_whatever_the_units_are(read):
    scene, losses = read(BALL_AND_FLOOR, metre=0.01, kilogram=0.001, up="Y")
    assert [str(loss) for loss in losses] == ['"/rubber": its static friction 0.7: the dynamic one, 0.6, holds for both']
    ball = scene.index("/ball")
    assert scene.mass[ball] == pytest.approx(0.002 * 1000 * 4 / 3 * np.pi * 0.1**3, rel=1e-6)  # 0.002 g/cm³
    simulation = carom.Simulation(scene)
    assert simulation.velocity[ball] == pytest.approx([0.5, 0, 0])
    simulation.advance_to_next_event(2)
    event = simulation.events()[0]
    assert event["time"] == pytest.approx((2 * 1 / 10) ** 0.5, abs=1e-9)  # 1 m under 10 m/s²
    assert event["separation_speed"] == pytest.approx(0.45 * 20**0.5, rel=1e-6)  # the mean of 0.9 and 0


def test_a_stage_without_a_physics_scene_has_earths_gravity_downwards(read):
    body = 'def Sphere "ball" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) { double radius = 1 }'
    assert read(body)[0].document["gravity"] == [0, 0, -9.81]
    assert read(body, up="Y", metre=0.01)[0].document["gravity"] == [0, -9.81, 0]


@pytest.mark.parametrize("kind, attributes, volume", [
    ("Cube", "double size = 2", 8 * 6),
    ("Sphere", "double radius = 1", 4 / 3 * np.pi * 6),
    ("Cylinder", 'double radius = 1 double height = 2 uniform token axis = "X"', None),
])
def test_scales_reach_the_shapes(read, kind, attributes, volume):
    body = f'''def {kind} "body" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
    {{ {attributes.replace(" double", chr(10) + "double").replace(" uniform", chr(10) + "uniform")}
    float3 xformOp:scale = (1, 2, 3)
    uniform token[] xformOpOrder = ["xformOp:scale"] }}'''
    if volume is None:
        with pytest.raises(ValueError, match="neither"):  # uneven across its axis: nothing is left of the body
            read(body)
        return
    scene, losses = read(body)
    assert losses == [] and scene.mass[0] == pytest.approx(1000 * volume, rel=1e-6)


def test_masses_inertias_and_middles_are_the_bodys(read):
    scene, losses = read('''def Cube "body" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 3
        point3f physics:centerOfMass = (0.1, 0, 0)
        float3 physics:diagonalInertia = (1, 2, 2.5)
        quatf physics:principalAxes = (0.70710678, 0, 0, 0.70710678)
    }''')
    assert losses == [] and scene.mass[0] == 3
    assert scene.center_of_mass[0] == pytest.approx([0.1, 0, 0])
    assert scene.inertia[0] == pytest.approx(np.diag([2, 1, 2.5]), abs=1e-6)  # a quarter turn about z


DOOR = '''
def PhysicsScene "physics" { float physics:gravityMagnitude = 0
 vector3f physics:gravityDirection = (0, 0, -1) }
def Cube "door" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
{
    double size = 1
    double3 xformOp:translate = (0.5, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    vector3f physics:velocity = (0, 0.5, 0)
    vector3f physics:angularVelocity = (0, 0, 57.29577951)
}
def PhysicsRevoluteJoint "hinge"
{
    uniform token physics:axis = "Z"
    rel physics:body1 = </door>
    point3f physics:localPos1 = (-0.5, 0, 0)
    quatf physics:localRot1 = (0.9659258, 0, 0, 0.2588190)
    float physics:lowerLimit = -60
    float physics:upperLimit = 90
}
'''


def test_limits_count_from_where_the_joints_frames_agree(read):
    """The door's frame stands at 30° already, so that it strikes its stop after 60°, at 1 rad/s."""
    scene, losses = read(DOOR)
    assert losses == []
    assert scene.document["joints"][0]["limits"] == pytest.approx([-np.pi / 2, np.pi / 3], abs=1e-6)
    simulation = carom.Simulation(scene)
    simulation.advance_to_next_event(2)
    assert simulation.time == pytest.approx(np.pi / 3, abs=1e-5)
    assert simulation.joint_position[0] == pytest.approx(np.pi / 3, abs=1e-6)


TETRAHEDRON = '''
def Mesh "solid" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"{more}])
{{
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    int[] faceVertexCounts = [3, 3, 3, 3]
    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    {wanted}
    float3 xformOp:scale = (2, 1, {mirror})
    uniform token[] xformOpOrder = ["xformOp:scale"]
}}
'''


@pytest.mark.parametrize("wanted", ["none", "convexHull", "convexDecomposition"])
@pytest.mark.parametrize("mirror", [1, -1])
def test_meshes_enclose_their_volume(read, wanted, mirror):
    scene, losses = read(TETRAHEDRON.format(more=', "PhysicsMeshCollisionAPI"', mirror=mirror,
                                            wanted=f'uniform token physics:approximation = "{wanted}"'))
    assert scene.mass[0] == pytest.approx(1000 * 2 / 6, rel=1e-6)
    assert len(losses) == (wanted == "convexDecomposition")


def test_what_is_not_carried_over_is_listed(read):
    _, losses = read(BALL_AND_FLOOR + DOOR.replace('def PhysicsScene "physics" {', 'def PhysicsScene "more" {').replace(
        'def PhysicsRevoluteJoint "hinge"', 'def PhysicsRevoluteJoint "hinge" (prepend apiSchemas = ["PhysicsDriveAPI:angular"])')
        + 'def PhysicsJoint "six" { rel physics:body1 = </door> }\n'
        + 'def Points "dust" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {}\n')
    text = "\n".join(map(str, losses))
    for expected in ('"/more": a second physics scene', '"/hinge": its PhysicsDriveAPI:angular', '"/six": a joint that is a PhysicsJoint',
                     '"/dust": a collider that is a Points'):
        assert expected in text


def test_a_stage_without_bodies_is_refused(read):
    with pytest.raises(ValueError, match="neither rigid bodies nor colliders"):
        read('def Sphere "seen" {}')


def swing():
    """A double pendulum whose second link is off its hinge's axis, beside a rope and a ball on a tilted plane."""
    builder = carom.SceneBuilder("swing", duration=1, gravity=[0, 0, -9.81])
    builder.pair("*", "*", friction=0.25, restitution=0.5)
    builder.body("floor", {"type": "plane", "normal": [0.1, 0, 2], "offset": -2}, motion="fixed")
    builder.body("hook", motion="fixed")
    builder.body("arm", {"type": "capsule", "radius": 0.05, "length": 0.5, "position": [0.1, 0, 0]}, mass=1,
                 position=[0.3, 0, 0], orientation={"axis": [0, 1, 0], "angle": np.pi / 2})
    builder.body("hand", {"type": "box", "size": [0.1, 0.2, 0.3]}, {"type": "sphere", "radius": 0.1, "position": [0, 0, 0.2]},
                 position=[0.8, 0.1, 0], angular_velocity=[0, 0.5, 0])
    builder.body("ball", {"type": "sphere", "radius": 0.1}, position=[2, 0, 0], velocity=[0.1, 0, 0])
    builder.joint("shoulder", "hinge", "arm", "hook", anchor=[0, 0, 0], axis=[0, 1, 0], limits=[-0.2, 1.4])
    builder.joint("wrist", "ball", "hand", "arm", anchor=[0.7, 0, 0])
    builder.joint("rope", "distance", "ball", "hand", limits=[0, 3])
    return builder.build()


def test_a_scene_that_went_through_usd_moves_as_before(tmp_path):
    scene = swing()
    scene.save(tmp_path / "swing.json")
    losses = carom.convert.convert(tmp_path / "swing.json", tmp_path / "swing.usda")
    assert losses == []
    again, losses = carom.convert.load(tmp_path / "swing.usda")
    assert losses == []
    one, other = carom.Simulation(scene), carom.Simulation(again)
    for t in (0.0, 0.2, 0.5):
        one.advance_to(t)
        other.advance_to(t)
        for name in ("arm", "hand", "ball"):
            expected = one.position[scene.index(name)]
            assert other.position[again.index(f"/scene/{name}")] == pytest.approx(expected, abs=1e-5)  # numbers of 32 bits
    assert again.mass[again.index("/scene/hand")] == pytest.approx(scene.mass[scene.index("hand")], rel=1e-6)
    shoulder = [joint for joint in again.document["joints"] if "shoulder" in joint["name"]][0]
    assert shoulder["limits"] == pytest.approx([-0.2, 1.4], abs=1e-6)


def test_a_stage_says_what_the_scene_says(tmp_path):
    from pxr import Usd, UsdGeom, UsdPhysics
    swing().save(tmp_path / "swing.json")
    carom.convert.convert(tmp_path / "swing.json", tmp_path / "swing.usda")
    stage = Usd.Stage.Open(str(tmp_path / "swing.usda"))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1
    joint = UsdPhysics.RevoluteJoint.Get(stage, "/scene/shoulder")
    assert joint.GetBody1Rel().GetTargets() == ["/scene/arm"] and joint.GetBody0Rel().GetTargets() == ["/scene/hook"]
    assert joint.GetUpperLimitAttr().Get() == pytest.approx(np.degrees(1.4), rel=1e-6)
    assert UsdPhysics.MassAPI.Get(stage, "/scene/arm").GetMassAttr().Get() == 1
    rope = UsdPhysics.DistanceJoint.Get(stage, "/scene/rope")
    assert rope.GetMaxDistanceAttr().Get() == 3


def test_what_usd_has_not_is_listed(tmp_path):
    document = swing().document
    document["forces"] = [{"type": "drag", "linear": 1}]
    document["joints"][0]["motor"] = {"speed": 1, "max_torque": 2}
    document["materials"] = {"ice": {"density": 900}}
    document["pairs"].append({"materials": ["ice", "*"], "friction": 0})
    document["bodies"][4]["material"] = "ice"
    carom.Scene(document).save(tmp_path / "swing.json")
    text = "\n".join(map(str, carom.convert.convert(tmp_path / "swing.json", tmp_path / "swing.usda")))
    assert 'force 1: the whole of it, a drag' in text and 'joint "shoulder": its motor' in text
    assert 'materials "default" and "ice": their friction: the mean of the two, 0.125, holds' in text
