"""Ctrl-C is heard inside a step that would take hours, by every method, and leaves a recording to go on from.
CAROM_BIN names the program."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

CAROM = os.environ.get("CAROM_BIN", "carom")
LONG = 1e6  # s; one step: a million collisions and more

BALL = {"type": "sphere", "radius": 0.1}
BOX = {"type": "box", "size": [0.2, 0.2, 0.2]}
GRINDS = {
    "zeno-free": (BALL, {"step": LONG, "max_impacts_per_step": 1e9}),
    "naive": (BALL, {"step": LONG, "max_treatments": 1e9}),
    "microcollision of balls": (BALL, {"step": LONG, "max_collisions_per_body": 1e9}),
    "microcollision of boxes": (BOX, {"step": LONG, "max_collisions_per_body": 1e9}),
    "elastic": (BALL, {}),
    "analytic": (BALL, {}),
}


def make_scene(name):
    """Something that bounces for ever, between outputs that are one long step apart."""
    shape, settings = GRINDS[name]
    return {
        "carom": 1,
        "pairs": [{"materials": ["*", "*"], "restitution": 1}],
        "bodies": [
            {"name": "ground", "motion": "fixed", "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}},
            {"name": "body", "shape": shape, "position": [0, 0, 0.3]},
        ],
        "method": {"name": name.split()[0], **settings},
        "duration": LONG,
        "output": {"every": LONG},
    }


class Stopping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def stop(self, scene, after=()):
        """Interrupts a run some time after it has begun to record, and again after the times given."""
        path, recording = self.folder / "scene.json", self.folder / "run.h5"
        path.write_text(json.dumps(scene))
        recording.unlink(missing_ok=True)
        command = [CAROM, "run", str(path), "--out", str(recording), "--summary", str(self.folder / "summary.json")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            self.addCleanup(process.kill)
            patience = time.monotonic() + 60
            while not recording.exists() and time.monotonic() < patience:
                time.sleep(0.05)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            for pause in after:
                time.sleep(pause)
                process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=120)
        return process.returncode, errors

    def test_is_heard_inside_a_step(self):
        for name in GRINDS:
            with self.subTest(name):
                status, errors = self.stop(make_scene(name))
                self.assertEqual(status, 1, errors)
                self.assertIn("on request at t = ", errors)
                summary = json.loads((self.folder / "summary.json").read_text())
                self.assertFalse(summary["finished"])
                self.assertLess(summary["simulated_seconds"], LONG)

    def test_is_heard_among_the_outputs_of_a_step(self):
        """A second of a billion outputs, which is one step."""
        for method in ("zeno-free", "time-stepping", "microcollision"):
            with self.subTest(method):
                scene = make_scene("zeno-free")
                scene |= {"method": {"name": method, "step": 1}, "duration": 1, "output": {"every": 1e-9}}
                status, errors = self.stop(scene)
                self.assertEqual(status, 1, errors)
                self.assertIn("on request at t = 0 s", errors)

    def test_is_heard_once_where_it_comes_twice(self):
        """Who ends a process often sends the signal to it and to its group."""
        for pause in (0.0, 1e-4, 2e-3):
            status, errors = self.stop(make_scene("zeno-free"), after=[pause])
            self.assertEqual(status, 1, errors)
            self.assertIn("on request at t = ", errors)

    def test_leaves_a_recording_to_go_on_from(self):
        self.stop(make_scene("zeno-free"))
        shorter = ["--duration", "1"]
        result = subprocess.run([CAROM, "run", "--resume", str(self.folder / "run.h5"), *shorter, "--quiet"],
                                capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
