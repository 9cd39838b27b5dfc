"""Three scenes with closed forms in carom and in what else is installed of MuJoCo, Drake and Bullet (pip install mujoco drake
pybullet): what docs/coming-from-….md say was measured.

    python benchmarks/other_simulators.py [NAME…]

slide: a box of 1 kg, 2 m/s fast, on a floor with friction 0.5, stops after v² / (2 μ g).
slope: the same box at rest where gravity is tilted by atan 0.3 stays where it is; how far it is after 10 s.
bounce: a ball with e = 0.8 falls 1 m and rises to 0.64 m.
"""

import math
import sys

G, MU, SPEED, TILT, E = 9.81, 0.5, 2.0, math.atan(0.3), 0.8
DOWN, TILTED = (0, 0, -G), (G * math.sin(TILT), 0, -G * math.cos(TILT))
BOX, RADIUS = (0.2, 0.2, 0.1), 0.1


def carom():
    import carom

    def simulate(gravity, **body):
        builder = carom.SceneBuilder("other", duration=20, gravity=gravity).pair("*", "*", friction=MU, restitution=E)
        builder.body("floor", {"type": "plane", "normal": [0, 0, 1], "offset": 0}, motion="fixed")
        builder.body("body", *body.pop("shapes"), **body)
        return carom.Simulation(builder.build())

    def box(gravity, speed, until):
        simulation = simulate(gravity, shapes=[{"type": "box", "size": BOX}], mass=1, position=[0, 0, BOX[2] / 2],
                              velocity=[speed, 0, 0])
        simulation.advance_to(until)
        return simulation.position[1, 0]

    ball = simulate(DOWN, shapes=[{"type": "sphere", "radius": RADIUS}], mass=1, position=[0, 0, 1 + RADIUS])
    top = 0
    ball.advance_to_next_event(2)
    while ball.time < 0.9:
        ball.advance_to(ball.time + 1e-3)
        top = max(top, ball.position[1, 2] - RADIUS)
    return [("1 ms", box(DOWN, SPEED, 2), box(TILTED, 0, 10), top)]


def mujoco():
    import mujoco

    def simulate(step, gravity, geom, height, contact):
        text = f"""<mujoco><option timestep="{step}" gravity="{gravity[0]} 0 {gravity[2]}" {contact[0]}/>
        <worldbody><geom type="plane" size="9 9 1" friction="{MU}" {contact[1]}/>
        <body pos="0 0 {height}"><freejoint/><geom {geom} friction="{MU}" mass="1" {contact[1]}/></body></worldbody></mujoco>"""
        model = mujoco.MjModel.from_xml_string(text)
        return model, mujoco.MjData(model)

    def box(step, gravity, speed, until, contact):
        size = " ".join(str(edge / 2) for edge in BOX)
        model, data = simulate(step, gravity, f'type="box" size="{size}"', BOX[2] / 2, contact)
        data.qvel[0] = speed
        while data.time < until:
            mujoco.mj_step(model, data)
        return data.qpos[0]

    def top(step):
        damping = -math.log(E) / math.hypot(math.pi, math.log(E))
        model, data = simulate(step, DOWN, f'type="sphere" size="{RADIUS}"', 1 + RADIUS, ("", f'solref="0.02 {damping}"'))
        highest = 0
        while data.time < 0.9:
            mujoco.mj_step(model, data)
            highest = max(highest, data.qpos[2] - RADIUS) if data.time > 0.47 else 0
        return highest

    found = []
    for name, step, contact in (("2 ms, the default", 0.002, ("", "")), ("0.1 ms", 0.0001, ("", "")),
                                ("2 ms, elliptic cone, impratio 100", 0.002, ('cone="elliptic" impratio="100"', ""))):
        found.append((name, box(step, DOWN, SPEED, 2, contact), box(step, TILTED, 0, 10, contact), top(step)))
    return found


