import numpy as np

from .base import ContactEnv, space

LONGEST = 1.5  # m; from the middle of the rail to a buffer


class CartPole(ContactEnv):
    """Balance a pole on a cart between two walls that it may touch.

    The cart (1 kg) runs on a rail of 3 m and bounces off buffers at its ends with e = 0.3; the pole (0.1 kg, 1 m) bounces
    off walls whose faces are 1.2 m from the middle with e = 0.5, which can save it.

    Action: [force on the cart / 10 N]. Observation: way of the cart (m), lean (rad), their rates. Reward: cos(lean) a step
    less 0.01 of the squared action. It ends where the pole leans by more than 1.2 rad. info["knocks"]: the pole's impacts in the
    step, at their true times (s).
    """

    def __init__(self, **options):
        super().__init__(**options)
        self.action_space = space([1])
        self.observation_space = space([LONGEST + 0.1, np.pi, np.inf, np.inf])

    def make_scene(self):
        way, lean, speed, turn = self.np_random.uniform(-0.05, 0.05, 4)
        up = np.array([np.sin(lean), 0, np.cos(lean)])
        builder = self.builder("cart and pole").pair("*", "*", restitution=0.5, friction=0.2)
        builder.body("world", motion="fixed")
        for side in (-1, 1):
            builder.body(f"wall {side:+d}", {"type": "box", "size": [0.1, 1, 0.6]}, motion="fixed",
                         position=[side * 1.25, 0, 1])
        builder.body("cart", {"type": "box", "size": [0.3, 0.2, 0.1]}, mass=1, position=[way, 0, 0],
                     velocity=[speed, 0, 0])
        builder.body("pole", {"type": "capsule", "radius": 0.01, "length": 0.98}, mass=0.1,
                     position=[way, 0, 0] + 0.5 * up, orientation={"axis": [0, 1, 0], "angle": lean},
                     velocity=[speed, 0, 0] + 0.5 * turn * np.array([up[2], 0, -up[0]]), angular_velocity=[0, turn, 0])
        builder.joint("rail", "slider", "cart", "world", axis=[1, 0, 0], limits=[-LONGEST - way, LONGEST - way],
                      restitution=0.3)
        builder.joint("pivot", "hinge", "pole", "cart", anchor=[way, 0, 0], axis=[0, 1, 0])
        self._at_start = np.array([way, lean])
        return builder.build()

    def push(self, action):
        self.simulation.apply_joint_force("rail", 10 * action[0])

    def observe(self):
        return np.concatenate([self.simulation.joint_position + self._at_start, self.simulation.joint_velocity])

    def judge(self, action):
        lean = self.observe()[1]
        return (np.cos(lean) - 0.01 * action[0] ** 2, abs(lean) > 1.2,
                {"knocks": self.touches("pole")["time"].tolist()})
