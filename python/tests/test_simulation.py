import _thread
import gc
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import carom

BALL = 1


def bounce_times(count, height=1.0, gravity=10.0, restitution=0.8):
    """Of a ball dropped from `height`: the first, then each flight between bounces lasts 2 e^k v / g."""
    v = (2 * gravity * height) ** 0.5
    times = [v / gravity]
    for k in range(1, count):
        times.append(times[-1] + 2 * restitution**k * v / gravity)
    return times


def test_bounces_come_at_their_true_times(bounce):
    simulation = carom.Simulation(bounce)
    found = []
    while len(found) < 5:
        simulation.advance_to_next_event(3)
        found += [event["time"] for event in simulation.events() if carom.EVENTS[event["event"]] == "impact"]
    assert found == pytest.approx(bounce_times(5), abs=1e-13)


def test_events_say_what_happened(bounce):
    simulation = carom.Simulation(bounce)
    simulation.advance_to_next_event(3)
    event = simulation.events()[0]
    v = 20**0.5
    assert {event["body_a"], event["body_b"]} == {0, BALL}
    assert event["approach_speed"] == pytest.approx(v) and event["separation_speed"] == pytest.approx(0.8 * v)
    assert np.abs(event["impulse"]) == pytest.approx([0, 0, 2 * 1.8 * v])
    assert event["point"] == pytest.approx([0, 0, 0], abs=1e-12)


def test_arrays_are_views_that_follow_the_simulation(bounce):
    simulation = carom.Simulation(bounce)
    position, velocity = simulation.position, simulation.velocity
    assert np.shares_memory(position, simulation.position)
    saved = simulation.save()
    simulation.advance_to(0.25)
    assert position[BALL, 2] == pytest.approx(1.1 - 5 * 0.25**2)
    assert velocity[BALL] == pytest.approx([0, 0, -2.5])
    state = simulation.state()
    state.position[BALL] = [1, 2, 3]
    simulation.set_state(state)
    assert list(position[BALL]) == [1, 2, 3]
    simulation.restore(saved)
    assert position[BALL, 2] == 1.1 and np.shares_memory(position, simulation.position)
    simulation.run()
    assert np.array_equal(position, simulation.position)


@pytest.mark.parametrize("method", ["zeno-free", "time-stepping", "analytic", "microcollision", "elastic"])
def test_views_stay_where_the_state_is_under_every_method(bounce, method):
    simulation = carom.Simulation(bounce.replace(method=method))
    position = simulation.position
    for _ in range(20):
        simulation.step()
    assert simulation.time > 0 and np.array_equal(position, simulation.state().position)
    assert np.shares_memory(position, simulation.position)


def test_nobody_writes_into_a_simulation(bounce):
    simulation = carom.Simulation(bounce)
    for array in (simulation.position, simulation.velocity, simulation.angular_velocity):
        with pytest.raises(ValueError):
            array[BALL] = 0
    with pytest.raises(ValueError):
        simulation.state().orientation[BALL] = 0  # a copy, in which it would be lost


def test_a_view_outlives_the_name_of_its_simulation(bounce):
    position = carom.Simulation(bounce).position
    gc.collect()
    assert position[BALL, 2] == 1.1


def test_states_are_values(bounce):
    simulation = carom.Simulation(bounce)
    state = simulation.state()
    state.velocity[BALL] = [1, 0, 0]
    state.orientation = [[1, 0, 0, 0], [0, 1, 0, 0]]
    assert list(simulation.velocity[BALL]) == [0, 0, 0]
    simulation.set_state(state)
    assert list(simulation.velocity[BALL]) == [1, 0, 0]
    assert list(simulation.orientation[BALL]) == [0, 1, 0, 0]
    simulation.advance_to(0.1)
    assert simulation.position[BALL, 0] == pytest.approx(0.1)
    with pytest.raises(carom.BadInput, match="2 x 3"):
        state.velocity = [[0, 0, 0]]


def test_states_in_which_bodies_overlap_are_refused(bounce):
    simulation = carom.Simulation(bounce)
    state = simulation.state()
    state.position[BALL, 2] = 0
    with pytest.raises(carom.BadInput, match="overlapping"):
        simulation.set_state(state)
    assert simulation.position[BALL, 2] == 1.1


