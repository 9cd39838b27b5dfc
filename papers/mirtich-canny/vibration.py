#!/usr/bin/env python3
"""What the microcollisions of a lasting contact add to the motion, against epsilon. Two tables for
docs/methods/figures/microcollision.md:

platter  The ball on the platter keeps its radius if it rolls ideally. How much the radius grows in one turn of 7.33 s,
         and how far the ball is from its ideal place after it, for hops of epsilon times its diameter; and the growth
         without the rule of section 4.5, when every hop, of T = 2 u_c / g, is a step of explicit Euler.
rates    Microcollisions per second of a ball and of a block at rest, beside g / (2 u_c) of a body that only hops up and
         down, u_c = sqrt(2 g epsilon d), and the mean force beside the weight, for several epsilon and restitutions.

    papers/mirtich-canny/vibration.py [CAROM]
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAVITY = 9.81
TURN = 2 * math.pi / (2 / 7 * 3)  # s; the platter turns at 3 rad/s


def run(carom, scene, folder, **settings):
    """States of the last body by time, and the summary."""
    states, summary, forces = (folder / name for name in ("s.csv", "s.json", "f.csv"))
    changes = [part for path, value in settings.items() for part in ("--set", f"{path}={json.dumps(value)}")]
    subprocess.run([carom, "run", scene, "--method", "microcollision", *changes, "--out", states, "--summary", summary,
                    "--forces", forces, "--quiet"], check=True)
    with open(states, newline="") as file:
        rows = list(csv.DictReader(file))
    with open(forces, newline="") as file:
        pushes = list(csv.DictReader(file))
    last = rows[-1]["body"]
    return [row for row in rows if row["body"] == last], json.loads(summary.read_text()), pushes


def grown(carom, folder, epsilon, static_friction):
    """By how much of itself the radius grows in one turn; how far the ball then is from its ideal place, m."""
    rows, _, _ = run(carom, ROOT / "scenes/ball-on-platter.json", folder, **{
        "/method/epsilon": epsilon, "/method/static_friction": static_friction, "/duration": TURN, "/output/every": TURN / 100})
    x, y = float(rows[-1]["x"]), float(rows[-1]["y"])
    return math.hypot(x + 0.25, y) / 0.35 - 1, math.hypot(x - 0.1, y)


def platter(carom, folder):
    print("| epsilon | growth in one turn | distance from the ideal place | growth without static_friction | e^(π (2/7) Ω T) - 1 |")
    print("| --- | --- | --- | --- | --- |")
    for epsilon in (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5):
        growth, far = grown(carom, folder, epsilon, True)
        without, _ = grown(carom, folder, epsilon, False)
        flight = 2 * math.sqrt(2 * GRAVITY * epsilon * 0.04) / GRAVITY
        euler = math.expm1(math.pi * 2 / 7 * 3 * flight)
        print(f"| {epsilon:g} | {growth:.1e} | {1e6 * far:.2g} µm | {without:.2e} | {euler:.2e} |", flush=True)


def rates(carom, folder):
    print("| body | e | epsilon | microcollisions a second | g / (2 u_c) | mean force / weight | energy put in, of m g epsilon d |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    floor = {"name": "floor", "motion": "fixed", "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}}
    shapes = {"ball": ({"type": "sphere", "radius": 0.1}, 0.2), "block": ({"type": "box", "size": [0.2, 0.2, 0.2]}, 0.2 * math.sqrt(3))}
    for name, (shape, diameter) in shapes.items():
        for restitution in (0, 0.5, 0.9):
            for epsilon in (1e-3, 1e-4, 1e-5):
                scene = {"carom": 1, "pairs": [{"materials": ["*", "*"], "restitution": restitution, "friction": 0.3}],
                         "bodies": [floor, {"name": name, "mass": 1, "shape": shape, "position": [0, 0, 0.1]}],
                         "method": {"name": "microcollision", "epsilon": epsilon}, "duration": 10, "output": {"every": 10}}
                (folder / "rest.json").write_text(json.dumps(scene))
                _, summary, pushes = run(carom, folder / "rest.json", folder)
                hop = math.sqrt(2 * GRAVITY * epsilon * diameter)
                count = summary["events"]["microcollision"] + summary["events"]["impact"]
                force = abs(float(pushes[-1]["fz"])) / GRAVITY
                put_in = summary["microcollisions"]["energy_in"] / (GRAVITY * epsilon * diameter)
                print(f"| {name} | {restitution} | {epsilon:g} | {count / 10:.0f} | {GRAVITY / (2 * hop):.0f} | {force:.4f} | {put_in:.1f} |", flush=True)


def main():
    carom = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "carom")
    with tempfile.TemporaryDirectory() as folder:
        platter(carom, pathlib.Path(folder))
        print()
        rates(carom, pathlib.Path(folder))


if __name__ == "__main__":
    main()
