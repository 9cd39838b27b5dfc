"""What a person sees who does not know the names: short help, one topic at a time, and the nearest
name for a misspelt one. CAROM_BIN names the program."""

import os
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = os.environ.get("CAROM_BIN", "carom")
SCENES = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2])) / "scenes"
METHODS = ["zeno-free", "naive", "time-stepping", "analytic", "microcollision", "elastic"]
LAWS = ["sequential", "reflections", "frictional", "simultaneous", "poisson", "guendelman"]


def carom(*arguments, path=None):
    environment = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}") if path else None
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60,
                          check=False, env=environment)


class Help(unittest.TestCase):
    def help_on(self, *topic):
        result = carom("help", *topic)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_the_help_of_run_fits_a_screen_and_names_every_method_and_law(self):
        text = carom("run", "--help").stdout
        self.assertLessEqual(len(text.splitlines()), 60)
        for name in METHODS + LAWS:
            self.assertIn(name, text)
        self.assertNotIn("max_impacts_per_step", text)

    def test_each_method_has_its_settings_with_defaults_and_allowed_values(self):
        for method in METHODS:
            text = self.help_on(method)
            self.assertTrue(text.startswith(method + ":"), text)
            self.assertIn(f"docs/methods/{method}.md", text)
        self.assertIn("step = 0.001  (a number > 0, or \"auto\")", self.help_on("zeno-free"))
        self.assertIn("integrator = exact  (one of \"exact\", ", self.help_on("zeno-free"))
        self.assertIn("tolerance = 1e-08", self.help_on("elastic"))
        self.assertIn("only with impact = frictional", self.help_on("microcollision"))
        self.assertNotIn("Impact laws", self.help_on("elastic"))

    def test_each_law_is_listed_once_and_has_its_settings(self):
        text = self.help_on("zeno-free")
        for law in LAWS:
            self.assertEqual(text.count(f"\n  {law} "), 1, law)
            self.assertIn(f"--impact {law}", self.help_on(law))
        self.assertIn("order = lexicographic  (one of \"lexicographic\", \"random\", \"deepest\")",
                      self.help_on("sequential"))
        self.assertNotIn("order", self.help_on("poisson"))

    def test_commands_are_topics_too(self):
        self.assertEqual(self.help_on("run"), carom("run", "--help").stdout)
        self.assertEqual(self.help_on(), carom("--help").stdout)

    def test_an_unknown_topic_is_refused_with_the_nearest(self):
        result = carom("help", "zenofree")
        self.assertEqual(result.returncode, 2)
        self.assertIn('did you mean "zeno-free"?', result.stderr)


class Unknown(unittest.TestCase):
    def test_a_misspelt_command_is_refused_with_the_nearest(self):
        result = carom("rnu", "scene.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn('no command "rnu"; did you mean "run"?', result.stderr)

    def test_a_misspelt_option_is_refused_with_the_nearest(self):
        for wrong, right in (("--mehtod", "--method"), ("--durations=3", "--duration")):
            result = carom("run", str(SCENES / "bouncing-ball.json"), wrong, "naive")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(f'did you mean "{right}"?', result.stderr)

    def test_another_name_runs_the_program_of_that_name_on_the_path(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "carom-salute"
            program.write_text('#!/bin/sh\necho "salute $0 $1 $2"\nexit 7\n')
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            result = carom("salute", "a", "--b", path=folder)
            self.assertEqual(result.returncode, 7, result.stderr)
            self.assertIn("carom-salute a --b", result.stdout)
            program.rename(Path(folder) / "carom-run")
            self.assertNotIn("salute", carom("run", "--help", path=folder).stdout)


if __name__ == "__main__":
    unittest.main()
