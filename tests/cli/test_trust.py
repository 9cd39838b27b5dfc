"""carom trust: differences grow as closed forms say they do. CAROM_BIN names the program."""

import json
import math
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import runs

R, L = 1.0, 4.0  # m; the radii of both balls together, and the way between two collisions


def between_two_balls(**more):
    """A ball that flies to and fro between two fixed ones, on the line through their centres."""
    side = L / 2 + R
    bodies = [{"name": name, "motion": "fixed", "shape": {"type": "sphere", "radius": 0.9}, "position": [x, 0, 0]}
              for name, x in (("left", -side), ("right", side))]
    bodies.append({"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 0],
                   "velocity": [1, 0, 0]})
    return {"carom": 1, "name": "Dispersing", "gravity": [0, 0, 0],
            "pairs": [{"materials": ["*", "*"], "restitution": 1, "friction": 0}],
            "bodies": bodies, "duration": 80, "output": {"every": L}, "method": {"name": "zeno-free", "step": 0.5}, **more}


def thrown(**more):
    return {"carom": 1, "name": "Thrown", "bodies": [
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 0], "velocity": [1, 0, 2]}],
        "duration": 2, "output": {"every": 0.1}, **more}


class TrustCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def trust(self, scene, *arguments, status=0):
        path = self.folder / "scene.json"
        if isinstance(scene, dict):
            path.write_text(json.dumps(scene))
            scene = path
        result = subprocess.run([runs.CAROM, "trust", str(scene), "--json", str(self.folder / "t.json"),
                                 *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        self.said, self.complaint = result.stdout, result.stderr
        if status != 0:
            return None
        trust = json.loads((self.folder / "t.json").read_text())
        trust["by_kind"] = {each["kind"]: each for each in trust["kinds"]}
        return trust


class Growth(TrustCase):
    # Off the line by y, at the angle a to it, the ball is at the next collision off by y + L a, where its direction
    # turns by twice the angle y / R of the normal. The map (y, a) -> (y + L a, a + 2 (y + L a) / R) has the
    # eigenvalue 1 + L/R + sqrt((L/R)^2 + 2 L/R), by which the difference grows from collision to collision.
    def test_between_dispersing_balls_each_collision_multiplies(self):
        trust = self.trust(between_two_balls(), "--size", 1e-3)
        expected = 1 + L / R + math.sqrt((L / R) ** 2 + 2 * L / R)
        grown = trust["by_kind"]["round-off"]["difference"]
        factors = [b / a for a, b in zip(grown, grown[1:]) if 1e-13 < a and b < 1e-4]
        self.assertGreater(len(factors), 5)
        for factor in factors:
            self.assertAlmostEqual(factor / expected, 1, delta=0.01)
        # From a last place, 2^-53 m or so, to a millimetre takes log(1e-3 / 1e-16) / log(9.9) = 13 collisions.
        self.assertEqual(trust["limited_by"], "round-off")
        self.assertAlmostEqual(trust["collisions"], math.log(1e-3 / 1e-16) / math.log(expected), delta=2)
        self.assertIn("it is chance", trust["sentence"])
        self.assertIn(trust["sentence"], self.said)
        self.assertEqual([body["body"] for body in trust["bodies"]], ["ball"])

    # x(t) is off by t dv for a ball that nothing hits.
    def test_an_uncertain_velocity_moves_a_thrown_ball_in_proportion_to_time(self):
        sigma = 1e-3
        trust = self.trust(thrown(uncertain={"/bodies/0/velocity/0": sigma}), "--twins", 20)
        inputs = trust["by_kind"]["inputs"]
        drawn = inputs["difference"][-1] / inputs["t"][-1]  # the greatest of 20 normal numbers: 1.87 sigma in the mean
        self.assertGreater(drawn, sigma)
        self.assertLess(drawn, 4 * sigma)
        for t, difference in zip(inputs["t"], inputs["difference"]):
            self.assertAlmostEqual(difference, drawn * t, delta=1e-13)
        self.assertLess(trust["by_kind"]["round-off"]["difference"][-1], 1e-14)

    def test_sizes_are_passed_where_the_difference_says(self):
        trust = self.trust(thrown(uncertain={"/bodies/0/velocity/2": 1e-2}), "--size", 1e-3, "--size", 1e-2)
        self.assertEqual(trust["size"], 1e-3)
        inputs = trust["by_kind"]["inputs"]
        for passing in inputs["passes"]:
            first = next((t for t, d in zip(inputs["t"], inputs["difference"]) if d > passing["size"]), None)
            self.assertEqual(passing["t"], first)
        self.assertEqual(trust["limited_by"], "inputs")
        self.assertIn("uncertain inputs decide", trust["sentence"])

    # Exact bounces: what a rounding error moves stays of the order of rounding errors.
    def test_a_bouncing_ball_can_be_trusted_throughout(self):
        trust = self.trust(runs.ROOT / "scenes" / "bouncing-ball.json")
        self.assertIsNone(trust["until"])
        self.assertLess(max(trust["by_kind"]["round-off"]["difference"]), 1e-12)
        self.assertIn("for all of 6 s", trust["sentence"])

    # The error of explicit Euler's free fall is g h t / 2: with half the step, off by g h t / 4.
    def test_the_step_is_judged_by_a_run_with_half_of_it(self):
        step = 0.01
        trust = self.trust(thrown(method={"name": "zeno-free", "integrator": "euler", "step": step}))
        grown = trust["by_kind"]["step"]
        self.assertAlmostEqual(grown["difference"][-1], 9.81 * step * grown["t"][-1] / 4, delta=1e-3 * grown["difference"][-1])
        self.assertEqual(trust["limited_by"], "step")


class Whole(TrustCase):
    def test_the_answer_does_not_depend_on_the_number_of_threads(self):
        answers = []
        for threads in (1, 3):
            self.trust(between_two_balls(duration=20), "--threads", threads)
            answers.append((self.folder / "t.json").read_bytes())
        self.assertEqual(*answers)

    def test_a_run_does_not_change_with_what_is_uncertain(self):
        states = []
        for uncertain in ({}, {"/bodies/0/velocity/0": 1}):
            path = self.folder / "scene.json"
            path.write_text(json.dumps(thrown(uncertain=uncertain)))
            self.assertEqual(runs.run(path, "--out", self.folder / "s.csv").returncode, 0)
            states.append((self.folder / "s.csv").read_bytes())
        self.assertEqual(*states)

    def test_twins_that_are_no_scene_are_counted_and_told(self):
        trust = self.trust(thrown(bodies=[{"name": "ball", "mass": 1e-3, "shape": {"type": "sphere", "radius": 0.1}}],
                                  uncertain={"/bodies/0/mass": 10}), "--twins", 10)
        inputs = trust["by_kind"]["inputs"]
        self.assertLess(inputs["finished"], 10)
        self.assertIn("mass", inputs["problem"])

    def test_control_c_before_any_twin_says_that_nothing_is_known(self):
        bouncing = thrown(duration=1e6, output={"every": 1e6}, method={"name": "zeno-free", "step": 1e6, "max_impacts_per_step": 1e9},
                          pairs=[{"materials": ["*", "*"], "restitution": 1}])
        bouncing["bodies"].append({"name": "ground", "motion": "fixed",
                                   "shape": {"type": "plane", "normal": [0, 0, 1], "offset": -0.3}})
        path = self.folder / "scene.json"
        path.write_text(json.dumps(bouncing))
        process = subprocess.Popen([runs.CAROM, "trust", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        self.assertIn("nothing is known", said)
        self.assertEqual(process.returncode, 1)

    def test_bad_input_is_refused(self):
        for uncertain, says in (({"/bodies/0/velocty/0": 1}, "velocty"), ({"/bodies/0/name": 1}, "number"),
                                ({"/bodies/0/velocity/0": -1}, "at least 0"), ({"/bodies/0/velocity/0": "x"}, "number"),
                                ([1], "object")):
            self.trust(thrown(uncertain=uncertain), status=2)
            self.assertIn("/uncertain", self.complaint)
            self.assertIn(says, self.complaint)
        self.trust(thrown(), "--size", "-1", status=2)
        self.trust(thrown(), "--twin", "1x", status=2)


if __name__ == "__main__":
    unittest.main()
