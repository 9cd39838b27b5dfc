"""Nothing that is asked for is ignored without a word: what has no effect is noted on stderr and in
the summary, what a method cannot do is refused with the methods that can. CAROM_BIN names the program."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = os.environ.get("CAROM_BIN", "carom")
SCENES = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2])) / "scenes"
BALL = SCENES / "bouncing-ball.json"


class Notes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_carom(self, *arguments):
        return subprocess.run([CAROM, *map(str, arguments)], capture_output=True, text=True,
                              timeout=60, check=False)

    def notes(self, *arguments, scene=BALL):
        """The notes of a short run: those on stderr are those in the summary."""
        summary = self.folder / "summary.json"
        result = self.run_carom("run", scene, "--quiet", "--duration", 0.01, "--summary", summary,
                                *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        notes = json.loads(summary.read_text())["notes"]
        self.assertEqual(result.stderr, "".join(f"carom: note: {note}\n" for note in notes))
        return " / ".join(notes)

    def test_a_scene_under_its_own_method_has_none(self):
        self.assertEqual(self.notes(), "")

    def test_no_shipped_scene_has_a_setting_without_effect(self):
        for scene in sorted(SCENES.glob("*.json")):
            if scene.name == "scene.schema.json":
                continue
            result = self.run_carom("check", scene)
            self.assertEqual((result.returncode, result.stderr), (0, ""), scene.name)

    def test_a_step_of_methods_without_one_is_noted_with_what_they_have(self):
        for method in ("elastic", "analytic"):
            note = self.notes("--method", method, "--step", 0.002)
            self.assertIn(f'no effect under method "{method}": "step"', note)
            self.assertIn('"tolerance"', note)

    def test_an_impact_law_that_a_method_does_not_have_gives_way_with_a_note(self):
        note = self.notes("--method", "time-stepping", "--impact", "sequential")
        self.assertIn('"poisson" takes the place of "sequential"', note)
        self.assertIn('"impact"', self.notes("--method", "elastic", "--impact", "sequential"))

    def test_an_impact_law_that_there_is_not_is_refused_under_every_method(self):
        for method in ("elastic", "time-stepping", "zeno-free"):
            result = self.run_carom("run", BALL, "--method", method, "--impact", "sequentail")
            self.assertEqual(result.returncode, 2, method)
            self.assertIn('did you mean "sequential"?', result.stderr)

    def test_settings_of_another_law_are_noted(self):
        note = self.notes("--impact", "sequential", "--set", "/method/energy_rule=bounded")
        self.assertIn('"energy_rule" has no effect under impact law "sequential"', note)
        self.assertIn('"poisson" and "guendelman"', note)
        self.assertEqual(self.notes("--impact", "guendelman", "--set", "/method/energy_rule=bounded"),
                         "")

    def test_settings_that_need_another_value_are_noted(self):
        hop = ("--method", "microcollision")
        self.assertEqual(self.notes(*hop, "--set", "/method/static_friction=true"), "")
        self.assertIn('unless "impact" is "frictional"',
                      self.notes(*hop, "--impact", "poisson", "--set", "/method/static_friction=true"))
        self.assertIn('"microcollision_speed"',
                      self.notes(*hop, "--set", "/method/microcollision_speed=0.1"))
        self.assertIn('unless "order" is "random"', self.notes("--set", "/method/seed=3"))
        self.assertEqual(self.notes("--set", "/method/seed=3", "--set", "/method/order=random"), "")

    def test_what_one_option_takes_back_of_another_is_noted(self):
        note = self.notes("--step", 0.002, "--set", "/method/step=0.001")
        self.assertIn("/method/step = 0.001 takes the place of /method/step = 0.002", note)
        note = self.notes("--method", "naive", "--set", '/method={"name": "zeno-free"}')
        self.assertIn("takes the place of /method/name", note)

    def test_the_table_names_no_empty_law(self):
        result = self.run_carom("run", BALL, "--method", "elastic", "--duration", 0.01)
        self.assertIn("elastic, no impact law", result.stdout)

    def test_every_shipped_scene_runs_under_time_stepping_whatever_its_law(self):
        for scene in sorted(SCENES.glob("*.json")):
            if scene.name == "scene.schema.json":
                continue
            result = self.run_carom("run", scene, "--method", "time-stepping", "--duration", 1e-9)
            self.assertNotEqual(result.returncode, 2, (scene.name, result.stderr))

    def test_a_refusal_names_the_methods_that_can(self):
        result = self.run_carom("run", SCENES / "hinged-rods.json", "--method", "naive")
        self.assertEqual(result.returncode, 2)
        self.assertIn('a method with joints: "zeno-free", "time-stepping"', result.stderr)
        result = self.run_carom("run", SCENES / "hinged-rods.json", "--method", "zeno-free", "--set",
                                "/method/integrator=euler")
        self.assertIn('"integrator": "exact", or a method with joints', result.stderr)

    def test_a_stopped_run_says_what_to_try_and_that_helps(self):
        box = SCENES / "resting-box.json"
        stopped = self.run_carom("run", box, "--method", "naive", "--duration", 0.01)
        self.assertEqual(stopped.returncode, 1)
        self.assertIn("try --method zeno-free", stopped.stderr)
        self.assertEqual(self.run_carom("run", box, "--method", "zeno-free", "--duration", 0.01).returncode,
                         0)


if __name__ == "__main__":
    unittest.main()
