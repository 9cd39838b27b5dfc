#!/usr/bin/env python3
"""Draws figures 2 to 6, 8 and 11 of Neumayr & Otter from our own force law and runs.

    cmake --preset test && ninja -C build/test law_curves
    build/test/tests/law_curves > law.csv
    ./carom run papers/neumayr-otter/cushion.json --set /output/every=0.001 --out cushion.csv --quiet
    ./carom run papers/neumayr-otter/break.json --duration 2 --out break.csv --quiet
    docs/images/draw_elastic.py law.csv cushion.csv break.csv
"""
import csv
import json
import sys

from draw_impacts import HERE, INK, PALE, REST, SLIDE, STICK

SCENE = HERE.parents[1] / "papers" / "neumayr-otter" / "break.json"
COLOURS = (INK, REST, SLIDE, STICK, "#8a5fb0")
LEFT, RIGHT, ABOVE, BELOW = 58, 16, 30, 40


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def ticks(low, high, step):
    return [low + i * step for i in range(round((high - low) / step) + 1)]


class Sheet:
    """Panels side by side, each with axes of its own."""

    def __init__(self, width, height):
        self.lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
                      f' height="{height}" font-family="sans-serif" font-size="12">',
                      f'<rect width="{width}" height="{height}" fill="#ffffff"/>']

    def text(self, x, y, words, colour=INK, anchor="start"):
        self.lines.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{words}</text>')

    def line(self, points, colour, width=1.6):
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.lines.append(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{width}"'
                          ' stroke-linejoin="round"/>')

    def save(self, name):
        (HERE / name).write_text("\n".join(self.lines) + "\n</svg>\n")


class Panel:
    def __init__(self, sheet, box, across, up):
        """`box`: left, top, width, height; `across` and `up`: low, high, step."""
        self.sheet, self.across, self.up = sheet, across, up
        left, top, width, height = box
        self.area = left + LEFT, top + ABOVE, width - LEFT - RIGHT, height - ABOVE - BELOW
        for x in ticks(*across):
            self.sheet.line([self.at(x, up[0]), self.at(x, up[1])], PALE, 0.7)
            px, py = self.at(x, up[0])
            self.sheet.text(px, py + 15, f"{x:.6g}", anchor="middle")
        for y in ticks(*up):
            self.sheet.line([self.at(across[0], y), self.at(across[1], y)], PALE, 0.7)
            px, py = self.at(across[0], y)
            self.sheet.text(px - 5, py + 4, f"{y:.6g}", anchor="end")

    def at(self, x, y):
        left, top, width, height = self.area
        return (left + (x - self.across[0]) / (self.across[1] - self.across[0]) * width,
                top + (self.up[1] - y) / (self.up[1] - self.up[0]) * height)

    def names(self, title, x_name):
        left, top, width, height = self.area
        self.sheet.text(left, top - 10, title)
        self.sheet.text(left + width / 2, top + height + 32, x_name, anchor="middle")

    def curve(self, points, colour):
        self.sheet.line([self.at(x, y) for x, y in points if y <= self.up[1]], colour)

    def key(self, names, on_the_left):
        left, top, width, _ = self.area
        for i, (name, colour) in enumerate(names):
            across = left + (8 if on_the_left else width - 8)
            self.sheet.text(across, top + 16 + 15 * i, name, colour, "start" if on_the_left else "end")

    def name_at_end(self, name, point, colour):
        x, y = self.at(*point)
        self.sheet.text(x - 4, y - 4, name, colour, "end")


