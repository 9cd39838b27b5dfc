"""Every malformed scene is refused with exit status 2 and a message that names the file, the place
and what was expected. CAROM_BIN names the program."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from malformed import CASES, GOOD  # noqa: E402

CAROM = os.environ.get("CAROM_BIN", "carom")


def command_for(case, path):
    if not case.overrides:
        return [CAROM, "check", path]
    changes = [word for change in case.overrides for word in ("--set", change)]
    return [CAROM, "run", path, "--quiet", *changes]


class Malformed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "scene.json"

    def run_carom(self, command):
        return subprocess.run(command, capture_output=True, timeout=60, check=False)

    def test_every_malformed_scene_is_refused_with_its_place(self):
        for case in CASES:
            with self.subTest(case.name):
                self.path.write_bytes(case.text)
                result = self.run_carom(command_for(case, self.path))
                message = result.stderr.decode()
                self.assertEqual(result.returncode, 2, message)
                self.assertIn(str(self.path), message)
                self.assertNotIn("Sanitizer", message)
                for words in case.expected:
                    self.assertIn(words, message)

    def test_the_scene_that_the_cases_change_is_good(self):
        self.path.write_text(json.dumps(GOOD))
        result = self.run_carom([CAROM, "check", self.path])
        self.assertEqual(result.returncode, 0, result.stderr.decode())

    def test_a_missing_file_and_a_folder_are_refused(self):
        for path in (self.path, self.path.parent):
            result = self.run_carom([CAROM, "check", path])
            self.assertEqual(result.returncode, 2)
            self.assertIn(str(path), result.stderr.decode())

    def test_each_case_is_one_of_its_kind(self):
        names = [case.name for case in CASES]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreaterEqual(len(names), 100)


if __name__ == "__main__":
    unittest.main()
