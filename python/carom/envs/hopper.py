import numpy as np

from .base import ContactEnv, carry, space

HEIGHT = 0.9      # m; of the hip at the start
SPRING = 1500     # N/m
TORQUE, THRUST = 15, 60  # N m, N


class Hopper(ContactEnv):
    """Make a machine with one springy leg hop forwards, in the vertical plane of x and z.

    A trunk (5 kg) turns and moves in the plane; on its hip hangs a leg, in which a foot (0.5 kg) slides against a spring of
    1500 N/m. The ground has friction 0.9 and gives nothing back: what it bounces with is the spring.

    Action: [torque at the hip / 15 N m, thrust of the leg / 60 N]. Observation: height (m), pitch, hip (rad), leg (m), and
    the rates of way, height, pitch, hip and leg. Reward: speed forwards (m/s) + 1, less 0.05 of the squared action. It ends
    where the hip is below 0.45 m, trunk or leg turn by more than 1 rad, or the leg is 0.3 m longer or shorter. info["touchdowns"]: when the foot struck the
    ground, at the true times (s).
    """

    usual = {"name": "analytic"}  # light links, hard blows: fixed steps lose angular momentum here, and fail their audit

    def __init__(self, **options):
        super().__init__(**options)
        self.action_space = space([1, 1])
        self.observation_space = space([np.inf] * 9)

    def make_scene(self):
        speed, pitch_rate = self.np_random.uniform([-0.1, -0.2], [0.1, 0.2])
        hip = np.array([0, 0, HEIGHT])
        builder = self.builder("hopper").pair("*", "*", restitution=0, friction=0.9)
        builder.body("ground", {"type": "plane", "normal": [0, 0, 1], "offset": 0}, motion="fixed")
        builder.body("trunk", {"type": "box", "size": [0.4, 0.2, 0.15]}, mass=5, position=hip,
                     velocity=[speed, 0, 0], angular_velocity=[0, pitch_rate, 0])
        carry(builder, "trunk", hip, ("way", "slider", [1, 0, 0]), ("height", "slider", [0, 0, 1]),
              ("pitch", "hinge", [0, 1, 0]))
        builder.body("leg", {"type": "capsule", "radius": 0.03, "length": 0.4, "collide": False}, mass=0.5,
                     position=hip - [0, 0, 0.25], velocity=[speed, 0, 0])
        builder.body("foot", {"type": "sphere", "radius": 0.05}, mass=0.5, position=hip - [0, 0, 0.7],
                     velocity=[speed, 0, 0])
        builder.joint("hip", "hinge", "leg", "trunk", axis=[0, 1, 0], anchor=hip)
        builder.joint("shin", "slider", "foot", "leg", axis=[0, 0, 1])
        builder.force("spring", between=["trunk", "foot"], stiffness=SPRING, damping=5, rest=0.7)
        return builder.build()

    def push(self, action):
        self.simulation.apply_joint_force("hip", TORQUE * action[0])
        self.simulation.apply_joint_force("shin", -THRUST * action[1])

    def observe(self):
        place, rate = self.simulation.joint_position, self.simulation.joint_velocity
        return np.concatenate([[HEIGHT + place[1]], place[2:], rate])

    def judge(self, action):
        height, pitch, hip, leg = self.observe()[:4]
        reward = self.simulation.joint_velocity[0] + 1 - 0.05 * np.sum(np.square(action))
        return reward, height < 0.45 or max(abs(pitch), abs(hip)) > 1 or abs(leg) > 0.3, {"touchdowns": self.touches("foot")["time"].tolist()}
