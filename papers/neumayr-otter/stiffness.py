#!/usr/bin/env python3
"""How elastic results go to those of rigid laws as bodies become stiffer. Two tables for docs/methods/figures/elastic.md:

one contact, for every reduction and Young's modulus, with slopes against their product:
bounce   A ball that meets a plane at 1 m/s under gravity with restitution 0.5: how far the speed it leaves with is from
         0.5 m/s.
roll     two-balls.json: how far the velocities at 0.8 s, when both balls roll again, are from those of sliding, rolling
         and an instantaneous exchange in closed form. Turning is resisted from 1e-4 rad/s on: a `least_spin` of 0.01
         rad/s adds 1e-6 m/s, however stiff the balls are.
several contacts:
several  Balls that touch when they are struck, three in line and a rack of fifteen: the greatest distance of a velocity
         from what impact laws for rigid bodies give, one strike at 1 m/s.

    papers/neumayr-otter/stiffness.py [CAROM]
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCENES = HERE.parents[1] / "scenes"
GRAVITY, RADIUS = 9.81, 0.03
REDUCTIONS, MODULI = (1e-4, 1e-3, 1e-2, 1e-1, 1), (1, 1e2, 1e4, 1e6)
TOLERANCE = 1e-9


def run(carom, folder, scene, *arguments, **settings):
    """What every body does at the end; events."""
    states, events = folder / "states.csv", folder / "events.csv"
    changes = [part for path, value in settings.items() for part in ("--set", f"{path}={json.dumps(value)}")]
    subprocess.run([carom, "run", scene, *arguments, *changes, "--out", states, "--events", events, "--quiet"], check=True)
    with open(states, newline="") as file:
        last = {row["body"]: row for row in csv.DictReader(file)}
    with open(events, newline="") as file:
        return last, list(csv.DictReader(file))


def stiffened(modulus, **materials):
    return {f"/materials/{name}/youngs_modulus": modulus * youngs for name, youngs in materials.items()}


def bounce(carom, folder, reduction, modulus):
    _, events = run(carom, folder, HERE / "ball-impact.json", **stiffened(modulus, ball=5.4e9, table=2.1e11), **{
        "/gravity": [0, 0, -GRAVITY], "/method": {"name": "elastic", "tolerance": TOLERANCE, "reduction": reduction},
        "/duration": 0.05, "/output/every": 0.05})
    speed = next(float(event["separation_speed"]) for event in events if event["event"] == "contact-end")
    return abs(speed - 0.5)


def rolling_velocities(moment):
    """Of the cue and the object ball of two-balls.json, at a moment when both roll again."""
    slides, resists, way = 0.6 * GRAVITY, 0.02 * GRAVITY, 1.5 - 0.2 - 2 * RADIUS
    slowing = 5 / 7 * resists
    rolls_at = 3 / (3.5 * slides - 2.5 * resists)
    speed = 3 - slides * rolls_at
    left = way - 3 * rolls_at + slides * rolls_at**2 / 2
    at_impact = math.sqrt(speed**2 - 2 * slowing * left)
    impact = rolls_at + (speed - at_impact) / slowing
    cue_rolls = at_impact / (3.5 * slides + 2.5 * resists)
    object_rolls = at_impact / (3.5 * slides - 2.5 * resists)
    return (slides * cue_rolls - slowing * (moment - impact - cue_rolls),
            at_impact - slides * object_rolls - slowing * (moment - impact - object_rolls))


def roll(carom, folder, reduction, modulus):
    last, _ = run(carom, folder, HERE / "two-balls.json", **stiffened(modulus, ball=5.4e9, table=2.1e11), **{
        "/method": {"name": "elastic", "tolerance": TOLERANCE, "reduction": reduction, "least_spin": 1e-4},
        "/duration": 0.8, "/output/every": 0.8})
    return max(abs(float(last[name]["vx"]) - v) for name, v in zip(("cue", "object"), rolling_velocities(0.8)))


def slope(points):
    """Of the line through logarithms with the least squares."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    x_mean, y_mean = (sum(column) / len(logs) for column in zip(*logs))
    return sum((x - x_mean) * (y - y_mean) for x, y in logs) / sum((x - x_mean)**2 for x, _ in logs)


def one_contact(carom, folder):
    print("| k_red |" + "".join(f" E × {modulus:g} |" for modulus in MODULI))
    print("| --- |" + " --- |" * len(MODULI))
    points = {bounce: [], roll: []}
    for reduction in REDUCTIONS:
        print(f"| {reduction:g} |", end="")
        for modulus in MODULI:
            for difference, found in points.items():
                found.append((reduction * modulus, difference(carom, folder, reduction, modulus)))
            print("", ", ".join(f"{found[-1][1]:.2e}" for found in points.values()), end=" |", flush=True)
        print()
    for difference, found in points.items():
        stiff = [point for point in found if point[0] > 0.99]
        print(f"\n{difference.__name__}: slope {slope(found):.3f}, from k_red E = 1 on {slope(stiff):.3f}")
    print()


def velocities(last):
    return [float(row[component]) for row in last.values() for component in ("vx", "vy")]


def several(carom, folder):
    laws = ("simultaneous", "sequential", "reflections")
    print("| scene | E, Pa | k_red |" + "".join(f" {law} |" for law in laws) + " the stiffest |")
    print("| --- |" + " --- |" * 6)
    for name in ("newtons-cradle-3", "touching-break"):
        scene = SCENES / f"{name}.json"
        rigid = {law: velocities(run(carom, folder, scene, "--method", "zeno-free", "--impact", law)[0]) for law in laws}
        for modulus, reduction in ((1e15, 1), (1e13, 1), (1e11, 1), (1e9, 1), (1e9, 1e-4)):
            last, _ = run(carom, folder, scene, **{
                "/method": {"name": "elastic", "tolerance": TOLERANCE, "reduction": reduction},
                "/materials": {"default": {"youngs_modulus": modulus}}, "/duration": 0.01 * reduction**-0.4})
            found = velocities(last)
            rigid.setdefault("the stiffest", found)
            far = (max(abs(a - b) for a, b in zip(found, other)) for other in rigid.values())
            print(f"| {name} | {modulus:g} | {reduction:g} |" + "".join(f" {value:.4g} |" for value in far), flush=True)


def main():
    carom = sys.argv[1] if len(sys.argv) > 1 else str(HERE.parents[1] / "carom")
    with tempfile.TemporaryDirectory() as folder:
        one_contact(carom, pathlib.Path(folder))
        several(carom, pathlib.Path(folder))


if __name__ == "__main__":
    main()
