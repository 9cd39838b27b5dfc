"""carom reproduce: claims are read strictly, measured, compared and reported. CAROM_BIN names the
program. The small scenes here have answers that anyone can work out by hand."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = os.environ.get("CAROM_BIN", "carom")

# Falls from rest for 0.5 s with g = 10: v = 5 m/s, z = 2 - 1.25 m.
FALL = {"carom": 1, "gravity": [0, 0, -10], "duration": 0.5, "output": {"every": 0.1},
        "bodies": [{"name": "ball", "mass": 1, "shape": {"type": "sphere", "radius": 0.1},
                    "position": [0, 0, 2], "angular_velocity": [0, 0, 20]}]}

# Dropped by 0.2 m with g = 10: hits at 0.2 s with 2 m/s, e = 1/2, again at 0.4 s with 1 m/s.
BOUNCE = {"carom": 1, "gravity": [0, 0, -10], "duration": 0.45, "output": {"every": 0.05},
          "pairs": [{"materials": ["*", "*"], "restitution": 0.5}],
          "bodies": [{"name": "ground", "motion": "fixed",
                      "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}},
                     {"name": "ball", "mass": 3, "shape": {"type": "sphere", "radius": 0.1},
                      "position": [0, 0, 0.3]}]}


# A plank of 3 kg on a ball at x = -1 and two at x = 0.5, g = 10: moments about y give 10 and 20 N.
PLANK = {"carom": 1, "gravity": [0, 0, -10], "duration": 0.1, "output": {"every": 0.05},
         "bodies": [{"name": "balls", "motion": "fixed", "shapes": [
                        {"type": "sphere", "radius": 0.1, "position": [x, y, -0.1]}
                        for x, y in ((-1, 0), (0.5, -0.4), (0.5, 0.4))]},
                    {"name": "plank", "mass": 3, "shape": {"type": "box", "size": [3, 1, 0.2]},
                     "position": [0, 0, 0.1]}]}

# A rod of 2 kg hangs level on a pin at its end, g = 10: it starts to turn at 3 g / (2 L) = 15 rad/s^2, and the
# pin carries a quarter of its weight. A hinge about y, so the couple about y is none.
ROD = {"carom": 1, "gravity": [0, 0, -10], "duration": 0.1, "output": {"every": 0.05},
       "bodies": [{"name": "wall", "motion": "fixed", "shape": {"type": "sphere", "radius": 0.01}},
                  {"name": "rod", "mass": 2, "shape": {"type": "sphere", "radius": 0.05},
                   "inertia": [0.001, 0.16666666666666666, 0.16666666666666666],
                   "position": [0.5, 0, 0]}],
       "joints": [{"name": "pin", "type": "hinge", "between": ["wall", "rod"], "anchor": [0, 0, 0],
                   "axis": [0, 1, 0]}]}


def claim(quantity, expected, scene="fall.json", **more):
    return {"paper": "Someone", "where": "fig. 1", "claim": "it does", "scene": scene,
            "quantity": quantity, "expected": expected, "tolerance": 1e-9, "source": "by hand", **more}


def state(component, time, body="ball"):
    return {"state": body, "component": component, "time": time}


class ReproduceCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "scenes").mkdir()
        (self.root / "scenes" / "fall.json").write_text(json.dumps(FALL))
        (self.root / "scenes" / "bounce.json").write_text(json.dumps(BOUNCE))
        (self.root / "scenes" / "plank.json").write_text(json.dumps(PLANK))
        (self.root / "scenes" / "rod.json").write_text(json.dumps(ROD))

    def write(self, claims, name="someone"):
        folder = self.root / "papers" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "claims.json").write_text(claims if isinstance(claims, str) else json.dumps(claims))

    def call(self, *arguments):
        return subprocess.run([CAROM, "reproduce", "--from", self.root, *arguments],
                              capture_output=True, text=True, timeout=60, check=False)

    def measure(self, claims):
        self.write(claims)
        done = self.call("--json", self.root / "r.json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        results = json.loads((self.root / "r.json").read_text())
        failed = any(r["pass"] is False for r in results)
        self.assertEqual(done.returncode, 1 if failed else 0)
        return results


class Measuring(ReproduceCase):
    def check(self, quantity, expected, **more):
        result = self.measure([claim(quantity, expected, **more)])[0]
        self.assertTrue(result["pass"], result)

    def test_states_by_body_component_and_time(self):
        self.check(state("z", 0.5), 0.75)
        self.check(state(["vz", "speed"], [0.1, 0.5]), [-1, -5, 1, 5])
        self.check(state("wz", "all"), 20)
        self.check(state("vz", "end"), -5)

    def test_yaw_goes_on_beyond_a_turn(self):
        self.check(state("yaw", [0.1, 0.5]), [2, 10])

    def test_quaternions_have_a_positive_w(self):
        self.check(state(["qw", "qz"], 0.2), [0.4161468365471424, -0.9092974268256817])

    def test_events_by_number_and_field(self):
        event = {"event": "impact", "between": ["ball", "ground"], "nth": [1, 2]}
        self.check({**event, "field": "time"}, [0.2, 0.4], scene="bounce.json")
        self.check({**event, "nth": {"from": 1, "to": 2}, "field": "approach_speed"}, [2, 1],
                   scene="bounce.json")
        self.check({**event, "nth": "all", "field": "nz"}, 1, scene="bounce.json")

    def test_the_impulse_acts_on_the_body_named_first(self):
        event = {"event": "impact", "nth": 1, "field": "jz"}
        self.check({**event, "between": ["ball", "ground"]}, 9, scene="bounce.json")
        self.check({**event, "between": ["ground", "ball"]}, -9, scene="bounce.json")

    def test_sums_join_the_contact_points_of_one_instant(self):
        box = {"/bodies/1/shape": {"type": "box", "size": [1, 1, 0.2]}, "/pairs/0/restitution": 0}
        self.check({"sum": "impact", "nth": 1, "field": "jz", "between": ["ball", "ground"]}, 6,
                   scene="bounce.json", overrides=box)
        self.check({"count": "impact"}, 4, scene="bounce.json", overrides=box)

    def test_forces_between_bodies_added_up_or_where_they_act(self):
        force = {"force": ["plank", "balls"], "field": "fz"}
        self.check({**force, "time": [0, 0.1]}, 30, scene="plank.json")
        self.check({**force, "time": 0, "force": ["balls", "plank"]}, -30, scene="plank.json")
        self.check({**force, "time": 0, "field": "size"}, 30, scene="plank.json")
        self.check({**force, "time": 0, "at": [[-1, 0, 0], [0.5, -0.4, 0], [0.5, 0.4, 0]]}, [10, 10, 10],
                   scene="plank.json")
        self.check({**force, "time": 0, "at": [0.5, 0.4, 0]}, 10, scene="plank.json")
        self.check({**force, "time": 0, "at": [0, 0, 0]}, 0, scene="plank.json")

    def test_contacts_add_up_over_the_run(self):
        contacts = {"contacts": ["ball", "ground"]}
        self.check({**contacts, "field": ["impacts", "jz", "greatest_impulse", "last_time"]}, [2, 13.5, 9, 0.4],
                   scene="bounce.json")
        self.check({"contacts": ["ground", "ball"], "field": "fz"}, -30, scene="bounce.json")
        self.check({"contacts": ["plank", "balls"], "field": ["fz", "impacts"]}, [30, 0], scene="plank.json")

    def test_forces_of_joints_act_on_their_first_body(self):
        pin = {"force": "pin", "time": 0}
        self.check({**pin, "field": "fz"}, -5, scene="rod.json", tolerance=0.01)
        self.check({**pin, "field": "ty"}, 0, scene="rod.json", tolerance=0.01)

    def test_accelerations_by_body_component_and_time(self):
        self.check({"acceleration": "ball", "component": ["az", "wz_rate"], "time": "all"},
                   [-10] * 6 + [0] * 6)
        self.check({"acceleration": "rod", "component": ["az", "wy_rate"], "time": 0}, [-7.5, 15],
                   scene="rod.json", tolerance=0.01)

    def test_a_scene_beside_the_claims_comes_first(self):
        self.write([])
        (self.root / "papers" / "someone" / "fall.json").write_text(json.dumps({**FALL, "gravity": [0, 0, -20]}))
        self.check(state("vz", 0.5), -10)

    def test_counts_and_summaries(self):
        self.check({"count": "impact"}, 2, scene="bounce.json")
        self.check({"count": "impact"}, 0)
        self.check({"summary": "/finished"}, True)
        self.check({"summary": "/simulated_seconds"}, 0.5)

    def test_ratios_compare_numbers_of_one_run_or_of_two(self):
        self.check({"ratio": ["/simulated_seconds", "/steps"]}, 0.001)
        faster = {"ratio": ["/steps", "/steps"], "to": {"/method": {"name": "zeno-free", "step": 0.01}}}
        self.check(faster, 10)

    def test_bounds_hold_on_one_side(self):
        speed = state("speed", "all")
        results = self.measure([claim(speed, 5, compare="at most"),
                                claim(speed, 4.9, compare="at most"),
                                claim(speed, 0, compare="at least"),
                                claim(speed, 0.1, compare="at least"),
                                claim(speed, 4.9, compare="at most", tolerance=0.2)])
        self.assertEqual([r["pass"] for r in results], [True, False, True, False, True])

    def test_what_is_shown_is_not_judged(self):
        results = self.measure([claim(state("z", 0.5), 99, compare="shown")])
        self.assertIsNone(results[0]["pass"])
        self.assertAlmostEqual(results[0]["measured"], 0.75)

    def test_overrides_change_the_scene(self):
        self.check(state("vz", 0.5), -10, overrides={"/gravity": [0, 0, -20]})

    def test_relative_tolerance_adds_to_the_absolute_one(self):
        wrong = claim(state("vz", 0.5), -5.04, tolerance=0)
        results = self.measure([{**wrong, "relative_tolerance": 0.01},
                                {**wrong, "relative_tolerance": 0.001}])
        self.assertEqual([r["pass"] for r in results], [True, False])


class Failing(ReproduceCase):
    def test_a_wrong_number_a_missing_event_and_a_wrong_length_fail(self):
        event = {"event": "impact", "nth": 9, "field": "time"}
        results = self.measure([claim(state("z", 0.5), 0.7501),
                                claim(event, 1, scene="bounce.json"),
                                claim({**event, "nth": "all"}, [0.2], scene="bounce.json"),
                                claim({"summary": "/finished"}, 1),
                                claim(state("z", 0.5), 0.75)])
        self.assertEqual([r["pass"] for r in results], [False, False, False, False, True])
        self.assertEqual(results[1]["measured"], None)

    def test_one_bad_value_among_many_fails(self):
        results = self.measure([claim(state("z", "all"), 2)])
        self.assertFalse(results[0]["pass"])
        self.assertAlmostEqual(results[0]["measured"], 0.75)

    def test_a_run_that_stopped_decides_only_its_summary(self):
        naive = {"/method": {"name": "naive"}, "/bodies/1/position": [0, 0, 0.1]}
        rest = {"scene": "bounce.json", "overrides": naive}
        results = self.measure([claim(state("z", "all"), 0.1, **rest),
                                claim({"summary": "/finished"}, False, **rest)])
        self.assertEqual([r["pass"] for r in results], [False, True])


    def test_a_ratio_needs_both_runs_to_end(self):
        naive = {"/method": {"name": "naive"}, "/bodies/1/position": [0, 0, 0.1]}
        ratio = {"ratio": ["/steps", "/steps"], "to": naive}
        results = self.measure([claim(ratio, 1, scene="bounce.json", compare="shown")])
        self.assertIs(results[0]["pass"], False)


class Reporting(ReproduceCase):
    def setUp(self):
        super().setUp()
        self.write([claim(state("z", 0.5), 0.75, claim="It <falls> & \"spins\""),
                    claim(state("vz", 0.5), -4)])

    def test_the_table_ends_with_the_counts(self):
        done = self.call()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 1 failed")
        self.assertIn("FAIL", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_rows_that_are_only_shown_say_so(self):
        self.write([claim(state("z", 0.5), 3, compare="shown"),
                    claim(state("z", 0.5), 3, compare="at most")])
        lines = self.call().stdout.splitlines()
        self.assertRegex(lines[1], r"3 +0\.75 +not judged +shown$")
        self.assertRegex(lines[2], r"at most 3 +0\.75 .*pass$")
        self.assertEqual(lines[-1], "1 passed, 0 failed, 1 shown")

    def test_the_json_has_the_agreed_keys(self):
        self.call("--json", self.root / "r.json")
        for result in json.loads((self.root / "r.json").read_text()):
            self.assertEqual(list(result), ["paper", "claim", "expected", "measured", "tolerance",
                                            "pass", "scene"])

    def test_the_page_stands_alone_and_shows_text_as_text(self):
        self.call("--report", self.root / "r.html")
        page = (self.root / "r.html").read_text()
        self.assertIn("It &lt;falls> &amp; &quot;spins&quot;", page)
        self.assertNotIn("http", page)
        self.assertIn("1 passed, 1 failed", page)

    def test_list_shows_the_claims_and_simulates_nothing(self):
        done = self.call("--list", "--json", self.root / "r.json")
        self.assertEqual(done.returncode, 0)
        self.assertIn("2 claims", done.stdout)
        self.assertFalse((self.root / "r.json").exists())

    def test_names_select_papers(self):
        self.write([claim(state("z", 0.5), 0.75)], name="other")
        self.assertIn("3 claims", self.call("--list").stdout)
        self.assertIn("1 claims", self.call("--list", "other").stdout)
        done = self.call("--list", "othr")
        self.assertEqual(done.returncode, 2)
        self.assertIn('did you mean "other"?', done.stderr)

    def test_an_output_that_cannot_be_written_is_told(self):
        done = self.call("--json", self.root / "missing" / "r.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing", done.stderr)


class Refusing(ReproduceCase):
    def refuse(self, claims, *words):
        self.write(claims)
        done = self.call()
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for word in ("claims.json", *words):
            self.assertIn(word, done.stderr)

    def test_mistakes_in_a_claim_are_told_with_their_place(self):
        good = claim(state("z", 0.5), 0.75)
        self.refuse("{")
        self.refuse("{}", "a list of claims")
        self.refuse([{**good, "tolerence": 1}], "/0/tolerence", 'did you mean "tolerance"')
        self.refuse([good, {**good, "tolerance": -1}], "/1/tolerance", "a number >= 0")
        self.refuse([{k: v for k, v in good.items() if k != "tolerance"}], "/0/tolerance")
        self.refuse([{k: v for k, v in good.items() if k != "source"}], "/0/source")
        self.refuse([{**good, "expected": "much"}], "/0/expected", "true or false")
        self.refuse([{**good, "expected": []}], "/0/expected")
        self.refuse([{**good, "compare": "at mots"}], "/0/compare", 'did you mean "at most"')
        self.refuse([{**good, "scene": "fal.json"}], "/0/scene", 'did you mean "fall.json"')

    def test_mistakes_in_a_quantity_are_told_with_their_place(self):
        for quantity, words in [
                ({"stat": "ball"}, ("/0/quantity", 'did you mean "state"')),
                (3, ("/0/quantity", "found 3")),
                (state("zz", 0.5), ("/0/quantity/component", '"zz"')),
                (state("z", 0.55), ("/0/quantity/time", "0.1 s")),
                (state("z", 9), ("/0/quantity/time", "0.5 s")),
                (state("z", "soon"), ("/0/quantity/time", '"soon"')),
                (state("z", 0.5, "bal"), ("/0/quantity/state", 'did you mean "ball"')),
                ({"acceleration": "ball", "component": "a", "time": 0}, ("/0/quantity/component", '"ax"')),
                ({"acceleration": "ball", "component": "az", "time": 0.55}, ("/0/quantity/time", "0.1 s")),
                ({"force": ["ball", "flor"], "field": "fz", "time": 0}, ("/0/quantity/force", '"flor"')),
                ({"force": "pin", "field": "fz", "time": 0}, ("/0/quantity/force", "a joint")),
                ({"force": ["ball"] * 3, "field": "fz", "time": 0}, ("/0/quantity/force", "3 names")),
                ({"force": "pin", "field": "f", "time": 0}, ("/0/quantity/field", '"fx"')),
                ({"force": "pin", "field": "fz", "time": 0, "at": [1, 2]}, ("/0/quantity/at", "a point")),
                ({"event": "impakt", "nth": 1, "field": "time"}, ('did you mean "impact"',)),
                ({"event": "impact", "nth": 0, "field": "time"}, ("/0/quantity/nth", "found 0")),
                ({"event": "impact", "nth": {"from": 3, "to": 1}, "field": "time"}, ("3 to 1",)),
                ({"event": "impact", "nth": 1, "field": "tim"}, ('did you mean "time"',)),
                ({"count": "impact", "between": ["ball", "wall"]}, ("/0/quantity/between",)),
                ({"summary": "/finishd"}, ('did you mean "/finished"',)),
                ({"ratio": ["/steps"]}, ("/0/quantity/ratio", "two")),
                ({"ratio": ["/steps", "/stps"]}, ('did you mean "/steps"',)),
                ({"ratio": ["/steps", "/steps"], "to": {"/methd/name": 1}},
                 ("/0/quantity/to/~1methd",))]:
            with self.subTest(quantity=quantity):
                self.refuse([claim(quantity, 1)], *words)

    def test_a_wrong_override_is_the_claims_mistake(self):
        self.refuse([claim(state("z", 0.5), 1, overrides={"/bodies/7/mass": 2})],
                    "/0/overrides/~1bodies~17~1mass")

    def test_all_mistakes_are_told_at_once(self):
        self.refuse([claim(state("zz", 0.5), 1), claim(state("yy", 0.5), 1)], "/0/", "/1/")

    def test_a_folder_without_papers_is_refused(self):
        done = self.call()
        self.assertEqual(done.returncode, 2)
        self.assertIn("papers/", done.stderr)


class Shipped(unittest.TestCase):
    def test_every_shipped_claim_can_be_read_and_its_scene_names_the_schema(self):
        done = subprocess.run([CAROM, "reproduce", "--list"], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        root = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2]))
        for file in root.glob("papers/*/claims.json"):
            for each in json.loads(file.read_text()):
                beside = file.parent / each["scene"]
                scene = beside if beside.exists() else root / "scenes" / each["scene"]
                schema = re.search(r'"\$schema": "([^"]+)"', scene.read_text())[1]
                self.assertTrue((scene.parent / schema).samefile(root / "scenes" / "scene.schema.json"))


if __name__ == "__main__":
    unittest.main()