def draw_law(rows):
    figures = {}
    for row in rows:
        point = float(row["x"]), float(row["y"])
        figures.setdefault(row["figure"], {}).setdefault(row["curve"], []).append(point)
    sheet = Sheet(1020, 520)
    panels = (
        ("2", "2: reg(v), m/s", "v, m/s", (-0.02, 0.02, 0.01), (0, 0.02, 0.005)),
        ("3", "3: length of the regularised direction", "speed, m/s", (0, 0.02, 0.005), (0, 1, 0.25)),
        ("4", "4: cor regularised, by cor", "δ'⁻, m/s", (0, 0.03, 0.01), (0, 1, 0.25)),
        ("5", "5: d by cor, s/m", "δ'⁻, m/s", (0, 0.03, 0.01), (0, 1000, 250)),
        ("6", "6: d by cor, s/m", "δ'⁻, m/s", (0, 1, 0.25), (0, 20, 5)),
        ("restitution", "speed given back, by damping", "cor", (0, 1, 0.25), (0, 1, 0.25)),
    )
    for i, (figure, title, x_name, across, up) in enumerate(panels):
        panel = Panel(sheet, (340 * (i % 3), 260 * (i // 3), 340, 260), across, up)
        panel.names(title, x_name)
        curves = {name: points for name, points in figures[figure].items() if min(y for _, y in points) <= up[1]}
        colours = COLOURS[-len(curves):] if len(curves) > 2 else (SLIDE, STICK)
        for points, colour in zip(curves.values(), colours):
            panel.curve(points, colour)
        if figure == "4":
            for (name, points), colour in zip(curves.items(), colours):
                panel.name_at_end(name, points[-1], colour)
        elif len(curves) > 1:
            panel.key(list(zip(curves, colours)), on_the_left=figure == "restitution")
    sheet.save("elastic-figures-2-to-6.svg")


def draw_cushion(rows):
    ball = [{k: float(v) for k, v in row.items() if k != "body"} for row in rows if row["body"] == "ball"]
    sheet = Sheet(1020, 260)
    panels = (("x", "x, m", (0, 0.4, 0.1)), ("vx", "v<tspan dy='3' font-size='9'>x</tspan>, m/s", (-2, 3, 1)),
              ("wy", "ω<tspan dy='3' font-size='9'>y</tspan>, rad/s", (-40, 60, 20)))
    for i, (component, title, up) in enumerate(panels):
        panel = Panel(sheet, (340 * i, 0, 340, 260), (0, 0.6, 0.1), up)
        panel.names(title, "time, s")
        panel.curve([(row["time"], row[component]) for row in ball], SLIDE)
    sheet.save("elastic-figure-8.svg")


def balls_at(rows, moment):
    return {row["body"]: (float(row["x"]), float(row["y"])) for row in rows
            if abs(float(row["time"]) - moment) < 1e-9}


def draw_table(sheet, top, words, places, balls):
    scale, half_length, half_width, margin = 300, 1.27, 0.635, 0.05
    middle = scale * (half_length + margin), top + 22 + scale * (half_width + margin)
    for grown, colour in ((margin, "#4a2f1b"), (0, "#1e6b4a")):
        width, height = scale * (half_length + grown), scale * (half_width + grown)
        sheet.lines.append(f'<rect x="{middle[0] - width:.1f}" y="{middle[1] - height:.1f}" width="{2 * width:.1f}"'
                           f' height="{2 * height:.1f}" fill="{colour}"/>')
    for name, (radius, colour) in balls.items():
        x, y = places[name]
        sheet.lines.append(f'<circle cx="{middle[0] + scale * x:.2f}" cy="{middle[1] - scale * y:.2f}"'
                           f' r="{scale * radius}" fill="{colour}" stroke="#000000" stroke-opacity="0.3"/>')
    sheet.text(4, top + 15, words)


def draw_break(rows):
    scene = json.loads(SCENE.read_text())
    colour = {name: material["color"] for name, material in scene["materials"].items()}
    balls = {body["name"]: (body["shape"]["radius"], colour[body["material"]]) for body in scene["bodies"]
             if body["shape"]["type"] == "sphere"}
    sheet = Sheet(792, 2 * 440)
    for panel, moment in enumerate((0, 2)):
        draw_table(sheet, 440 * panel, f"{moment} s", balls_at(rows, moment), balls)
    sheet.save("elastic-figure-11.svg")


if __name__ == "__main__":
    law, cushion, after_break = (read(path) for path in sys.argv[1:4])
    draw_law(law)
    draw_cushion(cushion)
    draw_break(after_break)
