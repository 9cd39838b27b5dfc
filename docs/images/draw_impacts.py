#!/usr/bin/env python3
"""Draws figures 5 and 7 of Mirtich & Canny from our own impacts.

    cmake --preset test && ninja -C build/test impact_trajectories
    build/test/tests/impact_trajectories > impacts.csv
    docs/images/draw_impacts.py impacts.csv
"""
import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
INK, PALE, SLIDE, REST, STICK = "#222222", "#bbbbbb", "#1f6fb4", "#c2452d", "#3a8f4d"


def read(path):
    figures = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            point = (float(row["u_x"]), float(row["u_y"]), float(row["u_z"]))
            figures.setdefault(row["figure"], {}).setdefault(row["curve"], []).append(point)
    return figures


class Picture:
    def __init__(self, left, right, low, high, scale):
        self.left, self.high, self.scale = left, high, scale
        width, height = (right - left) * scale, (high - low) * scale
        self.lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
                      f' width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="14">',
                      f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>']

    def at(self, x, y):
        return (x - self.left) * self.scale, (self.high - y) * self.scale

    def line(self, points, colour, width=1.5, dash=""):
        text = " ".join("{:.2f},{:.2f}".format(*self.at(x, y)) for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.lines.append(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{width}"'
                          f' stroke-linejoin="round"{dashes}/>')

    def dot(self, x, y, colour, radius=3.5):
        cx, cy = self.at(x, y)
        self.lines.append(f'<circle cx="{cx:.2f}" cy="{cy:.2f}" r="{radius}" fill="{colour}"/>')

    def cross(self, x, y):
        size = 4 / self.scale
        self.line([(x - size, y - size), (x + size, y + size)], INK)
        self.line([(x - size, y + size), (x + size, y - size)], INK)

    def text(self, x, y, words, colour=INK, anchor="start"):
        px, py = self.at(x, y)
        self.lines.append(f'<text x="{px:.1f}" y="{py:.1f}" fill="{colour}" text-anchor="{anchor}">{words}</text>')

    def save(self, name):
        (HERE / name).write_text("\n".join(self.lines) + "\n</svg>\n")


def sliding_velocities(curves):
    picture = Picture(-1.45, 1.2, -1.2, 1.2, 220)
    picture.line([(-1.4, 0), (1.15, 0)], PALE, 1)
    picture.line([(0, -1.15), (0, 1.15)], PALE, 1)
    picture.text(1.12, 0.03, "u<tspan dy='4' font-size='10'>x</tspan>", anchor="end")
    picture.text(0.03, 1.1, "u<tspan dy='4' font-size='10'>y</tspan>")
    for path in curves.values():
        picture.line([(x, y) for x, y, _ in path], SLIDE)
    for path in curves.values():
        picture.cross(*path[0][:2])
        picture.dot(*path[-1][:2], REST)
    picture.save("frictional-figure-5.svg")


def compression_crossing(path):
    for (x0, _, z0), (x1, _, z1) in zip(path, path[1:]):
        if z0 < 0 <= z1 + 1e-12:
            return x0 + (x1 - x0) * (-z0 / (z1 - z0)), 0.0
    return None


def velocity_space(curves):
    picture = Picture(-0.5, 1.35, -1.15, 0.75, 300)
    picture.line([(-0.45, 0), (1.3, 0)], PALE, 1, "5 4")
    picture.line([(0, -1.1), (0, 0.7)], PALE, 1)
    picture.text(1.3, -0.06, "u<tspan dy='4' font-size='10'>z</tspan><tspan dy='-4'> = 0: maximum compression</tspan>",
                 anchor="end")
    picture.text(0.015, 0.68, "u<tspan dy='4' font-size='10'>z</tspan>")
    picture.text(-0.45, 0.02, "u<tspan dy='4' font-size='10'>x</tspan>")
    for (name, path), colour in zip(curves.items(), (SLIDE, REST, STICK)):
        picture.line([(x, z) for x, _, z in path], colour, 2)
        picture.cross(path[0][0], path[0][2])
        crossing = compression_crossing(path)
        if crossing:
            picture.dot(*crossing, colour)
        picture.text(path[-1][0] + 0.02, path[-1][2] + 0.02, name, colour)
    picture.save("frictional-figure-7.svg")


if __name__ == "__main__":
    found = read(sys.argv[1])
    sliding_velocities(found["5"])
    velocity_space(found["7"])