def test_what_rests_is_held_by_its_weight(bounce):
    resting = bounce.replace(set={"/bodies/1/position": [0, 0, 0.1], "/pairs/0/restitution": 0})
    simulation = carom.Simulation(resting)
    simulation.advance_to(0.1)
    contact, = simulation.contacts()
    assert contact["gap"] == pytest.approx(0, abs=1e-9) and abs(contact["normal"][2]) == 1
    force, = simulation.forces()
    assert np.abs(force["force"]) == pytest.approx([0, 0, 2 * 10]) and force["joint"] == -1


def test_save_and_restore_go_on_bit_for_bit(scenes):
    scene = carom.load(scenes / "newtons-cradle-5.json", set={"/duration": 5})
    simulation = carom.Simulation(scene)
    simulation.advance_to(0.5)
    saved = simulation.save()
    simulation.advance_to(2)
    expected = simulation.position.copy()
    other = carom.Simulation(scene)
    other.restore(saved)
    other.advance_to(2)
    assert np.array_equal(other.position, expected)
    with pytest.raises(carom.BadInput, match="restore"):
        other.restore(saved[:-1] + b"x")


def test_simulations_travel_between_processes(bounce):
    simulation = carom.Simulation(bounce, audit="sampled", tolerate={"max_penetration": 1e-3})
    simulation.advance_to(0.7)
    copy = pickle.loads(pickle.dumps(simulation))
    assert copy.time == simulation.time
    for each in (simulation, copy):
        each.advance_to(1.9)
    assert np.array_equal(copy.position, simulation.position)
    assert copy.summary()["audit"] == simulation.summary()["audit"]


def test_simulations_that_write_files_stay(bounce, tmp_path):
    with pytest.raises(carom.BadInput, match="files"):
        pickle.dumps(carom.Simulation(bounce, out=tmp_path / "run.csv"))


def test_time_that_cannot_go_on_is_an_exception(bounce):
    frozen = carom.Simulation(bounce.replace(method="naive"))
    with pytest.raises(carom.CannotGoOn, match="t = "):
        frozen.advance_to(10)
    assert 3 < frozen.time < 4.1  # bounces end at v/g (1 + e) / (1 - e) = 4.02 s


def test_a_method_that_cannot_do_a_scene_says_so(bounce):
    with pytest.raises(carom.BadInput):
        carom.Simulation(bounce, audit="half")
    with pytest.raises(carom.BadInput, match="max_penetration"):
        carom.Simulation(bounce, tolerate={"max_penetratoin": 1})


def test_nothing_follows_the_end(bounce):
    simulation = carom.Simulation(bounce)
    assert simulation.run()["finished"]
    with pytest.raises(RuntimeError, match="ended"):
        simulation.step()


def marbles(count):
    builder = carom.SceneBuilder("marbles", duration=1e6)
    builder.body("ground", {"type": "plane", "normal": [0, 0, 1], "offset": 0}, motion="fixed")
    builder.pair("*", "*", friction=0.3)
    builder.body("marble", {"type": "box", "size": [0.1, 0.1, 0.1]}, position=[0, 0, 0.05],
                 grid={"count": [count, 1, 3], "spacing": [0.2, 0, 0.1001]})
    return builder.build()


def test_other_threads_run_while_time_moves_on():
    """While one call computes, for it does not end by itself, this thread looks, is refused, and stops it."""
    simulation = carom.Simulation(marbles(3))
    raised = []

    def compute():
        try:
            simulation.advance_to(1e6)
        except carom.CannotGoOn as error:
            raised.append(str(error))

    thread = threading.Thread(target=compute)
    thread.start()
    seen = set()
    while len(seen) < 3:
        seen.add(simulation.time)
        time.sleep(1e-3)
    with pytest.raises(RuntimeError, match="another thread"):
        simulation.step()
    simulation.stop()
    thread.join()
    assert raised == ["on request"]


def test_an_interrupt_is_heard_while_time_moves_on():
    simulation = carom.Simulation(marbles(3))
    previous = signal.signal(signal.SIGALRM, lambda *_: _thread.interrupt_main())
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            simulation.advance_to(1e6)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert 0 < simulation.time < 1e6
