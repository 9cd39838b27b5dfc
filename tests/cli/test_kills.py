"""A sample of the campaign of kills (kills.py). CAROM_BIN names the program."""

import tempfile
import unittest
from pathlib import Path

import kills


class Kills(unittest.TestCase):
    def test_nothing_is_lost_when_runs_are_killed_at_random(self):
        with tempfile.TemporaryDirectory() as folder:
            totals = kills.campaign(Path(folder), kills=12, seed=1)
        self.assertGreaterEqual(sum(total["kills"] for total in totals.values()), 12)


if __name__ == "__main__":
    unittest.main()
