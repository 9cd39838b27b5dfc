"""A step that is too long says so, in the table and in the summary; "auto" finds one that is not. CAROM_BIN names
the program."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = os.environ.get("CAROM_BIN", "carom")

# Falls by explicit Euler: off by g h / 2 each second, which is 0.49 radii a second for h = 0.01 s.
FALLING = {
    "carom": 1,
    "gravity": [0, 0, -9.8],
    "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.1}}],
    "method": {"name": "zeno-free", "integrator": "euler", "step": 0.01},
    "duration": 2,
}


class Steps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "scene.json").write_text(json.dumps(FALLING))

    def run_carom(self, *arguments):
        command = [CAROM, "run", self.folder / "scene.json", "--summary", self.folder / "summary.json", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    def step_error(self):
        return json.loads((self.folder / "summary.json").read_text())["step_error"]

    def test_too_long_a_step_is_told(self):
        result = self.run_carom()
        self.assertIn("step too long", result.stdout)
        self.assertTrue(self.step_error()["too_long"])
        self.assertAlmostEqual(self.step_error()["per_second"], 0.49, places=6)
        self.assertAlmostEqual(self.step_error()["step_that_would_do"], 0.01 * 0.01 / 0.49, places=9)

    def test_a_step_that_would_do_does(self):
        result = self.run_carom("--step", "0.0002")
        self.assertNotIn("step too long", result.stdout)
        self.assertFalse(self.step_error()["too_long"])

    def test_auto_finds_one(self):
        result = self.run_carom("--step", "auto")
        self.assertEqual(result.returncode, 3, result.stderr)  # Euler's energy is not kept at any step
        self.assertFalse(self.step_error()["too_long"])

    def test_other_words_are_refused(self):
        result = self.run_carom("--step", "fast")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/method/step", result.stderr)

    def test_methods_without_a_fixed_step_have_none(self):
        self.run_carom("--method", "analytic")
        self.assertIsNone(self.step_error())


if __name__ == "__main__":
    unittest.main()
