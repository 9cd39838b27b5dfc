#!/usr/bin/python3
"""Kills runs at random moments and resumes them: every recording opens, is a prefix of the uninterrupted run, and
resumed, also when the resumed run is killed in turn, ends with the bytes of the uninterrupted run; what stood under
an output's name before is still there or replaced whole.

    CAROM_BIN=build/release/bin/carom tests/cli/kills.py --kills 1000

Prints how many kills there were, by method and by what they met; exits with 1 at the first thing lost."""

import argparse
import collections
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

import runs

OLD = b"what stood there before\n"
# Simulated seconds that take a few tenths of a second.
DURATIONS = {"zeno-free": 3, "naive": 0.3, "time-stepping": 1, "analytic": 2, "microcollision": 2, "elastic": 1}


class Lost(AssertionError):
    pass


def check(condition, message):
    if not condition:
        raise Lost(message)


class Whole:
    """The uninterrupted run of a method."""

    def __init__(self, folder, method):
        self.method = method
        self.scene = runs.write_scene(folder, method, duration=DURATIONS[method])
        arguments, self.paths = runs.outputs(folder, f"whole-{method}")
        start = time.monotonic()
        result = runs.run(self.scene, *arguments)
        self.seconds = time.monotonic() - start
        self.status = result.returncode  # naive ends with 1 at a Zeno point
        check(self.status in (0, 1), result.stderr)
        self.bytes = {ending: path.read_bytes() for ending, path in self.paths.items() if ending != "summary.json"}


def kill_after(seconds, arguments):
    """Whether there was something left to kill."""
    with subprocess.Popen([runs.CAROM, "run", "--quiet", *map(str, arguments)], stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(timeout=seconds)
            return False
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
    return True


def check_prefix(path, whole):
    """Whether there is a checkpoint to go on from."""
    with h5py.File(path, "r") as file, h5py.File(whole.paths["states.h5"], "r") as truth:
        rows = len(file["states/time"])
        for name in ("time", "position", "orientation", "velocity", "angular_velocity"):
            check(np.array_equal(file["states"][name][:rows], truth["states"][name][:rows]), f"{path}: {name}")
        return bool(file["checkpoints/sequence"][:].any())


def check_old_files(paths, whole):
    for ending, path in paths.items():
        if ending in ("states.h5", "summary.json") or not path.exists():
            continue
        found = path.read_bytes()
        grows = not found.startswith(OLD) and whole.bytes[ending].startswith(found)
        check(found in (OLD, whole.bytes[ending]) or grows, f"{path} is neither the old file nor of the new run")


def resume(paths, arguments, whole):
    result = runs.run("--resume", paths["states.h5"], *arguments)
    check(result.returncode == whole.status, f"resuming: {result.stderr}")
    for ending, bytes_ in whole.bytes.items():
        check(paths[ending].read_bytes() == bytes_, f"{paths[ending]} differs from the uninterrupted run's")


def kill_once(folder, whole, chance):
    """One kill, perhaps more of the resumed run; what they met."""
    name = f"killed-{whole.method}"
    arguments, paths = runs.outputs(folder, name)
    for path in Path(folder).glob(name + "*"):
        path.unlink()
    if chance.random() < 0.5:
        for ending in ("states.csv", "events.csv", "run.html", "run.glb", "contacts.csv"):
            paths[ending].write_bytes(OLD)
    if not kill_after(chance.uniform(0, 1.1 * whole.seconds), [whole.scene, *arguments]):
        return collections.Counter({"ended before": 1})
    met = collections.Counter({"kills": 1})
    check_old_files(paths, whole)
    if not paths["states.h5"].exists():
        return met + collections.Counter({"before the recording began": 1})
    if not check_prefix(paths["states.h5"], whole):
        return met + collections.Counter({"before the first checkpoint": 1})
    while chance.random() < 0.3:
        again = ["--resume", paths["states.h5"], *arguments]
        if not kill_after(chance.uniform(0, whole.seconds), again):
            break
        met += collections.Counter({"kills": 1, "of a resumed run": 1})
        check(check_prefix(paths["states.h5"], whole), "the checkpoint was lost")
    resume(paths, arguments, whole)
    return met + collections.Counter({"resumed to the same bytes": 1})


def campaign(folder, kills, seed, methods=runs.METHODS):
    """Totals by method, over at least so many kills."""
    chance = random.Random(seed)
    wholes = [Whole(folder, method) for method in methods]
    totals = {method: collections.Counter() for method in methods}
    while sum(total["kills"] for total in totals.values()) < kills:
        for whole in wholes:
            totals[whole.method] += kill_once(folder, whole, chance)
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        totals = campaign(Path(folder), options.kills, options.seed)
    for method, total in totals.items():
        print(f"{method:<15}", ", ".join(f"{name} {count}" for name, count in sorted(total.items())))
    print("all", sum(total["kills"] for total in totals.values()), "kills: nothing lost")


if __name__ == "__main__":
    try:
        main()
    except Lost as lost:
        sys.exit(f"lost: {lost}")
