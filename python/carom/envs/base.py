"""What the environments share: an episode is a simulation of its own, and a step of it is one call that moves time on."""

import gymnasium
import numpy as np

from .. import _core
from ..builder import SceneBuilder
from ..simulation import Simulation


class ContactEnv(gymnasium.Env):
    """make_scene(), push() and judge() make one; see CartPole.

    method: a method's name with its own settings, {"name": "analytic"}, instead of the environment's.
    keep: whether an episode can be seen afterwards, env.unwrapped.recording().

    Where time cannot go on an episode is truncated, and info["stopped"] says why. Actions beyond their bounds are cut.
    """

    metadata = {"render_modes": []}
    period = 0.02  # s; of a step
    usual = {"name": "zeno-free", "step": 0.002}  # the method

    def __init__(self, method=None, keep=False, render_mode=None):
        self.render_mode = render_mode
        self._method = method or self.usual
        self._keep = keep
        self.simulation = None

    def make_scene(self):
        """The Scene of an episode, drawn with self.np_random."""
        raise NotImplementedError

    def push(self, action):
        """Lays the action's forces on bodies and joints, for one step."""
        raise NotImplementedError

    def observe(self):
        raise NotImplementedError

    def judge(self, action):
        """Reward, whether the episode has ended, and the info of a step."""
        raise NotImplementedError

    def builder(self, name, **top):
        made = SceneBuilder(name, duration=1e6, output={"every": self.period}, **top)
        return made.method(**self._method)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.simulation = Simulation(self.make_scene(), audit="full" if self._keep else "off", step_error=False,
                                     keep=self._keep)
        self._steps = 0
        return self.observe(), {}

    def step(self, action):
        action = np.clip(np.asarray(action, float), self.action_space.low, self.action_space.high)
        self.push(action)
        self._steps += 1
        stopped = None
        try:
            self.simulation.advance_to(self._steps * self.period)
        except _core.CannotGoOn as why:
            stopped = str(why)
        reward, ended, info = self.judge(action)
        if stopped is not None:
            info["stopped"] = stopped
        return self.observe(), float(reward), bool(ended), stopped is not None, info

    def recording(self):
        """The episode so far, which a notebook shows as a page; needs keep=True."""
        return self.simulation.recording()

    def touches(self, *names):
        """Impacts of the last step between these bodies and any other, as rows of Simulation.events()."""
        events = self.simulation.events()
        bodies = [self.simulation.scene.index(name) for name in names]
        among = np.isin(events["body_a"], bodies) | np.isin(events["body_b"], bodies)
        return events[among & (events["event"] == _core.EVENTS.index("impact"))]


def space(bounds):
    """A box of 64-bit numbers between -bounds and bounds."""
    high = np.array(bounds, float)
    return gymnasium.spaces.Box(-high, high, dtype=np.float64)


def carry(builder, body, at, *axes, mass=0.1):
    """Joins a body to the world so that it moves along and about these axes alone, in the order given, each a name, a
    type of joint and a direction. Between two of them is a link of little mass (kg) that touches nothing."""
    builder.body("world", motion="fixed")
    before = "world"
    for name, type, axis in axes:
        link = body if name == axes[-1][0] else f"{name} link"
        if link != body:
            builder.body(link, mass=mass, inertia=[0.01 * mass] * 3, position=at)
        builder.joint(name, type, link, before, axis=axis, anchor=at)
        before = link
