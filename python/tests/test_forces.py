"""Forces, torques of joints and laws that Python lays on bodies, against closed forms; and what controllers read."""

import pickle

import numpy as np
import pytest

import carom

METHODS = ["zeno-free", "naive", "time-stepping", "analytic", "microcollision", "elastic"]
OSCILLATOR = {"mass": 2.0, "stiffness": 50.0}


def one_ball(method="zeno-free", **properties):
    builder = carom.SceneBuilder("a ball in space", duration=2, gravity=[0, 0, 0])
    builder.body("wall", {"type": "box", "size": [1, 1, 1]}, position=[-9, 0, 0], motion="fixed")
    builder.body("ball", {"type": "sphere", "radius": 0.1}, mass=OSCILLATOR["mass"], **properties)
    return builder.method(method).build()


def door(method="zeno-free", **properties):
    """A bar of 2 kg and 1 m that turns about its end."""
    builder = carom.SceneBuilder("a door", duration=2, gravity=[0, 0, 0])
    builder.body("frame", motion="fixed")
    builder.body("bar", {"type": "box", "size": [1, 0.02, 0.02]}, mass=2, position=[0.5, 0, 0])
    builder.joint("hinge", "hinge", "bar", "frame", anchor=[0, 0, 0], axis=[0, 0, 1], **properties)
    return builder.method(method).build()


def inertia_of_door():
    return 2 * (1**2 + 0.02**2) / 12 + 2 * 0.5**2


@pytest.mark.parametrize("method", METHODS)
def test_a_push_accelerates_for_one_call(method):
    """Δv = F t / m while it lasts and not after."""
    simulation = carom.Simulation(one_ball(method))
    simulation.apply_wrench("ball", force=[4, 0, 0])
    simulation.apply_wrench("ball", force=[0, 2, 0])
    simulation.advance_to(0.5)
    assert simulation.velocity[1] == pytest.approx([1, 0.5, 0], abs=1e-9)
    simulation.advance_to(1)
    assert simulation.velocity[1] == pytest.approx([1, 0.5, 0], abs=1e-9)


def test_a_lasting_push_at_a_point_stays_until_it_is_replaced():
    """At a lever r the torque is r × F: ω' = r F / I for the first moment."""
    simulation = carom.Simulation(one_ball())
    simulation.apply_wrench(1, force=np.array([0, 0, 3]), point=[0.1, 0, 0], lasting=True)
    simulation.advance_to(1e-4)
    simulation.advance_to(2e-4)
    moment = 0.4 * 2 * 0.1**2
    assert simulation.velocity[1] == pytest.approx([0, 0, 3e-4], abs=1e-12)
    assert simulation.angular_velocity[1, 1] == pytest.approx(-0.1 * 3 / moment * 2e-4, rel=1e-6)
    simulation.apply_wrench("ball", lasting=True)
    before = simulation.velocity[1].copy()
    simulation.advance_to(0.1)
    assert simulation.velocity[1] == pytest.approx(before, abs=1e-15)


def spring(body, state):
    return -OSCILLATOR["stiffness"] * state.position[body]


@pytest.mark.parametrize("method", METHODS)
def test_a_law_is_asked_along_the_way(method):
    """x = cos(ω t): a spring as a law, to the order of each method."""
    simulation = carom.Simulation(one_ball(method, position=[1, 0, 0]))
    simulation.set_force_law(["ball"], spring)
    simulation.advance_to(1)
    expected = np.cos((OSCILLATOR["stiffness"] / OSCILLATOR["mass"])**0.5)
    assert simulation.position[1, 0] == pytest.approx(expected, abs=2e-4)
    simulation.set_force_law([], None)
    v = simulation.velocity[1].copy()
    simulation.advance_to(1.5)
    assert simulation.velocity[1] == pytest.approx(v, abs=1e-12)


def test_a_law_gives_torques_as_well():
    """Δω = τ t / I about a principal axis."""
    simulation = carom.Simulation(one_ball())
    simulation.set_force_law([1], lambda body, state: [[0, 0, 0], [0, 0, 0.008]])
    simulation.advance_to(0.5)
    assert simulation.angular_velocity[1] == pytest.approx([0, 0, 0.5 * 0.008 / (0.4 * 2 * 0.01)])


