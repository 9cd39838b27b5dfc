import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import carom.envs

NAMES = sorted(f"carom/{name}-v0" for name in ("BlockPush", "Billiards", "CartPole", "Hopper", "PegInHole"))


def roll(env, policy, seed=0):
    """Observations, rewards and infos of an episode."""
    seen, _ = env.reset(seed=seed)
    told = [[seen], [], []]
    while True:
        seen, reward, ended, cut, info = env.step(policy(seen))
        for where, what in zip(told, (seen, reward, info)):
            where.append(what)
        if ended or cut:
            return told


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_finds_nothing(name, recwarn):
    check_env(gymnasium.make(name).unwrapped, skip_render_check=True)
    assert [str(warning.message) for warning in recwarn if "infinity" not in str(warning.message)] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_decides_everything(name):
    def play(seed):
        env = gymnasium.make(name)
        env.action_space.seed(1)
        env.reset(seed=seed)
        told = []
        for _ in range(20):
            seen, reward, ended, cut, _ = env.step(env.action_space.sample())
            told.append([*seen, reward])
            if ended or cut:
                break
        return np.array(told)

    assert np.array_equal(play(3), play(3))
    assert not np.array_equal(play(3), play(4))


@pytest.mark.parametrize("name", NAMES)
def test_episodes_pass_their_audit(name):
    for seed in range(2):
        env = gymnasium.make(name, keep=True)
        env.action_space.seed(seed)
        env.reset(seed=seed)
        ended = cut = False
        while not (ended or cut):
            *_, ended, cut, info = env.step(env.action_space.sample())
        assert "stopped" not in info
        assert env.unwrapped.simulation.summary()["audit"]["failures"] == []


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_many_at_once_are_as_each_alone(mode):
    many = gymnasium.make_vec("carom/CartPole-v0", num_envs=3, vectorization_mode=mode)
    seen, _ = many.reset(seed=5)
    actions = np.array([[0.5], [-0.5], [1.0]])
    seen, reward, *_ = many.step(actions)
    for i in range(3):
        alone = gymnasium.make("carom/CartPole-v0")
        alone.reset(seed=5 + i)
        told = alone.step(actions[i])
        assert np.array_equal(told[0], seen[i]) and told[1] == reward[i]
    many.close()


def test_the_regulator_balances_the_pole():
    """Gains of the linear-quadratic regulator of the upright pole, as in examples/cart_pole.cpp."""
    gains = np.array([3.16, 40.1, 4.46, 10.3]) / 10
    seen, rewards, _ = roll(gymnasium.make("carom/CartPole-v0"), lambda seen: [gains @ seen])
    assert len(rewards) == 500 and np.abs(seen[-1]).max() < 0.01


def test_a_pole_that_is_left_alone_falls():
    """At the hinge of a free cart: the lean grows as cosh(r t), r² = (M + m) g / (l ((M + m) 4 / 3 - m)), 2 l its length."""
    env = gymnasium.make("carom/CartPole-v0")
    seen, rewards, _ = roll(env, lambda seen: [0])
    rate = (1.1 * 9.81 / (0.5 * (1.1 * 4 / 3 - 0.1))) ** 0.5
    first, turn = seen[0][1], seen[0][3]
    k = 10
    expected = first * np.cosh(rate * k * 0.02) + turn / rate * np.sinh(rate * k * 0.02)
    assert seen[k][1] == pytest.approx(expected, rel=0.02)  # of small angles; a capsule is no thin rod
    assert len(rewards) < 100


def test_a_hopper_strikes_the_ground_at_the_time_of_its_fall():
    """It falls freely from rest: the spring and the ground do nothing until the foot has gone 0.15 m."""
    env = gymnasium.make("carom/Hopper-v0")
    _, _, infos = roll(env, lambda seen: [0, 0])
    times = [t for info in infos for t in info["touchdowns"]]
    assert times[0] == pytest.approx((2 * 0.15 / 9.81) ** 0.5, abs=1e-4)


def test_a_block_is_pushed_towards_the_goal():
    def behind(seen):  # keeps the finger where its push goes through the block to the goal
        way = (seen[6:8] - seen[2:4]) / np.linalg.norm(seen[6:8] - seen[2:4])
        lever = seen[:2] - seen[2:4]
        return 0.45 * way - 6 * (lever - way * (lever @ way)) - 0.3 * seen[8:10]

    env = gymnasium.make("carom/BlockPush-v0", keep=True)
    seen, rewards, infos = roll(env, behind)
    assert sum(rewards) > 0.1
    assert infos[-1]["distance"] < np.linalg.norm(seen[0][6:8]) - 0.1
    assert env.unwrapped.recording().summary["audit"]["verdict"] == "passed"


def test_a_peg_that_is_straight_goes_in():
    def steer(seen):
        x, z, tilt, vx, _, turn = seen
        above = abs(x) > 2e-4 or abs(tilt) > 2e-3
        return [-4 * x - 0.5 * vx, -0.05 if not above or z < -1e-3 else 0, -0.6 * tilt - 0.03 * turn]

    env = gymnasium.make("carom/PegInHole-v0")
    seen, rewards, infos = roll(env, steer)
    assert "inserted" in infos[-1]
    assert seen[-1][1] == pytest.approx(-0.06, abs=1e-3)


def test_balls_are_struck_in_the_order_of_their_times():
    """Straight at a ball: the first met is that one, after the way between them at most at the speed of the stroke."""
    env = gymnasium.make("carom/Billiards-v0")
    for seed in range(10):
        seen, _ = env.reset(seed=seed)
        way = seen[2:4] - seen[:2]
        _, reward, ended, _, info = env.step([np.arctan2(way[1], way[0]) / np.pi, 1, 0])
        assert ended and info["times"] == sorted(info["times"])
        assert info["struck"][0] in ("yellow", "red")
        if info["struck"][0] == "yellow":
            assert info["times"][0] >= (np.linalg.norm(way) - 2 * 0.03075) / 6 - 1e-12
        assert (reward >= 1) == ({"yellow", "red"} <= set(info["struck"]))