def drake():
    import numpy as np
    from pydrake.all import (AddCompliantHydroelasticPropertiesForHalfSpace, AddContactMaterial, AddMultibodyPlantSceneGraph,
                             AddRigidHydroelasticProperties, Box, CoulombFriction, DiagramBuilder, HalfSpace,
                             ProximityProperties, RigidTransform, Simulator, SpatialInertia)

    def material():
        made = ProximityProperties()
        AddContactMaterial(friction=CoulombFriction(MU, MU), properties=made)
        return made

    # Hydroelastic: with point contact a box stands on one point.
    floor, sides = material(), material()
    AddCompliantHydroelasticPropertiesForHalfSpace(slab_thickness=1, hydroelastic_modulus=1e8, properties=floor)
    AddRigidHydroelasticProperties(0.05, sides)

    def box(step, gravity, speed, until):
        builder = DiagramBuilder()
        plant, _ = AddMultibodyPlantSceneGraph(builder, step)
        plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "floor", floor)
        body = plant.AddRigidBody("box", SpatialInertia.SolidBoxWithMass(1, *BOX))
        plant.RegisterCollisionGeometry(body, RigidTransform(), Box(*BOX), "box", sides)
        plant.mutable_gravity_field().set_gravity_vector(np.array(gravity))
        plant.Finalize()
        simulator = Simulator(builder.Build())
        context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
        height = BOX[2] / 2 - 1e-6  # just at the floor its own check of the mesh fails
        plant.SetFreeBodyPose(context, body, RigidTransform([0, 0, height]))
        plant.SetVelocities(context, [0, 0, 0, speed, 0, 0])
        simulator.AdvanceTo(until)
        return plant.EvalBodyPoseInWorld(context, body).translation()[0]

    return [(name, box(step, DOWN, SPEED, 2), box(step, TILTED, 0, 10), None) for name, step in (("1 ms", 1e-3), ("0.1 ms", 1e-4))]


def bullet():
    import pybullet as p

    def simulate(step, gravity, height, bounce, *shape, **size):
        p.resetSimulation()
        p.setTimeStep(step)
        p.setGravity(*gravity)
        floor = p.createMultiBody(0, p.createCollisionShape(p.GEOM_PLANE))
        body = p.createMultiBody(1, p.createCollisionShape(*shape, **size), basePosition=[0, 0, height])
        for each, e in ((floor, 1), (body, bounce)):  # multiplied, as frictions are
            p.changeDynamics(each, -1, restitution=e, lateralFriction=math.sqrt(MU), linearDamping=0, angularDamping=0)
        return body

    def box(step, gravity, speed, until):
        body = simulate(step, gravity, BOX[2] / 2, 0, p.GEOM_BOX, halfExtents=[edge / 2 for edge in BOX])
        p.resetBaseVelocity(body, [speed, 0, 0])
        for _ in range(round(until / step)):
            p.stepSimulation()
        return p.getBasePositionAndOrientation(body)[0][0]

    def top(step):
        body = simulate(step, DOWN, 1 + RADIUS, E, p.GEOM_SPHERE, radius=RADIUS)
        highest = 0
        for i in range(round(0.9 / step)):
            p.stepSimulation()
            highest = max(highest, p.getBasePositionAndOrientation(body)[0][2] - RADIUS) if i * step > 0.47 else 0
        return highest

    p.connect(p.DIRECT)
    found = []
    for name, step in (("1/240 s, the default", 1 / 240), ("1 ms", 1e-3), ("0.1 ms", 1e-4)):
        found.append((name, box(step, DOWN, SPEED, 2), box(step, TILTED, 0, 10), top(step)))
    return found


def main():
    print(f"{'':44}  slide, m    slope, m    bounce, m")
    print(f"{'closed form':44}  {SPEED**2 / (2 * MU * G):.7f}   0           {E**2:.7f}")
    for name, simulator in (("carom", carom), ("mujoco", mujoco), ("drake", drake), ("bullet", bullet)):
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        try:
            rows = simulator()
        except ImportError:
            print(f"{name}: not installed")
            continue
        for how, slide, slope, top in rows:
            print(f"{f'{name}, {how}':44}  {slide:.7f}   {slope:<10.3g}  {'–' if top is None else f'{top:.7f}'}")


if __name__ == "__main__":
    main()
