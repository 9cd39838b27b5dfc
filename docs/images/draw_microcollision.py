#!/usr/bin/env python3
"""Draws a ball on a spinning platter and a bowling lane, after figures 9 and 11 of Mirtich & Canny, from our own runs.

    carom run scenes/ball-on-platter.json --duration 7.36 --out platter.csv
    carom run scenes/ball-on-platter.json --set /pairs/0/rolling_friction=0.005 --duration 7.36 --out resisted.csv
    carom run scenes/ball-on-platter.json --set /method/static_friction=false --set /method/epsilon=0.01 \\
        --duration 29.4 --out stuck.csv
    carom run papers/mirtich-canny/bowling.json --out bowling.csv
    docs/images/draw_microcollision.py platter.csv resisted.csv stuck.csv bowling.csv
"""
import csv
import math
import pathlib
import sys

from draw_impacts import INK, PALE, REST, SLIDE, STICK, Picture

BALL, PIN = 0.10795, 0.0605


def read(path):
    """Rows of numbers by body."""
    bodies = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            bodies.setdefault(row["body"], []).append({key: float(text) for key, text in row.items() if key != "body"})
    return bodies


def circle(picture, x, y, radius, colour, width=1.5):
    corners = [2 * math.pi * k / 90 for k in range(91)]
    picture.line([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in corners], colour, width)


def path(rows):
    return [(row["x"], row["y"]) for row in rows]


def platter(ideal, resisted, stuck):
    picture = Picture(-0.75, 1.95, -0.75, 0.75, 260)
    circle(picture, 0, 0, 0.7, PALE, 2)
    picture.cross(0, 0)
    for rows, colour, y, words in ((stuck, PALE, -0.1, "static_friction off, ε = 0.01, four turns"),
                                   (resisted, REST, 0, "with rolling resistance, μ_r = 0.005"),
                                   (ideal, SLIDE, 0.1, "rolling: 2/7 of the platter's frequency")):
        picture.line(path(rows), colour, 2)
        picture.line([(0.75, y + 0.015), (0.8, y + 0.015)], colour, 3)
        picture.text(0.82, y, words)
    picture.dot(0.1, 0, INK, 6)
    picture.save("microcollision-platter.svg")


def lane(bodies):
    """The last three metres, seen from above: pins where they stood, their paths, and the ball's."""
    picture = Picture(16.6, 20.6, -0.45, 1.35, 240)
    for y in (-0.067, 0.987):
        picture.line([(16.6, y), (19.5, y)], PALE, 2)
    picture.line([(19.5, -0.067), (19.5, 0.987)], PALE, 2)
    pins = [rows for name, rows in bodies.items() if name.startswith("pin")]
    for rows in pins:
        picture.line(path(rows), PALE, 1.2)
        picture.dot(rows[-1]["x"], rows[-1]["y"], PALE, 4)
    for rows in pins:
        circle(picture, rows[0]["x"], rows[0]["y"], PIN, REST, 2)
    ball = bodies["ball"]
    picture.line([point for point in path(ball) if point[0] > 16.6], SLIDE, 2.5)
    near = next(row for row in ball if row["x"] > 18.2)
    circle(picture, near["x"], near["y"], BALL, SLIDE, 2.5)
    picture.line([(18.288, -0.067), (18.288, 0.987)], STICK, 1.2, "5,4")
    picture.text(18.27, -0.04, "here sliding ends", STICK, "end")
    picture.save("microcollision-bowling.svg")


if __name__ == "__main__":
    ideal, resisted, stuck = (read(name)["ball"] for name in sys.argv[1:4])
    platter(ideal, resisted, stuck)
    lane(read(sys.argv[4]))
