#!/usr/bin/env python3
"""Draws the README's picture from a run: the break seen from above, with the paths of the balls.

    ./carom run scenes/break.json --out break.csv --quiet
    docs/images/draw_break.py break.csv > docs/images/break.svg
"""
import csv
import json
import pathlib
import re
import sys

SCENE = pathlib.Path(__file__).resolve().parents[2] / "scenes" / "break.json"
HALF_LENGTH, HALF_WIDTH, MARGIN, RADIUS = 1.27, 0.635, 0.06, 0.028575


def colours():
    scene = json.loads(re.sub(r"//.*", "", SCENE.read_text()))
    materials = scene["materials"]
    return {b["name"]: materials[b["material"]]["color"] for b in scene["bodies"]
            if b["shape"]["type"] == "sphere"}


def paths(states):
    found = {}
    with open(states, newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["body"], []).append((float(row["x"]), float(row["y"])))
    return found


def draw(states):
    colour = colours()
    width, height = 2 * (HALF_LENGTH + MARGIN), 2 * (HALF_WIDTH + MARGIN)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-width / 2} {-height / 2} {width} {height}"'
          f' width="900" height="{900 * height / width:.0f}">')
    print(f'<rect x="{-width / 2}" y="{-height / 2}" width="{width}" height="{height}" rx="0.05" fill="#4a2f1b"/>')
    print(f'<rect x="{-HALF_LENGTH}" y="{-HALF_WIDTH}" width="{2 * HALF_LENGTH}" height="{2 * HALF_WIDTH}"'
          ' fill="#1e6b4a"/>')
    tracks = {name: path for name, path in paths(states).items() if name in colour}
    for name, path in tracks.items():
        points = " ".join(f"{x:.4f},{-y:.4f}" for x, y in path)
        print(f'<polyline points="{points}" fill="none" stroke="{colour[name]}" stroke-width="0.006"'
              ' stroke-opacity="0.55" stroke-linejoin="round"/>')
    for name, path in tracks.items():
        x, y = path[0]
        print(f'<circle cx="{x:.4f}" cy="{-y:.4f}" r="{RADIUS}" fill="{colour[name]}" fill-opacity="0.25"/>')
    for name, path in tracks.items():
        x, y = path[-1]
        print(f'<circle cx="{x:.4f}" cy="{-y:.4f}" r="{RADIUS}" fill="{colour[name]}" stroke="#00000055"'
              ' stroke-width="0.003"/>')
    print("</svg>")


if __name__ == "__main__":
    draw(sys.argv[1])
