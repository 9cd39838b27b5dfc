"""Outputs never touch inputs or each other, old files survive, and a recording goes on only as what it is.
CAROM_BIN names the program."""

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path

import h5py

import runs

MESH = runs.ROOT / "tests" / "unit" / "io" / "meshes" / "bracket.obj"


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.scene = runs.write_scene(self.folder, "zeno-free", duration=0.05)

    def contents(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def assert_refused(self, *arguments, says=(), cwd=None):
        """Exit status 2, a message with all of `says`, and every file as it was."""
        before = self.contents()
        result = runs.run(*arguments, cwd=cwd)
        self.assertEqual(result.returncode, 2, result.stderr)
        for part in says:
            self.assertIn(part, result.stderr)
        self.assertEqual(self.contents(), before)

    def run_carom(self, *arguments, **how):
        result = runs.run(*arguments, **how)
        self.assertEqual(result.returncode, 0, result.stderr)


class Collisions(Folder):
    def test_no_output_is_written_over_the_scene(self):
        for option in ("--events", "--forces", "--contacts", "--summary"):
            self.assert_refused(self.scene, option, self.scene, says=[option, "reads"])
        os.link(self.scene, self.folder / "hard.csv")
        (self.folder / "soft.csv").symlink_to(self.scene.name)
        for name in ("hard.csv", "soft.csv"):
            self.assert_refused(self.scene, "--out", self.folder / name, says=["reads"])

    def test_no_output_is_written_over_a_mesh_of_the_scene(self):
        self.use_mesh()
        self.assert_refused(self.scene, "--summary", self.folder / "floor.obj", says=["--summary", "floor.obj"])

    def use_mesh(self):
        shutil.copy(MESH, self.folder / "floor.obj")
        scene = runs.make_scene("zeno-free", duration=0.05)
        scene["bodies"].append({"name": "bracket", "motion": "fixed", "position": [5, 5, 5],
                                "shape": {"type": "mesh", "file": "floor.obj"}})
        self.scene.write_text(json.dumps(scene))

    def test_no_two_outputs_are_one_file(self):
        (self.folder / "sub").mkdir()
        (self.folder / "linked").symlink_to("sub")
        for one, other in (("a.csv", "a.csv"), ("a.csv", "sub/../a.csv"), ("sub/a.csv", "linked/a.csv")):
            self.assert_refused(self.scene, "--out", self.folder / one, "--events", self.folder / other,
                                says=["--events", "--out", "same file"])
        self.assert_refused(self.scene, "--out", "b.h5", "--out", "b.h5", says=["same file"], cwd=self.folder)
        self.assert_refused(self.scene, "--out", "b.h5", "--out", "./b.h5", says=["same file"], cwd=self.folder)

    def test_only_out_may_be_the_recording_that_is_resumed(self):
        recording = self.folder / "run.h5"
        self.run_carom(self.scene, "--out", recording)
        self.assert_refused("--resume", recording, "--summary", recording, says=["--summary", "reads"])
        self.run_carom("--resume", recording, "--out", recording, "--duration", "0.06")

    def test_devices_take_several_outputs(self):
        self.run_carom(self.scene, "--events", "/dev/null", "--forces", "/dev/null", "--summary", "/dev/null")


class Failures(Folder):
    def test_a_full_disk_is_named_and_old_files_survive(self):
        old = self.folder / "old.csv"
        old.write_text("old")
        result = runs.run(self.scene, "--out", old, "--events", "/dev/full")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/dev/full: No space left on device", result.stderr)
        self.assertEqual(old.read_text(), "old")

    def test_a_missing_folder_is_named_before_the_run(self):
        for option in ("--out", "--events", "--summary", "--contacts"):
            result = runs.run(self.scene, option, self.folder / "none" / "a.csv")
            self.assertIn(result.returncode, (1, 2))
            self.assertIn("No such file or directory", result.stderr)


class Resuming(Folder):
    def setUp(self):
        super().setUp()
        self.recording = self.folder / "run.h5"
        self.run_carom(self.scene, "--out", self.recording)

    def test_another_method_scene_or_value_is_refused_by_name(self):
        resume = ["--resume", self.recording]
        self.assert_refused(*resume, "--method", "naive", says=["/method/name", '"naive"', '"zeno-free"'])
        self.assert_refused(*resume, "--step", "0.01", says=["/method/step", "0.01"])
        self.assert_refused(*resume, "--set", "/bodies/1/mass=7", says=["/bodies/1/mass", "found 7", "1"])
        self.assert_refused(*resume, "--set", "/output/every=0.02", says=["/output/every"])
        other = runs.make_scene("zeno-free", duration=0.05)
        other["bodies"].pop()
        other["joints"] = []
        (self.folder / "other.json").write_text(json.dumps(other))
        self.assert_refused(self.folder / "other.json", *resume, says=["/bodies", "other.json"])

    def test_less_than_is_recorded_is_refused(self):
        self.assert_refused("--resume", self.recording, "--duration", "0.01", says=["/duration", "0.05"])

    def test_the_same_scene_and_a_longer_time_are_taken(self):
        self.run_carom(self.scene, "--resume", self.recording, "--duration", "0.1", "--method", "zeno-free",
                       "--threads", "2")
        self.run_carom(self.scene, "--out", self.folder / "whole.h5", "--duration", "0.1")
        self.assertEqual(self.recording.read_bytes(), (self.folder / "whole.h5").read_bytes())

    def test_damage_is_named(self):
        with h5py.File(self.recording, "r") as file:
            chunk = file["states/position"].id.get_chunk_info(0)
        damaged = bytearray(self.recording.read_bytes())
        damaged[chunk.byte_offset + 10] ^= 1
        self.recording.write_bytes(damaged)
        self.assert_refused("--resume", self.recording, says=["run.h5", "/states/position", "damage"])
        with h5py.File(self.recording, "r") as file, self.assertRaises(OSError):
            file["states/position"][:]


class MovedRecordings(Folder):
    def test_a_recording_carries_the_meshes_and_hulls_of_its_scene(self):
        (self.folder / "meshes").mkdir()
        shutil.copy(MESH, self.folder / "meshes" / "bracket.obj")
        scene = runs.make_scene("zeno-free", duration=0.05)
        scene["bodies"] += [
            {"name": "mesh", "motion": "fixed", "position": [5, 5, 5],
             "shape": {"type": "mesh", "file": "meshes/bracket.obj"}},
            {"name": "hull", "mass": 1, "position": [-5, 5, 5], "shape": {"type": "hull", "file": "meshes/bracket.obj"}},
        ]
        self.scene.write_text(json.dumps(scene))
        self.run_carom(self.scene, "--out", self.folder / "half.h5")
        self.run_carom(self.scene, "--out", self.folder / "whole.h5", "--duration", "0.1")
        with tempfile.TemporaryDirectory() as elsewhere:
            moved = Path(elsewhere) / "moved.h5"
            shutil.copy(self.folder / "half.h5", moved)
            self.run_carom(self.scene, "--resume", moved, "--out", Path(elsewhere) / "b.h5", "--duration", "0.1")
            shutil.rmtree(self.folder / "meshes")
            self.run_carom("--resume", moved, "--duration", "0.1", cwd=elsewhere)
            for path in (moved, Path(elsewhere) / "b.h5"):
                self.assertEqual(path.read_bytes(), (self.folder / "whole.h5").read_bytes())


if __name__ == "__main__":
    unittest.main()
