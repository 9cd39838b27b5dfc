"""Short whole runs of the program for the tests: a scene that every method takes, with every output."""

import json
import os
import subprocess
from pathlib import Path

CAROM = os.environ.get("CAROM_BIN", "carom")
ROOT = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2]))

METHODS = ("zeno-free", "naive", "time-stepping", "analytic", "microcollision", "elastic")

# What --out and the other options write, by a name that is the file's ending.
OUTPUTS = {
    "states.h5": "--out",
    "states.csv": "--out",
    "run.html": "--out",
    "run.glb": "--out",
    "events.csv": "--events",
    "forces.csv": "--forces",
    "contacts.csv": "--contacts",
    "summary.json": "--summary",
}


def make_scene(method, duration=0.2):
    """Balls that bounce and spin; a joint where the method takes one."""
    bodies = [
        {"name": "ground", "motion": "fixed", "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}},
        {"name": "left", "mass": 1, "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 0.12],
         "velocity": [0.5, 0, 0], "angular_velocity": [0, 3, 1]},
        {"name": "right", "mass": 2, "shape": {"type": "sphere", "radius": 0.1}, "position": [0.25, 0.01, 0.15]},
        {"name": "bob", "mass": 1, "shape": {"type": "sphere", "radius": 0.05}, "position": [0, 2, 1],
         "velocity": [1, 0, 0], "angular_velocity": [0, -2, 0]},  # turns about its anchor
    ]
    joints = [{"name": "string", "type": "ball", "between": ["ground", "bob"], "anchor": [0, 2, 1.5]}]
    return {
        "carom": 1,
        "name": "Two balls and a pendulum",
        # Naive stops where bounces get shorter without end: after 1.2 s instead of 0.2 s.
        "pairs": [{"materials": ["*", "*"], "restitution": 0.9 if method == "naive" else 0.5, "friction": 0.3}],
        "bodies": bodies,
        "joints": [] if method == "naive" else joints,
        "method": {"name": method},
        "duration": duration,
        "output": {"every": 0.01},
    }


def write_scene(folder, method, **more):
    path = Path(folder) / f"{method}.json"
    path.write_text(json.dumps(make_scene(method, **more)))
    return path


def outputs(folder, name):
    """The arguments for every output, and the paths."""
    paths = {ending: Path(folder) / f"{name}-{ending}" for ending in OUTPUTS}
    arguments = [str(part) for ending, path in paths.items() for part in (OUTPUTS[ending], path)]
    return arguments, paths


def run(*arguments, environment=None, before=(), timeout=60, cwd=None):
    """Runs carom; gives what subprocess.run gives, with text."""
    return subprocess.run([*before, CAROM, "run", "--quiet", *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout, check=False, cwd=cwd, env={**os.environ, **(environment or {})})
