import numpy as np

from .base import ContactEnv, carry, space

CLEARANCE = 0.0005   # m; on either side
WIDTH, LENGTH, DEPTH = 0.02, 0.1, 0.06  # m; of the peg, and of the hole
FORCE, TORQUE = 20, 0.5  # N, N m


class PegInHole(ContactEnv):
    """Put a peg into a hole that is 1 mm wider, in the vertical plane of x and z.

    The peg (20 mm wide, 0.1 m long, 0.2 kg) moves and turns in the plane; friction with the hole's walls is 0.3, so that it can jam
    there. Rigid contacts: it is in the hole, or it is not.

    Action: [force in x, in z / 20 N, torque / 0.5 N m]; its weight is carried. Observation: where the tip is against the mouth of
    the hole (m), tilt (rad) and their rates. Reward: how much deeper the tip came (m), and 1 where it strikes the bottom, which ends
    the episode: info["inserted"] is that impact's true time (s). It ends as well where the tip is more than 0.2 m away.
    """

    period = 0.01

    def __init__(self, **options):
        super().__init__(**options)
        self.action_space = space([1, 1, 1])
        self.observation_space = space([np.inf] * 6)

    def make_scene(self):
        aside, tilt = self.np_random.uniform([-0.01, -0.1], [0.01, 0.1])
        middle = np.array([aside, 0, 0.02 + 0.5 * LENGTH])
        builder = self.builder("peg in hole").pair("*", "*", friction=0.3)
        block = 0.1
        for side in (-1, 1):
            builder.body(f"wall {side:+d}", {"type": "box", "size": [block, 0.1, DEPTH]}, motion="fixed",
                         position=[side * (0.5 * (WIDTH + block) + CLEARANCE), 0, -0.5 * DEPTH])
        builder.body("bottom", {"type": "box", "size": [0.1, 0.1, 0.02]}, motion="fixed",
                     position=[0, 0, -DEPTH - 0.01])
        builder.body("peg", {"type": "box", "size": [WIDTH, 0.02, LENGTH]}, mass=0.2, position=middle,
                     orientation={"axis": [0, 1, 0], "angle": tilt})
        carry(builder, "peg", middle, ("across", "slider", [1, 0, 0]), ("down", "slider", [0, 0, 1]),
              ("tilt", "hinge", [0, 1, 0]), mass=0.02)
        builder.force("drag", linear=2, angular=0.002, bodies=["peg"])
        self._start = np.array([*middle[[0, 2]], tilt])
        scene = builder.build()
        self._weight = 9.81 * (scene.mass[scene.index("peg")] + scene.mass[scene.index("down link")])
        self._deep = 0.0
        return scene

    def push(self, action):
        self.simulation.apply_wrench("peg", [FORCE * action[0], 0, FORCE * action[1] + self._weight],
                                     [0, TORQUE * action[2], 0])

    def observe(self):
        place = self.simulation.joint_position + self._start
        tip = place[:2] - 0.5 * LENGTH * np.array([np.sin(place[2]), np.cos(place[2])])
        return np.concatenate([tip, place[2:], self.simulation.joint_velocity])

    def judge(self, action):
        tip = self.observe()[:2]
        deep = max(0.0, -tip[1]) if abs(tip[0]) < WIDTH else 0.0
        deeper, self._deep = deep - self._deep, deep
        at = self.touches("bottom")["time"]
        info = {"inserted": float(at[0])} if at.size else {}
        return deeper + bool(at.size), at.size > 0 or np.linalg.norm(tip) > 0.2, info
