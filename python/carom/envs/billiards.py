import numpy as np

from .base import ContactEnv, space

RADIUS, LONG, WIDE = 0.03075, 1.42, 0.71  # m; of a ball and half the table of carom billiards
FASTEST, SPIN = 6, 100  # m/s, rad/s
APART = 4 * RADIUS


class Billiards(ContactEnv):
    """Carom billiards: one stroke, after which the cue ball is to have hit both other balls.

    Action: [direction / π, speed, side spin / 100 rad/s, each from -1 to 1; speed from 0.5 to 6 m/s]. Observation: the
    places of the cue ball and of the two others (m). Reward: 1 where both were hit within five seconds, and 1 more where three
    cushions or more were struck before the second: the order in which things happen is that of their true times. A
    stroke is an episode. info: "struck", what the cue ball met, in order, and "times" (s).
    """

    period = 5.0

    def __init__(self, **options):
        super().__init__(**options)
        self.action_space = space([1, 1, 1])
        self.observation_space = space([LONG, WIDE] * 3)

    def make_scene(self):
        places = []
        while len(places) < 3:  # ends: three balls need little of the table
            place = self.np_random.uniform([-0.9 * LONG, -0.9 * WIDE], [0.9 * LONG, 0.9 * WIDE])
            if all(np.linalg.norm(place - other) > APART for other in places):
                places.append(place)
        builder = self.builder("carom billiards").pair("*", "*", restitution=0.95, friction=0.05)
        builder.pair("*", "cloth", restitution=0.5, friction=0.2).pair("*", "cushion", restitution=0.85, friction=0.15)
        builder.material("cloth", color="#1e6b4a").material("cushion", color="#174f38")
        builder.body("table", {"type": "plane", "normal": [0, 0, 1], "offset": 0}, motion="fixed", material="cloth")
        for normal, offset in (([1, 0, 0], -LONG), ([-1, 0, 0], -LONG), ([0, 1, 0], -WIDE), ([0, -1, 0], -WIDE)):
            builder.body(f"cushion {normal[0]:+d}{normal[1]:+d}", {"type": "plane", "normal": normal, "offset": offset},
                         motion="fixed", material="cushion")
        for name, place in zip(("cue ball", "yellow", "red"), places):
            builder.body(name, {"type": "sphere", "radius": RADIUS}, mass=0.21, position=[*place, RADIUS])
        return builder.build()

    def push(self, action):
        """A stroke is so short that it sets the velocity."""
        state = self.simulation.state()
        speed = 0.5 + 0.5 * (action[1] + 1) * (FASTEST - 0.5)
        cue = self.simulation.scene.index("cue ball")
        state.velocity[cue] = [speed * np.cos(np.pi * action[0]), speed * np.sin(np.pi * action[0]), 0]
        state.angular_velocity[cue] = [0, 0, SPIN * action[2]]
        self.simulation.set_state(state)

    def observe(self):
        return self.simulation.position[-3:, :2].ravel().clip(self.observation_space.low, self.observation_space.high)

    def judge(self, action):
        hits, (cue, table) = self.touches("cue ball"), map(self.simulation.scene.index, ("cue ball", "table"))
        others = np.where(hits["body_a"] == cue, hits["body_b"], hits["body_a"])
        struck = [self.simulation.scene.bodies[other] for other in others if other != table]
        firsts = sorted(struck.index(ball) for ball in ("yellow", "red") if ball in struck)
        cushions = sum(name.startswith("cushion") for name in struck[:firsts[-1]]) if len(firsts) == 2 else 0
        info = {"struck": struck, "times": hits["time"][others != table].tolist()}
        return (len(firsts) == 2) + (cushions >= 3), True, info
