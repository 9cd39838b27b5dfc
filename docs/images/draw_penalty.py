#!/usr/bin/env python3
"""Draws penalty forces against analytic ones: figure 2 of Baraff, and how many steps either takes (section 2.1).

    cmake --preset test && ninja -C build/test penalty_forces
    build/test/tests/penalty_forces > penalty.csv
    carom run scenes/stack-of-bricks.json --summary stack-of-bricks.json
    carom run papers/baraff/over-balanced-bricks.json --duration 0.25 --summary over-balanced-bricks.json
    docs/images/draw_penalty.py penalty.csv stack-of-bricks.json over-balanced-bricks.json
"""
import csv
import json
import math
import pathlib
import sys

from draw_impacts import INK, PALE, REST, SLIDE, STICK, Picture

EXAGGERATION = 300


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def square(picture, left, bottom, colour, width=2):
    corners = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]
    picture.line([(left + x, bottom + y) for x, y in corners], colour, width)


def blocks(rows):
    picture = Picture(-0.3, 9.6, -0.75, 1.6, 90)
    for left, words in ((0, f"penalty: depths drawn {EXAGGERATION} times as large"), (5, "analytic: none")):
        picture.line([(left - 0.2, 0), (left + 4.4, 0)], INK, 1.5)
        picture.text(left - 0.2, 1.35, words)
    for i, row in enumerate(rows):
        depth = float(row["depth"])
        square(picture, 1.5 * i, -EXAGGERATION * depth, REST)
        square(picture, 5 + 1.5 * i, 0, STICK)
        picture.text(1.5 * i + 0.5, 0.45, row["name"], anchor="middle")
        picture.text(1.5 * i + 0.5, -0.6, f"{1e3 * depth:.3g} mm", REST, "middle")
        picture.text(5 + 1.5 * i + 0.5, 0.45, row["name"], anchor="middle")
    picture.save("penalty-figure-2.svg")


def axes(picture, depths, counts):
    for k in range(depths[0], depths[1] + 1, 2):
        picture.line([(-k, counts[0]), (-k, counts[1])], PALE, 0.8)
        picture.text(-k, counts[0] - 0.35, f"10<tspan dy='-5' font-size='10'>{k}</tspan>", anchor="middle")
    for k in range(counts[0], counts[1] + 1):
        picture.line([(-depths[1], k), (-depths[0], k)], PALE, 0.8)
        picture.text(-depths[1] - 0.15, k - 0.05, f"10<tspan dy='-5' font-size='10'>{k}</tspan>", anchor="end")
    picture.text(-depths[1], counts[0] - 0.75, "greatest depth, m")
    picture.text(-depths[1], counts[1] + 0.25, "steps")


def steps(rows, summaries):
    """Finer to the right; depths below 1e-12 m stand there."""
    finest = 1e-12
    picture = Picture(1.2, 14, -1.1, 6.8, 50)
    axes(picture, (-12, -2), (0, 6))
    for (name, summary), colour in zip(summaries.items(), (SLIDE, REST)):
        points = [(-math.log10(float(r["depth"])), math.log10(float(r["steps"]))) for r in rows if r["name"] == name]
        picture.line(points, colour, 2)
        for point in points:
            picture.dot(*point, colour)
        words = name.replace("-", " ")
        picture.text(points[-1][0] + 0.2, points[-1][1], f"{words}, penalty", colour)
        depth = max(summary["audit"]["max_penetration"], finest)
        at = -math.log10(depth), math.log10(summary["steps"])
        picture.cross(*at)
        picture.text(at[0] - 0.2, at[1], f"{words}, analytic: {summary['steps']}", colour, "end")
    picture.save("penalty-steps.svg")


if __name__ == "__main__":
    found = read(sys.argv[1])
    blocks([row for row in found if row["part"] == "block"])
    steps([row for row in found if row["part"] == "steps"],
          {pathlib.Path(path).stem: json.loads(pathlib.Path(path).read_text()) for path in sys.argv[2:]})
