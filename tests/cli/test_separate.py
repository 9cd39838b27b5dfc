"""carom check names every two bodies that overlap, and --separate moves them apart, as little as
possible. CAROM_BIN names the program."""

import json
import math
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = os.environ.get("CAROM_BIN", "carom")
GROUND = {"name": "ground", "motion": "fixed",
          "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}}


def ball(name, *position, radius=0.5):
    return {"name": name, "shape": {"type": "sphere", "radius": radius}, "position": list(position)}


def box(name, *position):
    return {"name": name, "shape": {"type": "box", "size": [1, 1, 1]}, "position": list(position)}


class Separate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.scene = self.folder / "scene.json"

    def run_carom(self, *arguments):
        return subprocess.run([CAROM, *map(str, arguments)], capture_output=True, text=True,
                              timeout=60, check=False)

    def write(self, bodies, **more):
        self.scene.write_text(json.dumps({"carom": 1, "bodies": bodies, "duration": 0.01, **more}))

    def separated(self, bodies, **more):
        self.write(bodies, **more)
        result = self.run_carom("check", self.scene, "--separate")
        self.assertEqual(result.returncode, 0, result.stderr)
        out = self.folder / "scene-separated.json"
        self.assertEqual(self.run_carom("check", out).returncode, 0)
        return json.loads(out.read_text())

    def places(self, document):
        return {body["name"]: body.get("position", [0, 0, 0]) for body in document["bodies"]}

    def assert_near(self, place, expected):
        self.assertLess(math.dist(place, expected), 1e-6, (place, expected))

    def test_every_overlapping_pair_is_named_once_with_its_depth_the_deepest_first(self):
        self.write([GROUND, box("low", 0, 0, 0.4), box("high", 0, 0, 1.35), ball("away", 9, 0, 3)])
        result = self.run_carom("check", self.scene)
        self.assertEqual(result.returncode, 2)
        lines = result.stderr.strip().splitlines()
        self.assertEqual(len(lines), 2, result.stderr)
        self.assertIn("overlapping by 0.1 m", lines[0])
        self.assertIn('"ground"', lines[0])
        self.assertIn("overlapping by 0.05 m", lines[1])
        self.assertIn('"high"', lines[1])

    def test_two_balls_share_the_way(self):
        places = self.places(self.separated([ball("a", 0, 0, 0), ball("b", 0.8, 0, 0)]))
        self.assert_near(places["a"], [-0.1, 0, 0])
        self.assert_near(places["b"], [0.9, 0, 0])

    def test_a_sunken_tower_rises_and_the_ground_stays(self):
        tower = [box(f"b{i}", 0, 0, 0.45 + 0.95 * i) for i in range(5)]
        places = self.places(self.separated([GROUND, *tower, ball("away", 7, 0, 0.5)]))
        for i in range(5):
            self.assert_near(places[f"b{i}"], [0, 0, 0.5 + i])
        self.assert_near(places["away"], [7, 0, 0.5])
        self.assertEqual(places["ground"], [0, 0, 0])

    def test_grids_become_their_copies(self):
        bead = {**ball("bead", 0, 0, 0), "grid": {"count": [3, 1, 1], "spacing": [0.9, 1, 1]}}
        places = self.places(self.separated([bead]))
        self.assert_near(places["bead[0,0,0]"], [-0.1, 0, 0])
        self.assert_near(places["bead[1,0,0]"], [0.9, 0, 0])
        self.assert_near(places["bead[2,0,0]"], [1.9, 0, 0])

    def test_bodies_that_joints_connect_move_as_one_with_their_joint(self):
        joint = {"name": "j", "type": "hinge", "between": ["low", "high"], "anchor": [0, 0, 1],
                 "axis": [0, 1, 0]}
        document = self.separated([GROUND, box("low", 0, 0, 0.4), box("high", 0, 0, 1.6)],
                                  joints=[joint])
        places = self.places(document)
        self.assert_near(places["low"], [0, 0, 0.5])
        self.assert_near(places["high"], [0, 0, 1.7])
        self.assert_near(document["joints"][0]["anchor"], [0, 0, 1.1])

    def test_what_translations_cannot_open_is_refused(self):
        joint = {"name": "j", "type": "ball", "between": ["a", "b"], "anchor": [0, 0, 0], "collide": True}
        self.write([ball("a", 0, 0, 0), ball("b", 0.8, 0, 0)], joints=[joint])
        result = self.run_carom("check", self.scene, "--separate")
        self.assertEqual(result.returncode, 2)
        self.assertIn("hold together", result.stderr)
        lid = {"name": "lid", "motion": "fixed",
               "shape": {"type": "plane", "normal": [0, 0, -1], "offset": -0.9}}
        self.write([GROUND, lid, box("between", 0, 0, 0.5)])
        result = self.run_carom("check", self.scene, "--separate")
        self.assertEqual(result.returncode, 2)
        self.assertIn("keep from moving apart", result.stderr)

    def test_the_scene_itself_is_never_overwritten(self):
        self.write([ball("a", 0, 0, 0), ball("b", 0.8, 0, 0)])
        before = self.scene.read_bytes()
        self.assertEqual(self.run_carom("check", self.scene, "--separate", "--out", self.scene).returncode, 2)
        self.assertEqual(self.scene.read_bytes(), before)
        self.assertEqual(self.run_carom("check", self.scene, "--out", self.scene).returncode, 2)


if __name__ == "__main__":
    unittest.main()
