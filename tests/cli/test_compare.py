"""carom compare: what the table says is what `carom run` and closed forms say, and no run takes another along.
CAROM_BIN names the program."""

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

GROUND = {"name": "ground", "motion": "fixed", "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}}


def bouncing_ball(**more):
    ball = {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 1.1]}
    return {"carom": 1, "name": "Ball", "pairs": [{"materials": ["*", "*"], "restitution": 0.8}],
            "bodies": [GROUND, ball], "duration": 1, **more}


def collisions_without_end():
    """Bounces without end in one step of a million seconds."""
    slow = bouncing_ball(pairs=[{"materials": ["*", "*"], "restitution": 1}], duration=1e6, output={"every": 1e6})
    slow["bodies"][1]["position"] = [0, 0, 0.3]
    slow["method"] = {"name": "zeno-free", "step": 1e6, "max_impacts_per_step": 1e9}
    return slow


class CompareCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "tmp").mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.folder / "tmp")}

    def tearDown(self):
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])  # nothing is left behind

    def write(self, scene, name="scene.json"):
        path = self.folder / name
        path.write_text(json.dumps(scene))
        return path

    def carom(self, *arguments):
        return subprocess.run([runs.CAROM, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              check=False, env=self.environment)

    def compare(self, scene, *arguments, status=0):
        result = self.carom("compare", scene, "--json", self.folder / "c.json", *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        comparison = json.loads((self.folder / "c.json").read_text())
        self.table = result.stdout
        return comparison, {run["run"]: run for run in comparison["runs"]}


class Compare(CompareCase):
    def test_every_method_is_in_the_table_and_the_most_exact_is_named_with_its_reason(self):
        comparison, by_name = self.compare(self.write(bouncing_ball()))
        self.assertEqual(list(by_name), list(runs.METHODS))
        self.assertEqual(comparison["reference"]["run"], "zeno-free")
        self.assertIn("exact", comparison["reference"]["why"])
        for name in runs.METHODS:
            self.assertIn(name, self.table)
        self.assertIsNone(by_name["zeno-free"]["differences"])

    # The k-th bounce of a ball dropped from h is at t1 (1 + 2 (e + … + e^(k-1))), t1 = sqrt(2 h / g). Time stepping
    # puts it at the end of a step, elastic contact lasts.
    def test_differences_of_collision_times_are_those_of_the_models(self):
        _, by_name = self.compare(self.write(bouncing_ball()))
        self.assertLess(by_name["analytic"]["differences"]["collision_time"], 1e-12)
        self.assertLess(by_name["microcollision"]["differences"]["collision_time"], 1e-12)
        stepped = by_name["time-stepping"]["differences"]["collision_time"]
        self.assertGreater(stepped, 1e-5)
        self.assertLess(stepped, 0.01)

    def test_final_positions_differ_by_what_the_states_of_single_runs_say(self):
        scene = self.write(bouncing_ball(duration=0.7))
        _, by_name = self.compare(scene, "--methods", "zeno-free,time-stepping")
        places = []
        for method in ("zeno-free", "time-stepping"):
            states = self.folder / f"{method}.csv"
            self.assertEqual(runs.run(scene, "--method", method, "--out", states).returncode, 0)
            with states.open() as file:
                last = [row for row in csv.DictReader(file) if row["body"] == "ball"][-1]
            places.append([float(last[axis]) for axis in "xyz"])
        differences = by_name["time-stepping"]["differences"]
        self.assertGreater(differences["final_position"], 0)
        self.assertAlmostEqual(differences["final_position"], math.dist(*places), delta=1e-12)
        self.assertEqual(differences["body"], "ball")

    # Of three balls in a row that one more hits, pairwise impacts send one off, simultaneous ones move all.
    def test_runs_part_where_their_laws_differ(self):
        scene = runs.ROOT / "scenes" / "newtons-cradle-3.json"
        _, by_name = self.compare(scene, "--methods", "zeno-free", "--impacts", "sequential,simultaneous", "--size", 0.001)
        self.assertEqual(list(by_name), ["zeno-free/sequential", "zeno-free/simultaneous"])
        parts = [run["differences"] for run in by_name.values() if run["differences"]]
        self.assertEqual(len(parts), 1)
        self.assertGreater(parts[0]["parts_at"], 0)
        self.assertIn("parts at", self.table)
        self.assertGreater(parts[0]["final_position"], 0.001)

    def test_all_laws_of_a_method(self):
        _, by_name = self.compare(self.write(bouncing_ball(duration=0.1)), "--methods", "naive,elastic", "--impacts", "all")
        self.assertIn("naive/poisson", by_name)
        self.assertIn("elastic", by_name)  # where nothing jumps

    def test_options_reach_every_run(self):
        scene = self.write(bouncing_ball())
        comparison, by_name = self.compare(scene, "--duration", 0.3, "--step", 0.01, "--methods", "zeno-free,time-stepping",
                                           "--set", "/bodies/1/position=[0, 0, 0.6]")
        self.assertEqual(comparison["duration"], 0.3)
        self.assertEqual([run["steps"] for run in by_name.values()], [30, 30])
        energy = by_name["zeno-free"]["energy_final"]  # in flight: m g h
        mass = 1000 * 4 / 3 * math.pi * 0.1**3
        self.assertAlmostEqual(energy, mass * 9.81 * 0.6, delta=1e-9)


class Alone(CompareCase):
    """What goes wrong in one run is said, and the others go on."""

    def test_a_run_that_has_no_end_is_stopped_after_its_limit(self):
        slow = collisions_without_end()
        start = time.monotonic()
        _, by_name = self.compare(self.write(slow), "--methods", "zeno-free,time-stepping", "--set",
                                  "/method/step=1e6", "--limit", 1, "--threads", 1)
        self.assertLess(time.monotonic() - start, 60)
        self.assertEqual(by_name["zeno-free"]["ending"], "stopped")
        self.assertIn("--limit", by_name["zeno-free"]["reason"])

    def test_a_method_that_refuses_the_scene_says_why(self):
        jointed = runs.ROOT / "scenes" / "hinged-rods.json"
        if "refuses: joints" not in self.carom("help", "naive").stdout:
            self.skipTest("naive takes joints")
        _, by_name = self.compare(jointed, "--methods", "zeno-free,naive")
        self.assertEqual(by_name["zeno-free"]["ending"], "finished")
        self.assertEqual(by_name["naive"]["ending"], "refused")
        self.assertIn("joint", by_name["naive"]["reason"])
        self.assertIsNone(by_name["naive"]["differences"])

    def test_control_c_shows_what_is_done(self):
        scene = self.write(collisions_without_end())
        process = subprocess.Popen([runs.CAROM, "compare", scene, "--methods", "zeno-free,analytic", "--threads", "1",
                                    "--json", self.folder / "c.json"], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, env=self.environment)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        table, _ = process.communicate(timeout=60)
        self.assertIn("stopped", table)
        self.assertIn("not run", table)
        by_name = {run["run"]: run for run in json.loads((self.folder / "c.json").read_text())["runs"]}
        self.assertEqual(by_name["analytic"]["ending"], "not run")


class BadInput(CompareCase):
    def refuse(self, *arguments, says):
        result = self.carom("compare", *arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        for part in says:
            self.assertIn(part, result.stderr)

    def test_names_options_and_scenes_that_there_are_not(self):
        scene = self.write(bouncing_ball())
        self.refuse(scene, "--methods", "zeno-fre", says=["--methods", "zeno-free"])
        self.refuse(scene, "--impacts", "poison", says=["--impacts", "poisson"])
        self.refuse(scene, "--mehtods", "naive", says=["--methods"])
        self.refuse(scene, "--set", "/method/name=naive", says=["--methods"])
        self.refuse(self.folder / "none.json", says=["none.json"])
        self.refuse(self.write({**bouncing_ball(), "gravitiy": 1}, "bad.json"), says=["gravity"])
        self.refuse(scene, "--json", scene, says=["reads"])

    def test_bodies_that_overlap_are_named_once_and_nothing_has_run(self):
        scene = bouncing_ball()
        scene["bodies"][1]["position"] = [0, 0, 0.05]
        result = self.carom("compare", self.write(scene))
        self.assertEqual(result.returncode, 2)
        self.assertIn("overlap", result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
