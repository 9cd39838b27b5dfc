"""What a run leaves behind, read by others' programs: HDF5 with h5py, CSV, summary JSON, glTF.
CAROM_BIN names the program."""

import csv
import json
import os
import signal
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

CAROM = os.environ.get("CAROM_BIN", "carom")

SCENE = {
    "carom": 1,
    "name": "beads on a floor",
    "materials": {"glass": {"color": "#3080ff"}, "floor": {}},
    "pairs": [{"materials": ["*", "*"], "restitution": 0.5, "friction": 0.2}],
    "bodies": [
        {"name": "ground", "motion": "fixed", "material": "floor",
         "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}},
        {"name": "bead", "material": "glass", "position": [0, 0, 0.5],
         "angular_velocity": [1, 2, 3],
         "shape": {"type": "sphere", "radius": 0.1},
         "grid": {"count": [2, 2, 1], "spacing": [0.3, 0.3, 0.3], "jitter": 0.01, "seed": 1}},
        {"name": "brick", "shape": {"type": "box", "size": [0.2, 0.3, 0.1]},
         "position": [2, 0, 60], "angular_velocity": [5, 0, 1]},
    ],
    "method": {"name": "zeno-free", "step": 0.001},
    "duration": 1,
    "output": {"every": 0.01},
}


class RunCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.scene = self.folder / "scene.json"
        self.scene.write_text(json.dumps(SCENE))

    def path(self, name):
        return self.folder / name

    def run_carom(self, *arguments):
        result = subprocess.run([CAROM, "run", self.scene, "--quiet", *map(str, arguments)],
                                capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)

    def read_csv(self, name):
        with open(self.path(name), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Recordings(RunCase):
    def setUp(self):
        super().setUp()
        self.run_carom("--out", self.path("run.h5"), "--out", self.path("states.csv"),
                       "--events", self.path("events.csv"), "--forces", self.path("forces.csv"),
                       "--contacts", self.path("contacts.csv"), "--summary", self.path("summary.json"))
        self.file = h5py.File(self.path("run.h5"), "r")
        self.addCleanup(self.file.close)
        self.names = list(self.file["bodies/name"].asstr())

    def test_states_are_those_of_the_csv_bit_for_bit(self):
        states = self.file["states"]
        rows = self.read_csv("states.csv")
        self.assertEqual(len(rows), len(states["time"]) * len(self.names))
        columns = {"position": ["x", "y", "z"], "orientation": ["qw", "qx", "qy", "qz"],
                   "velocity": ["vx", "vy", "vz"], "angular_velocity": ["wx", "wy", "wz"]}
        for dataset, names in columns.items():
            values = np.array([[float(row[name]) for name in names] for row in rows])
            np.testing.assert_array_equal(states[dataset][:].reshape(values.shape), values)
        np.testing.assert_array_equal(np.repeat(states["time"][:], len(self.names)),
                                      [float(row["time"]) for row in rows])
        self.assertEqual([row["body"] for row in rows[:len(self.names)]], self.names)

    def test_output_times_are_multiples_of_the_interval(self):
        np.testing.assert_allclose(self.file["states/time"][:], 0.01 * np.arange(101), atol=1e-12)

    def test_events_are_those_of_the_csv_bit_for_bit(self):
        events = self.file["events"][:]
        rows = self.read_csv("events.csv")
        self.assertGreater(len(rows), 0)
        self.assertEqual(len(rows), len(events))
        kinds = {value: name for name, value in
                 h5py.check_enum_dtype(events.dtype["event"]).items()}
        for row, event in zip(rows, events):
            self.assertEqual(row["event"], kinds[event["event"]])
            self.assertEqual(row["body_a"], self.names[event["body_a"]])
            self.assertEqual(row["body_b"], self.names[event["body_b"]])
            self.assertEqual([float(row[c]) for c in ("x", "y", "z")], list(event["point"]))
            self.assertEqual([float(row[c]) for c in ("nx", "ny", "nz")], list(event["normal"]))
            self.assertEqual([float(row[c]) for c in ("jx", "jy", "jz")], list(event["impulse"]))
            self.assertEqual(float(row["approach_speed"]), event["approach_speed"])

    def test_forces_are_those_of_the_csv_bit_for_bit(self):
        forces = self.file["forces"][:]
        rows = self.read_csv("forces.csv")
        self.assertGreater(len(rows), 0)
        self.assertEqual(len(rows), len(forces))
        for row, force in zip(rows, forces):
            self.assertEqual(float(row["time"]), force["time"])
            self.assertEqual(row["kind"], "contact" if force["joint"] < 0 else "joint")
            self.assertEqual(row["body_a"], self.names[force["body_a"]])
            self.assertEqual(row["body_b"], self.names[force["body_b"]])
            for field, columns in {"point": "x y z", "force": "fx fy fz", "torque": "tx ty tz"}.items():
                self.assertEqual([float(row[c]) for c in columns.split()], list(force[field]))
        self.assertLessEqual(set(forces["time"]), set(self.file["states/time"][:]))

    def test_contacts_are_those_of_the_csv_bit_for_bit(self):
        contacts = self.file["contacts"][:]
        rows = self.read_csv("contacts.csv")
        self.assertGreater(len(rows), 0)
        self.assertEqual(len(rows), len(contacts))
        for row, contact in zip(rows, contacts):
            self.assertEqual(row["body_a"], self.names[contact["body_a"]])
            self.assertEqual(row["body_b"], self.names[contact["body_b"]])
            for name in ("impacts", "microcollisions"):
                self.assertEqual(int(row[name]), contact[name])
            for name in ("first_time", "last_time", "normal_impulse", "greatest_impulse"):
                self.assertEqual(float(row[name]), contact[name])
            for field, columns in {"impulse": "jx jy jz", "mean_force": "fx fy fz"}.items():
                self.assertEqual([float(row[c]) for c in columns.split()], list(contact[field]))

    def test_what_a_body_took_from_its_contacts_is_its_change_of_momentum(self):
        """The ground gives each bead, over the whole run, what gravity took and what it gained."""
        mass = 1000 * 4 / 3 * np.pi * 0.1**3
        velocity = self.file["states/velocity"][:, :, 2]
        for number, name in enumerate(self.names):
            if not name.startswith("bead"):
                continue
            taken = sum(-c["impulse"][2] if c["body_b"] == number else c["impulse"][2]
                        for c in self.file["contacts"][:] if number in (c["body_a"], c["body_b"]))
            gained = mass * (velocity[-1, number] - velocity[0, number] + 9.81 * 1)
            self.assertAlmostEqual(taken, gained, delta=1e-9 * mass)

    def test_impacts_are_counted_pair_by_pair(self):
        events = self.file["events"][:]
        for contact in self.file["contacts"][:]:
            pair = {contact["body_a"], contact["body_b"]}
            impacts = [e for e in events if e["event"] == 0 and {e["body_a"], e["body_b"]} == pair]
            self.assertEqual(contact["impacts"], len(impacts))

    def test_a_bead_at_rest_is_pushed_up_by_its_weight(self):
        last = [row for row in self.read_csv("forces.csv") if float(row["time"]) == 1]
        self.assertTrue(last)
        for row in last:
            self.assertEqual(row["body_b"], "ground")
            np.testing.assert_allclose(float(row["fz"]), 9.81 * 1000 * 4 / 3 * np.pi * 0.1**3, rtol=1e-9)

    def test_events_before_counts_the_events_up_to_each_output(self):
        before = self.file["states/events_before"][:]
        times = self.file["events"]["time"]
        self.assertTrue(np.all(np.diff(before) >= 0))
        for time_of_output, count in zip(self.file["states/time"][:], before):
            self.assertTrue(np.all(times[:count] <= time_of_output + 1e-9))

    def test_the_scene_and_the_settings_are_inside(self):
        scene = json.loads(self.file["scene"][()])
        self.assertEqual(scene["name"], SCENE["name"])
        self.assertEqual(self.file.attrs["carom_format"], 11)
        self.assertEqual(self.file.attrs["method"].decode(), "zeno-free")
        version = subprocess.run([CAROM, "--version"], capture_output=True, text=True, check=True)
        self.assertIn(self.file.attrs["carom_version"].decode(), version.stdout)

    def test_every_dataset_of_rows_is_compressed_and_has_checksums(self):
        def check(name, item):
            if isinstance(item, h5py.Dataset) and item.shape:
                self.assertTrue(item.fletcher32 and item.shuffle and item.compression == "gzip", name)
        self.file.visititems(check)

    def test_the_potential_energy_is_that_of_the_positions(self):
        mass = {"brick": 1000 * 0.2 * 0.3 * 0.1}
        bead = 1000 * 4 / 3 * np.pi * 0.1**3
        masses = np.array([0 if n == "ground" else mass.get(n, bead) for n in self.names])
        heights = self.file["states/position"][:, :, 2]
        potential = self.file["energy/potential"][:]
        expected = 9.81 * (heights * masses).sum(axis=1)
        np.testing.assert_allclose(potential - potential[0], expected - expected[0], atol=1e-9)

    def test_the_audit_and_the_summary_are_those_of_the_json(self):
        summary = json.loads(self.path("summary.json").read_text())
        attributes = self.file["audit"].attrs
        self.assertEqual(attributes["verdict"].decode(), summary["audit"]["verdict"])
        self.assertEqual(summary["audit"]["failures"], [])
        for key, value in summary["audit"]["limits"].items():
            self.assertEqual(attributes[f"limit_{key}"], value, key)
        for key, value in summary["audit"].items():
            if isinstance(value, float):
                self.assertEqual(attributes[key], value, key)
        attributes = self.file["summary"].attrs
        self.assertEqual(attributes["finished"], 1)
        self.assertEqual(attributes["steps"], summary["steps"])
        self.assertEqual(list(attributes["events"]), list(summary["events"].values()))


class Reproducibility(RunCase):
    def test_the_same_run_gives_the_same_bytes(self):
        for name in ("a", "b"):
            self.run_carom("--out", self.path(name + ".h5"), "--out", self.path(name + ".csv"),
                           "--out", self.path(name + ".glb"), "--out", self.path(name + ".html"))
        for ending in (".h5", ".csv", ".glb", ".html"):
            self.assertEqual(self.path("a" + ending).read_bytes(),
                             self.path("b" + ending).read_bytes(), ending)

    def start_and_kill(self, path, seconds):
        with subprocess.Popen([CAROM, "run", self.scene, "--quiet", "--out", path],
                              stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 30
            while not path.exists() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)

    def test_a_killed_run_opens_and_resumes_to_the_same_bytes(self):
        scene = dict(SCENE, duration=3)
        self.scene.write_text(json.dumps(scene))
        self.run_carom("--out", self.path("whole.h5"))
        resumed = 0
        for attempt in range(8):
            path = self.path(f"killed{attempt}.h5")
            self.start_and_kill(path, 0.01 * attempt)
            with h5py.File(path, "r") as file:
                rows = len(file["states/time"])
                for name in ("position", "orientation", "velocity", "angular_velocity"):
                    self.assertGreaterEqual(len(file["states"][name][:]), rows)
                if not file["checkpoints/sequence"][:].any():
                    continue
            self.run_carom("--resume", path)
            self.assertEqual(path.read_bytes(), self.path("whole.h5").read_bytes())
            resumed += 1
        self.assertGreater(resumed, 0)


# Widths from the glTF 2.0 specification, 3.6.2.
COMPONENT_BYTES = {5125: 4, 5126: 4}
COMPONENTS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class Animations(RunCase):
    def setUp(self):
        super().setUp()
        self.run_carom("--out", self.path("run.glb"))
        self.bytes = self.path("run.glb").read_bytes()
        length, kind = struct.unpack_from("<II", self.bytes, 12)
        self.assertEqual(kind, 0x4E4F534A)
        self.document = json.loads(self.bytes[20:20 + length])
        self.binary_at = 20 + length

    def values(self, index):
        accessor = self.document["accessors"][index]
        view = self.document["bufferViews"][accessor["bufferView"]]
        width = COMPONENTS[accessor["type"]]
        kind = {5125: "<u4", 5126: "<f4"}[accessor["componentType"]]
        start = self.binary_at + 8 + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        values = np.frombuffer(self.bytes, kind, accessor["count"] * width, start)
        return values.reshape(accessor["count"], width)

    def test_the_container_is_as_long_as_it_says(self):
        magic, version, length = struct.unpack_from("<4sII", self.bytes, 0)
        self.assertEqual((magic, version, length), (b"glTF", 2, len(self.bytes)))
        binary, kind = struct.unpack_from("<II", self.bytes, self.binary_at)
        self.assertEqual(kind, 0x004E4942)
        self.assertEqual(self.binary_at + 8 + binary, len(self.bytes))
        self.assertEqual(self.binary_at % 4, 0)
        self.assertLessEqual(self.document["buffers"][0]["byteLength"], binary)

    def test_every_accessor_lies_within_its_view_and_its_bounds_hold(self):
        size = self.document["buffers"][0]["byteLength"]
        for view in self.document["bufferViews"]:
            self.assertLessEqual(view.get("byteOffset", 0) + view["byteLength"], size)
        for index, accessor in enumerate(self.document["accessors"]):
            view = self.document["bufferViews"][accessor["bufferView"]]
            used = (accessor["count"] * COMPONENTS[accessor["type"]]
                    * COMPONENT_BYTES[accessor["componentType"]])
            self.assertLessEqual(accessor.get("byteOffset", 0) + used, view["byteLength"])
            if "min" in accessor:
                values = self.values(index)
                np.testing.assert_allclose(values.min(axis=0), accessor["min"], rtol=1e-6)
                np.testing.assert_allclose(values.max(axis=0), accessor["max"], rtol=1e-6)

    def test_triangles_refer_to_vertices_that_exist_and_normals_are_unit(self):
        for mesh in self.document["meshes"]:
            for primitive in mesh["primitives"]:
                vertices = self.values(primitive["attributes"]["POSITION"])
                normals = self.values(primitive["attributes"]["NORMAL"])
                self.assertLess(self.values(primitive["indices"]).max(), len(vertices))
                np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-6)

    def test_key_frames_are_the_outputs_of_the_moving_bodies(self):
        (animation,) = self.document["animations"]
        self.assertEqual(len(animation["channels"]), 2 * 5)  # four beads and a brick
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times = self.values(sampler["input"])[:, 0]
            self.assertEqual(len(times), 101)
            self.assertTrue(np.all(np.diff(times) > 0))
            frames = self.values(sampler["output"])
            self.assertEqual(len(frames), 101)
            if channel["target"]["path"] == "rotation":
                np.testing.assert_allclose(np.linalg.norm(frames, axis=1), 1, atol=1e-6)
                self.assertTrue(np.all(np.sum(frames[1:] * frames[:-1], axis=1) > 0))


if __name__ == "__main__":
    unittest.main()
