"""docs/conformance.md is the list of known failures, as scripts/conformance writes it."""

import importlib.machinery
import importlib.util
import json
import os
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2]))


def load_script():
    loader = importlib.machinery.SourceFileLoader("conformance", str(ROOT / "scripts" / "conformance"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("conformance", loader))
    loader.exec_module(module)
    return module


class ConformanceTable(unittest.TestCase):
    def setUp(self):
        self.script = load_script()
        self.known = json.loads(self.script.KNOWN.read_text())

    def test_the_page_is_current(self):
        self.assertEqual(self.script.TABLE.read_text(), self.script.table(self.known),
                         "run scripts/conformance --table")

    def test_results_replace_what_was_known_and_keep_its_reasons(self):
        known = {**self.known, "known": [
            {"scene": "s", "method": "zeno-free", "laws": ["poisson", "guendelman"], "outcome": "failed",
             "says": "energy_max_gain", "reason": "because"}]}
        rows = {("s", "zeno-free", "poisson"): ("passed", ""),
                ("s", "zeno-free", "guendelman"): ("failed", "energy_max_gain 3 > 2"),
                ("s", "naive", "sequential"): ("stopped", "at t = 1 s: time does not move on (Zeno point); try")}
        entries = self.script.update(known, rows)
        self.assertEqual([(e["method"], e["laws"], e["reason"]) for e in entries],
                         [("zeno-free", ["guendelman"], "because"),
                          ("naive", ["sequential"],
                           "the baseline freezes where something rests: what it is here to show")])
        self.assertEqual(entries[1]["says"], "time does not move on")


if __name__ == "__main__":
    unittest.main()