def test_what_a_law_raises_comes_out_of_the_call():
    def fails(body, state):
        raise LookupError(f"at {state.time}")

    simulation = carom.Simulation(one_ball())
    simulation.set_force_law(["ball"], fails)
    with pytest.raises(LookupError, match="at 0"):
        simulation.advance_to(1)
    simulation.set_force_law(["ball"], lambda body, state: [1, 2])
    with pytest.raises(carom.BadInput, match="the law of forces.*2 numbers"):
        simulation.advance_to(1)
    simulation.set_force_law(["ball"], lambda body, state: simulation.step())
    with pytest.raises(RuntimeError, match="law"):
        simulation.advance_to(1)
    simulation.set_force_law([], None)
    simulation.advance_to(1)
    assert simulation.time == 1


def test_a_law_goes_with_a_pickled_simulation():
    simulation = carom.Simulation(one_ball(position=[1, 0, 0]))
    simulation.set_force_law(["ball"], spring)
    simulation.advance_to(0.25)
    copy = pickle.loads(pickle.dumps(simulation))
    for each in (simulation, copy):
        each.advance_to(0.5)
    assert np.array_equal(copy.position, simulation.position)


@pytest.mark.parametrize("method", ["zeno-free", "time-stepping", "analytic", "microcollision", "elastic"])
def test_a_torque_of_a_hinge_turns_it(method):
    """θ = τ t² / 2I and θ' = τ t / I, positive as the first body turns about the axis."""
    simulation = carom.Simulation(door(method))
    torque, until = 0.3, 0.8
    for i in range(1, 9):
        simulation.apply_joint_force("hinge", torque)
        simulation.advance_to(i * until / 8)
    assert simulation.joint_position[0] == pytest.approx(torque * until**2 / 2 / inertia_of_door(), abs=2e-6)
    assert simulation.joint_velocity[0] == pytest.approx(torque * until / inertia_of_door(), abs=2e-6)
    assert simulation.angular_velocity[1, 2] == pytest.approx(simulation.joint_velocity[0])


@pytest.mark.parametrize("first", ["cart", "sled"])
def test_a_force_of_a_slider_drives_its_bodies_apart(first):
    """Momentum stays zero; the way grows as F t² (1/m + 1/M) / 2, whichever body is the first."""
    builder = carom.SceneBuilder("slider", gravity=[0, 0, 0])
    builder.body("cart", {"type": "box", "size": [0.2, 0.2, 0.2]}, mass=1)
    builder.body("sled", {"type": "box", "size": [0.2, 0.2, 0.2]}, mass=3, position=[0.5, 0, 0])
    between = ["cart", "sled"] if first == "cart" else ["sled", "cart"]
    builder.joint("rail", "slider", *between, axis=[1, 0, 0])
    simulation = carom.Simulation(builder.build())
    simulation.apply_joint_force("rail", 6)
    simulation.advance_to(0.5)
    assert simulation.joint_position[0] == pytest.approx(6 * 0.25 / 2 * (1 + 1 / 3), abs=1e-9)
    assert simulation.scene.mass @ simulation.velocity == pytest.approx([0, 0, 0], abs=1e-12)
    assert simulation.summary()["audit"]["verdict"] == "passed"


def test_limits_and_motors_of_scenes_act():
    """A motor of 3 rad/s is as fast after I ω / τ; the limit stops the door and throws it back with e."""
    motor = door(motor={"speed": 3, "max_torque": 2})
    simulation = carom.Simulation(motor)
    simulation.advance_to(1.5 * inertia_of_door() / 2)
    assert simulation.joint_velocity[0] == pytest.approx(1.5, abs=1e-6)
    simulation.advance_to(1.9)
    assert simulation.joint_velocity[0] == pytest.approx(3, abs=1e-9)
    stopped = door(limits=[-1, 0.5], restitution=0.5)
    simulation = carom.Simulation(stopped)
    state = simulation.state()
    state.angular_velocity[1] = [0, 0, 2]
    state.velocity[1] = [0, 1, 0]
    simulation.set_state(state)
    simulation.advance_to_next_event(2)
    assert simulation.time == pytest.approx(0.25, abs=1e-6)  # second order in the step of 1 ms
    assert simulation.joint_velocity[0] == pytest.approx(-1, abs=1e-6)


def test_joints_without_an_axis_have_no_coordinate():
    builder = carom.SceneBuilder("pendulum")
    builder.body("hook", motion="fixed")
    builder.body("bob", {"type": "sphere", "radius": 0.1}, position=[0, 0, -1])
    builder.joint("pivot", "ball", "hook", "bob", anchor=[0, 0, 0])
    simulation = carom.Simulation(builder.build())
    assert np.isnan(simulation.joint_position[0]) and np.isnan(simulation.joint_velocity[0])
    with pytest.raises(carom.BadInput, match='"pivot".*a hinge or a slider'):
        simulation.apply_joint_force(0, 1)


