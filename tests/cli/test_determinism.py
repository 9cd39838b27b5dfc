"""The same scene gives the same bytes on every run, for any number of threads, in one go or resumed; a run
that is interrupted leaves everything readable. CAROM_BIN names the program."""

import csv
import json
import math
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import runs

CAROM = os.environ.get("CAROM_BIN", "carom")
ROOT = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2]))
SCENES = ROOT / "scenes"


def make_towers(method):
    """Two towers of three boxes, on one of which a fourth lands: solvers that begin where they were before."""
    ground = {"name": "ground", "motion": "fixed", "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}}
    boxes = [
        {
            "name": f"box{tower}{level}",
            "mass": 1,
            "shape": {"type": "box", "size": [1, 1, 1]},
            "position": [3 * tower + 0.03 * (level % 2), 0, 0.5 + level + (0.001 if level == 3 else 0)],
        }
        for tower, height in ((0, 3), (1, 4))
        for level in range(height)
    ]
    return {
        "carom": 1,
        "name": "Two towers",
        "pairs": [{"materials": ["*", "*"], "friction": 0.5}],
        "bodies": [ground, *boxes],
        "method": method,
        "duration": 1,
        "output": {"every": 0.01},
    }


class Determinism(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def outputs(self, name):
        return [self.folder / f"{name}{ending}" for ending in (".h5", ".csv", "-events.csv", "-forces.csv", "-contacts.csv")]

    def arguments(self, name, *more):
        recording, states, events, forces, contacts = self.outputs(name)
        outputs = ["--out", recording, "--out", states, "--events", events, "--forces", forces, "--contacts", contacts]
        return [CAROM, "run", "--quiet", *outputs, *more]

    def run_carom(self, name, *more, status=0):
        result = subprocess.run(self.arguments(name, *more), capture_output=True, timeout=120, check=False)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return result

    def assert_same(self, one, other):
        for a, b in zip(self.outputs(one), self.outputs(other)):
            self.assertGreater(a.stat().st_size, 0)
            self.assertTrue(a.read_bytes() == b.read_bytes(), f"{a.name} and {b.name} differ")

    def test_the_same_run_gives_the_same_bytes_for_any_number_of_threads(self):
        for scene in ("break.json", "bouncing-ball.json"):
            self.run_carom("first", SCENES / scene, "--duration", "1")
            self.run_carom("again", SCENES / scene, "--duration", "1")
            self.run_carom("threads", SCENES / scene, "--duration", "1", "--threads", "2")
            self.assert_same("first", "again")
            self.assert_same("first", "threads")

    def test_a_longer_run_goes_on_from_a_shorter_one(self):
        for scene in ("break.json", "bouncing-ball.json", "resting-box.json"):
            with self.subTest(scene):
                self.run_carom("whole", SCENES / scene, "--duration", "1")
                self.run_carom("half", SCENES / scene, "--duration", "0.5")
                self.run_carom("resumed", "--resume", self.outputs("half")[0], "--duration", "1")
                self.assert_same("whole", "resumed")

    def test_towers_are_the_same_for_any_number_of_threads_and_when_resumed(self):
        for method in ({"name": "time-stepping"}, {"name": "zeno-free", "sleeping": False},
                       {"name": "microcollision", "step": 0.02}):
            with self.subTest(method["name"]):
                scene = self.folder / "towers.json"
                scene.write_text(json.dumps(make_towers(method)))
                self.run_carom("whole", scene, "--duration", "0.2")
                self.run_carom("threads", scene, "--duration", "0.2", "--threads", "2")
                self.run_carom("half", scene, "--duration", "0.1")
                self.run_carom("resumed", "--resume", self.outputs("half")[0], "--duration", "0.2")
                self.assert_same("whole", "threads")
                self.assert_same("whole", "resumed")

    def test_every_method_gives_the_same_bytes_again_on_threads_and_when_resumed(self):
        for method in runs.METHODS:
            with self.subTest(method):
                scene = runs.write_scene(self.folder, method)
                self.run_carom("whole", scene)
                self.run_carom("again", scene)
                self.run_carom("threads", scene, "--threads", "2")
                self.assert_same("whole", "again")
                self.assert_same("whole", "threads")
                self.run_carom("finished", "--resume", self.outputs("whole")[0])  # nothing left to do
                self.assert_same("whole", "finished")
                if method == "analytic":  # its last step ends where the run does
                    continue
                self.run_carom("half", scene, "--duration", "0.1")
                self.run_carom("resumed", "--resume", self.outputs("half")[0], "--duration", "0.2")
                self.assert_same("whole", "resumed")

    def test_a_scene_of_the_librarys_materials_goes_on_from_its_recording(self):
        scene = self.folder / "library.json"
        scene.write_text(json.dumps({
            "carom": 1,
            "bodies": [
                {"name": "plate", "motion": "fixed", "material": "glass",
                 "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}},
                {"name": "ball", "material": "steel", "shape": {"type": "sphere", "radius": 0.01},
                 "position": [0, 0, 0.2], "velocity": [0.3, 0, 0]},
            ],
        }))
        self.run_carom("whole", scene, "--duration", "1")
        self.run_carom("half", scene, "--duration", "0.5")
        self.run_carom("resumed", "--resume", self.outputs("half")[0], "--duration", "1")
        self.assert_same("whole", "resumed")

    def interrupt(self, name, how, *run):
        """Starts a run that would take minutes, and sends the signal when it has written something. Returns how that
        ended, and a duration for runs that are to go further."""
        process = subprocess.Popen(self.arguments(name, *run, "--duration", "4000"), stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        states = self.outputs(name)[1]
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if states.exists() and states.stat().st_size > 20_000:
                break
            time.sleep(0.005)
        process.send_signal(how)
        status, message = process.wait(timeout=60), process.stderr.read().decode()
        reached = float(states.read_text().splitlines()[-2].split(",")[0])  # the last line may be torn
        return status, message, ("--duration", str(math.ceil(reached) + 1))

    def test_control_c_ends_the_run_with_status_1_and_everything_readable(self):
        status, message, longer = self.interrupt("stopped", signal.SIGINT, SCENES / "break.json")
        self.assertEqual(status, 1, message)
        self.assertIn("stopped", message)
        for path in self.outputs("stopped")[1:]:
            with path.open() as file:
                rows = list(csv.reader(file))
            self.assertGreater(len(rows), 1)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.run_carom("whole", SCENES / "break.json", *longer)
        self.run_carom("resumed", "--resume", self.outputs("stopped")[0], *longer)
        self.assert_same("whole", "resumed")

    def test_a_killed_run_can_be_resumed(self):
        status, _, longer = self.interrupt("killed", signal.SIGKILL, SCENES / "break.json")
        self.assertEqual(status, -signal.SIGKILL)
        self.run_carom("whole", SCENES / "break.json", *longer)
        self.run_carom("resumed", "--resume", self.outputs("killed")[0], *longer)
        self.assert_same("whole", "resumed")

    def test_adaptive_steps_go_on_as_they_were_after_an_interruption(self):
        bricks = ROOT / "papers" / "baraff" / "over-balanced-bricks.json"
        for formula in ("runge-kutta", "adams-moulton"):
            with self.subTest(formula):
                run = (bricks, "--set", f"/method/formula={formula}")
                status, message, longer = self.interrupt(formula, signal.SIGINT, *run)
                self.assertEqual(status, 1, message)
                self.run_carom("whole", *run, *longer)
                self.run_carom("resumed", "--resume", self.outputs(formula)[0], *longer)
                self.assert_same("whole", "resumed")

    def test_the_summary_tells_the_same_story_apart_from_the_wall_clock(self):
        stories = []
        for name in ("first", "again"):
            path = self.folder / f"{name}.json"
            self.run_carom(name, SCENES / "bouncing-ball.json", "--duration", "1", "--summary", path)
            story = json.loads(path.read_text())
            del story["wall_seconds"]
            stories.append(story)
        self.assertEqual(*stories)
        self.assertTrue(stories[0]["finished"])


if __name__ == "__main__":
    unittest.main()
