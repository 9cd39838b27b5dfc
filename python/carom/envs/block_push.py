import numpy as np

from .base import ContactEnv, carry, space

FORCE = 8    # N
NEAR = 0.02  # m


class BlockPush(ContactEnv):
    """Push a block on a table to a place, with a round finger that moves in the plane.

    The block (0.2 m square, 0.5 kg) slides with friction 0.4 on the table, the finger (0.3 kg) touches it with friction 0.2
    and hangs on rails that brake it.

    Action: [force in x, in y on the finger / 8 N]. Observation: finger (m), block (m), cosine and sine of the block's
    heading, its goal (m), and the rates of finger (m/s) and block (m/s, rad/s). Reward: how much nearer to the goal the
    block came in the step (m), and 1 where it arrives. It ends where the block lies within 2 cm of the goal.
    """

    usual = {"name": "analytic"}  # of all methods the fastest for a finger that slides along a block

    def __init__(self, **options):
        super().__init__(**options)
        self.action_space = space([1, 1])
        self.observation_space = space([np.inf] * 13)

    def make_scene(self):
        heading = self.np_random.uniform(-np.pi, np.pi)
        way = self.np_random.uniform(-np.pi, np.pi)
        self.goal = self.np_random.uniform(0.25, 0.5) * np.array([np.cos(way), np.sin(way)])
        self._far = np.linalg.norm(self.goal)
        finger = [*(-0.35 * self.goal / self._far), 0.05]
        builder = self.builder("pushed block").pair("*", "*", friction=0.4).pair("finger", "*", friction=0.2)
        builder.material("finger")
        builder.body("table", {"type": "plane", "normal": [0, 0, 1], "offset": 0}, motion="fixed")
        builder.body("block", {"type": "box", "size": [0.2, 0.2, 0.1]}, mass=0.5, position=[0, 0, 0.05],
                     orientation={"axis": [0, 0, 1], "angle": heading})
        builder.body("finger", {"type": "sphere", "radius": 0.03}, mass=0.3, material="finger", position=finger)
        carry(builder, "finger", finger, ("east", "slider", [1, 0, 0]), ("north", "slider", [0, 1, 0]))
        builder.force("drag", linear=4, bodies=["finger"])
        return builder.build()

    def push(self, action):
        self.simulation.apply_wrench("finger", [*(FORCE * action), 0])

    def observe(self):
        index = self.simulation.scene.index
        finger, block = index("finger"), index("block")
        position, velocity = self.simulation.position, self.simulation.velocity
        w, _, _, z = self.simulation.orientation[block]
        return np.concatenate([position[finger, :2], position[block, :2], [w * w - z * z, 2 * w * z], self.goal,
                               velocity[finger, :2], velocity[block, :2],
                               self.simulation.angular_velocity[block, 2:]])

    def judge(self, action):
        far = np.linalg.norm(self.observe()[2:4] - self.goal)
        nearer, self._far = self._far - far, far
        return nearer + (far < NEAR), far < NEAR, {"distance": float(far)}
