"""The verdict of the audit: in the table, the summary and the exit status, and on recordings that
were tampered with. CAROM_BIN names the program."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py

CAROM = os.environ.get("CAROM_BIN", "carom")

# A ball that bounces, and far above it two rods on a hinge and a brick that tumble.
SCENE = {
    "carom": 1,
    "name": "bounce and tumble",
    "pairs": [{"materials": ["*", "*"], "restitution": 0.5, "friction": 0.2}],
    "bodies": [
        {"name": "ground", "motion": "fixed",
         "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}},
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 0.5]},
        {"name": "brick", "shape": {"type": "box", "size": [0.2, 0.3, 0.1]},
         "position": [2, 0, 60], "angular_velocity": [5, 0, 1]},
        {"name": "left", "shape": {"type": "box", "size": [1, 0.1, 0.1]},
         "position": [-0.5, 5, 30], "velocity": [0, 1, 0], "angular_velocity": [0, 0, -2]},
        {"name": "right", "shape": {"type": "box", "size": [1, 0.1, 0.1]},
         "position": [0.5, 5, 30], "velocity": [0, 1, 0], "angular_velocity": [0, 0, 2]},
    ],
    "joints": [{"name": "elbow", "type": "hinge", "between": ["left", "right"],
                "anchor": [0, 5, 30], "axis": [0, 0, 1], "collide": False}],
    "duration": 0.3,
    "output": {"every": 0.01},
}
BALL, BRICK, RIGHT = 1, 2, 4


class AuditCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.scene = self.folder / "scene.json"
        self.scene.write_text(json.dumps(SCENE))
        self.recording = self.folder / "run.h5"

    def carom(self, *arguments):
        return subprocess.run([CAROM, "run", *map(str, arguments)], capture_output=True, text=True,
                              timeout=120, check=False)


class Verdict(AuditCase):
    def test_a_run_that_passes(self):
        summary = self.folder / "summary.json"
        done = self.carom(self.scene, "--summary", summary)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\n +audit +passed\n")
        audit = json.loads(summary.read_text())["audit"]
        self.assertEqual(audit["verdict"], "passed")
        self.assertEqual(audit["failures"], [])
        self.assertLess(audit["energy_max_gain"], audit["limits"]["energy_max_gain"])

    def test_a_run_that_fails(self):
        summary = self.folder / "summary.json"
        done = self.carom(self.scene, "--summary", summary, "--tolerate", "max_joint_gap=0")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stdout, r"\n +audit +failed: max_joint_gap .* m, more than 0 m\n")
        self.assertIn("the run finished, but its audit failed: max_joint_gap", done.stderr)
        audit = json.loads(summary.read_text())["audit"]
        self.assertEqual(audit["verdict"], "failed")
        self.assertEqual(len(audit["failures"]), 1)
        self.assertEqual(audit["limits"]["max_joint_gap"], 0)

    def test_a_limit_that_nothing_has(self):
        done = self.carom(self.scene, "--tolerate", "max_penetratoin=1")
        self.assertEqual(done.returncode, 2)
        self.assertIn('did you mean "max_penetration"', done.stderr)
        self.assertEqual(self.carom(self.scene, "--tolerate", "max_penetration=-1").returncode, 2)
        self.assertEqual(self.carom(self.scene, "--tolerate", "max_penetration").returncode, 2)


class Coverage(AuditCase):
    def run_with(self, coverage, *more):
        summary = self.folder / "summary.json"
        done = self.carom(self.scene, "--summary", summary, "--audit", coverage, *more)
        return done, json.loads(summary.read_text())["audit"]

    def test_full_is_what_nobody_asked_for(self):
        done, full = self.run_with("full")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((full["coverage"], full["fraction"]), ("full", 1))
        summary = self.folder / "plain.json"
        self.carom(self.scene, "--summary", summary)
        self.assertEqual(json.loads(summary.read_text())["audit"], full)

    def test_sampled_says_so_and_keeps_its_books(self):
        done, audit = self.run_with("sampled")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\n +audit +passed \(sampled: overlaps in 1 of 10 flights\)\n")
        self.assertEqual((audit["verdict"], audit["coverage"], audit["fraction"]),
                         ("passed", "sampled", 0.1))
        _, full = self.run_with("full")
        for key in ("energy_max_gain", "momentum_error", "max_joint_gap"):
            self.assertEqual(audit[key], full[key])
        done, _ = self.run_with("sampled", "--tolerate", "max_joint_gap=0")
        self.assertEqual(done.returncode, 3)

    def test_off_judges_nothing(self):
        done, audit = self.run_with("off", "--tolerate", "max_joint_gap=0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\n +audit +off\n")
        self.assertNotIn("deepest penetration", done.stdout)
        self.assertEqual((audit["verdict"], audit["coverage"], audit["fraction"]), ("off", "off", 0))
        self.assertIsNone(audit["max_penetration"])

    def test_off_counts_the_same_events(self):
        counts = []
        for coverage in ("full", "off"):
            self.run_with(coverage, "--method", "microcollision", "--set", "/joints=[]")
            counts.append(json.loads((self.folder / "summary.json").read_text())["events"])
        self.assertEqual(counts[0], counts[1])
        self.assertGreater(sum(counts[0].values()), 0)

    def test_one_that_there_is_not(self):
        done = self.carom(self.scene, "--audit", "smpled")
        self.assertEqual(done.returncode, 2)
        self.assertIn('did you mean "sampled"', done.stderr)

    def test_goes_on_as_it_was_or_off(self):
        for coverage, others in (("sampled", ("full",)), ("off", ("full", "sampled"))):
            done = self.carom(self.scene, "--quiet", "--audit", coverage, "--out", self.recording)
            self.assertEqual(done.returncode, 0, done.stderr)
            go_on = ("--resume", self.recording, "--duration", 0.4, "--quiet", "--audit")
            for other in others:
                refused = self.carom(*go_on, other)
                self.assertEqual(refused.returncode, 2)
                self.assertIn(f"expected {coverage}, as in the recording", refused.stderr)
            self.assertEqual(self.carom(*go_on, coverage).returncode, 0)
            with h5py.File(self.recording) as run:
                self.assertEqual(run["audit"].attrs["fraction"], 0 if coverage == "off" else 0.1)
            self.recording.unlink()


class Recorded(AuditCase):
    def setUp(self):
        super().setUp()
        done = self.carom(self.scene, "--quiet", "--out", self.recording)
        self.assertEqual(done.returncode, 0, done.stderr)

    def judge(self, *more):
        return self.carom("--audit-only", self.recording, *more)

    def tamper(self, name, body, change):
        """Changes what a body has from the middle of the recording on, and leaves no checkpoint whose
        checksums would tell."""
        with h5py.File(self.recording, "r+") as run:
            run["checkpoints/sequence"][:] = 0
            values = run["states"][name]
            half = len(values) // 2
            rows = values[half:, body]
            values[half:, body] = change(rows)

    def assert_found(self, key):
        done = self.judge()
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn(key, done.stderr)
        self.assertRegex(done.stdout, r"audit +failed: ")

    def test_what_nobody_changed_passes(self):
        done = self.judge()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\n +audit +passed\n")
        self.assertRegex(done.stdout, r"not judged +energy_ledger_error\n")

    def test_energy(self):
        self.tamper("velocity", BALL, lambda v: v * 2)
        self.assert_found("energy_max_gain")

    def test_overlap(self):
        self.tamper("position", BALL, lambda x: x - [0, 0, 0.4])
        self.assert_found("max_penetration")

    def test_joint(self):
        self.tamper("position", RIGHT, lambda x: x + [0.001, 0, 0])
        self.assert_found("max_joint_gap")

    def test_momentum(self):
        self.tamper("velocity", BRICK, lambda v: v + [1e-6, 0, 0])
        self.assert_found("momentum_error")

    def test_angular_momentum(self):
        self.tamper("angular_velocity", BRICK, lambda w: w * [1, 1, -1])
        self.assert_found("angular_momentum_error")

    def test_what_is_tolerated_passes(self):
        self.tamper("position", RIGHT, lambda x: x + [0.001, 0, 0])
        done = self.judge("--tolerate", "max_joint_gap=0.002")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_coverage_beside_a_recording_is_refused(self):
        done = self.judge("--audit", "sampled")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--audit sampled", done.stderr)

    def test_a_scene_beside_a_recording_is_refused(self):
        done = self.carom(self.scene, "--audit-only", self.recording)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
