#!/usr/bin/env python3
"""Writes the polyhedra of the bowling and marbles scenes beside itself: corners alone, of which carom takes the hull.

pin.obj     A pin of 15 in: nine rings of twenty corners, 8 x 20 faces around, one below and one above, 162 in all. The
            radii are those of a regulation pin where its outline is convex, so that the neck is filled.
marble.obj  A sphere of 8 mm with an axis along x: seventy bands of 72 faces each from a corner at +x to one flat face
            at -x, 5,041 in all. Where the corner of one marble meets the flat face of the next, in the middle, the two
            collide as spheres do.
"""
import math
import pathlib

INCH = 0.0254
# Height and diameter, inches.
PIN = [(0, 2.031), (0.75, 2.828), (2.25, 3.906), (3.375, 4.510), (4.5, 4.766), (5.875, 4.563), (13.5, 2.547),
       (14.5, 2.022), (15, 0.7)]
AROUND = 20
MARBLE_RADIUS, MARBLE_BANDS, MARBLE_AROUND = 0.008, 70, 72


def pin():
    for height, diameter in PIN:
        for k in range(AROUND):
            turn = 2 * math.pi * k / AROUND
            radius = INCH * diameter / 2
            yield radius * math.cos(turn), radius * math.sin(turn), INCH * height


def marble():
    yield MARBLE_RADIUS, 0, 0
    for band in range(1, MARBLE_BANDS + 1):
        angle = math.pi * band / (MARBLE_BANDS + 0.5)  # of the last, 1.3 degrees are left to the flat face
        radius = MARBLE_RADIUS * math.sin(angle)
        for k in range(MARBLE_AROUND):
            turn = 2 * math.pi * k / MARBLE_AROUND
            yield MARBLE_RADIUS * math.cos(angle), radius * math.cos(turn), radius * math.sin(turn)


def write(name, points):
    lines = ["v " + " ".join(f"{c:.6g}" for c in point) for point in points]
    (pathlib.Path(__file__).parent / name).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write("pin.obj", pin())
    write("marble.obj", marble())
