"""Environments for reinforcement learning, with the API of Gymnasium; `pip install carom[envs]`.

    import gymnasium
    import carom.envs

    env = gymnasium.make("carom/Hopper-v0")

What touches is rigid here: impacts, sticking and sliding have no softness to tune, and the times at which they happen
are those of the method, not multiples of a step. docs/python.md lists what each environment wants.
"""

import gymnasium

from .base import ContactEnv
from .billiards import Billiards
from .block_push import BlockPush
from .cart_pole import CartPole
from .hopper import Hopper
from .peg_in_hole import PegInHole

__all__ = ["Billiards", "BlockPush", "CartPole", "ContactEnv", "Hopper", "PegInHole"]

for _made, _steps in ((CartPole, 500), (Hopper, 500), (BlockPush, 200), (PegInHole, 300), (Billiards, 1)):
    gymnasium.register(f"carom/{_made.__name__}-v0", entry_point=_made, max_episode_steps=_steps)