def test_forces_of_scenes_are_written_in_code():
    """A hanging spring: m g / k below its rest."""
    builder = carom.SceneBuilder("spring", gravity=[0, 0, -10], duration=20)
    builder.body("bob", {"type": "sphere", "radius": 0.1}, mass=2)
    builder.force("spring", between=["bob"], anchor_b=[0, 0, 1], stiffness=40, damping=15, rest=1)
    simulation = carom.Simulation(builder.build())
    simulation.advance_to(20)
    assert simulation.position[0, 2] == pytest.approx(-2 * 10 / 40, abs=1e-6)


@pytest.mark.parametrize("call, told", [
    (lambda s: s.apply_wrench("bal", [1, 0, 0]), 'body: found "bal".*did you mean "ball"'),
    (lambda s: s.apply_wrench("wall", [1, 0, 0]), "dynamic"),
    (lambda s: s.apply_wrench(7, [1, 0, 0]), "found 7.*from 0 to 1"),
    (lambda s: s.apply_wrench("ball", [1, 0]), "force: found 2 numbers, expected three"),
    (lambda s: s.apply_wrench("ball", [np.nan, 0, 0]), "finite"),
    (lambda s: s.apply_joint_force("hinge", 1), 'joint: found "hinge"'),
    (lambda s: s.set_force_law([], lambda body, state: 0), "at least one"),
])
def test_mistakes_say_what_was_expected(call, told):
    with pytest.raises(carom.BadInput, match=told):
        call(carom.Simulation(one_ball()))


def test_questions_are_answered_where_the_bodies_are_now():
    """Two balls and a plane: distances, a ray and a sweep from geometry alone."""
    builder = carom.SceneBuilder("balls", gravity=[0, 0, 0])
    builder.body("ground", {"type": "plane", "normal": [0, 0, 1], "offset": 0}, motion="fixed")
    builder.body("a", {"type": "sphere", "radius": 0.5}, position=[0, 0, 1], velocity=[1, 0, 0])
    builder.body("b", {"type": "sphere", "radius": 0.5}, position=[5, 0, 1])
    simulation = carom.Simulation(builder.build())
    simulation.advance_to(1)
    nearest = simulation.nearest("a", "b")
    assert nearest.distance == pytest.approx(3) and nearest.normal == pytest.approx([-1, 0, 0])
    assert nearest.on_a == pytest.approx([1.5, 0, 1]) and nearest.on_b == pytest.approx([4.5, 0, 1])
    assert not simulation.overlap("a", "b")
    hit = simulation.cast_ray([1, 0, 4], [0, 0, -2], 10)
    assert hit.body == simulation.scene.index("a") and hit.distance == pytest.approx(2.5)
    assert hit.point == pytest.approx([1, 0, 1.5]) and hit.normal == pytest.approx([0, 0, 1])
    assert simulation.cast_ray([1, 0, 4], [0, 0, 1], 10) is None
    met = simulation.sweep("a", [2, 0, 0], duration=5)
    assert met.body == simulation.scene.index("b") and met.time == pytest.approx(1.5)
    assert simulation.sweep("a", [2, 0, 0], duration=1) is None


def test_a_controller_balances_a_pole():
    """The gains are those of the linear-quadratic regulator of the upright pole, as in examples/cart_pole.cpp."""
    builder = carom.SceneBuilder("cart-pole", duration=8)
    builder.body("base", motion="fixed")
    builder.body("cart", {"type": "box", "size": [0.3, 0.2, 0.1]}, mass=1)
    builder.body("pole", {"type": "box", "size": [0.02, 0.02, 1]}, mass=0.1,
                 position=[0.5 * np.sin(0.2), 0, 0.5 * np.cos(0.2)], orientation={"axis": [0, 1, 0], "angle": 0.2})
    builder.joint("rail", "slider", "cart", "base", axis=[1, 0, 0])
    builder.joint("pivot", "hinge", "pole", "cart", anchor=[0, 0, 0], axis=[0, 1, 0])
    simulation = carom.Simulation(builder.build())
    for i in range(1, 801):
        x, lean = simulation.joint_position + [0, 0.2]
        v, turn = simulation.joint_velocity
        simulation.apply_joint_force("rail", 3.16 * x + 4.46 * v + 40.1 * lean + 10.3 * turn)
        simulation.advance_to(0.01 * i)
    assert simulation.joint_position == pytest.approx([0, -0.2], abs=0.02)
    assert simulation.summary()["audit"]["verdict"] == "passed"
