#!/usr/bin/env python3
"""Draws Baraff's figures 1 and 14 from a run: over-balanced bricks and how they fall, with the contact forces.

    ./carom run papers/baraff/over-balanced-bricks.json --out bricks.csv --forces forces.csv --quiet
    docs/images/draw_bricks.py bricks.csv forces.csv > docs/images/bricks.svg
"""
import csv
import math
import sys

TIMES = (0.0, 0.6, 0.9, 1.1)
HALF = (1.0, 0.5)
COLOURS = {"brick 1": "#8c4a32", "brick 2": "#b5653f", "brick 3": "#d08a5a"}
LEFT, RIGHT, TOP = -1.4, 5.0, 3.3
NEWTON = 0.08  # m drawn per newton


def rows_at(path, time):
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file) if abs(float(row["time"]) - time) < 1e-9]


def corners(row):
    x, z = float(row["x"]), float(row["z"])
    turn = 2 * math.atan2(float(row["qy"]), float(row["qw"]))  # about y: x towards -z
    c, s = math.cos(turn), math.sin(turn)
    return [(x + c * u * HALF[0] + s * v * HALF[1], z - s * u * HALF[0] + c * v * HALF[1])
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def draw_frame(states, forces, time, shift):
    print(f'<g transform="translate({shift:.3f} 0)">')
    print(f'<line x1="{LEFT}" y1="0" x2="{RIGHT}" y2="0" stroke="#555" stroke-width="0.03"/>')
    for row in rows_at(states, time):
        if row["body"] in COLOURS:
            points = " ".join(f"{x:.4f},{-z:.4f}" for x, z in corners(row))
            print(f'<polygon points="{points}" fill="{COLOURS[row["body"]]}" stroke="#3b2216" stroke-width="0.02"/>')
    for row in rows_at(forces, time):
        x, z, fx, fz = (float(row[key]) for key in ("x", "z", "fx", "fz"))
        if math.hypot(fx, fz) > 1e-9:
            print(f'<line x1="{x:.4f}" y1="{-z:.4f}" x2="{x + NEWTON * fx:.4f}" y2="{-z - NEWTON * fz:.4f}"'
                  ' stroke="#1f6fb2" stroke-width="0.08"/>')
    print(f'<text x="{LEFT}" y="0.5" font-size="0.36" font-family="sans-serif" fill="#555">{time:g} s</text></g>')


def draw(states, forces):
    width, height = RIGHT - LEFT, TOP + 0.7
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{LEFT} {-TOP} {width * len(TIMES):.3f} {height:.3f}"'
          f' width="1100" height="{1100 * height / (width * len(TIMES)):.0f}">')
    for i, time in enumerate(TIMES):
        draw_frame(states, forces, time, i * width)
    print("</svg>")


if __name__ == "__main__":
    draw(sys.argv[1], sys.argv[2])
