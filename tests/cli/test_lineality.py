"""How contacts that squeeze a body are found is a setting: a flag, or the word for the paper's linear programs.
CAROM_BIN names the program."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = os.environ.get("CAROM_BIN", "carom")
SOURCE = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2]))
WEDGED = SOURCE / "scenes" / "wedged-ball.json"
LAWS = ("sequential", "reflections", "simultaneous", "poisson", "guendelman")


def run_carom(*arguments):
    return subprocess.run([CAROM, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)


class Lineality(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def events(self, *arguments):
        """The events of the wedged ball, and what the summary says of lineality."""
        events, summary = self.folder / "events.csv", self.folder / "summary.json"
        result = run_carom("run", WEDGED, "--quiet", "--events", events, "--summary", summary, *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return events.read_text(), json.loads(summary.read_text())["lineality"]

    def test_linear_programs_lead_to_the_same_events(self):
        for law in LAWS:
            with self.subTest(law):
                usual = self.events("--impact", law)
                self.assertEqual(usual[1]["dimension_max"], 1)
                self.assertEqual(self.events("--impact", law, "--set", "/method/lineality=shave"), usual)

    def test_a_misspelt_word_is_refused_with_what_is_allowed(self):
        result = run_carom("run", WEDGED, "--quiet", "--set", "/method/lineality=shvae")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn('/method/lineality: found "shvae", expected true or false, or "shave"', result.stderr)

    def test_the_help_of_every_law_that_has_it_names_the_word(self):
        for law in LAWS:
            with self.subTest(law):
                self.assertIn('lineality = true  (true or false, or "shave")', run_carom("help", law).stdout)


if __name__ == "__main__":
    unittest.main()
