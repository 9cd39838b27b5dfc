"""A scene as the trees of bodies that other formats want: what hangs on what, by which joint."""

import numpy as np

from ..simulation import Simulation
from .rotations import from_quaternion


class Tree:
    """branches: of every body its name, what it hangs on and by which joint (None: on nothing), parents first.
    joints_left: those that close loops or keep distances. frames: of every body its origin and its axes in the world."""

    def __init__(self, scene):
        self.scene = scene
        self.document = scene.document
        simulation = Simulation(scene, audit="off", step_error=False)
        self.velocity = simulation.velocity.copy(), simulation.angular_velocity.copy()
        turns = [from_quaternion(q) for q in simulation.orientation]
        places = [x - turn @ c for x, turn, c in zip(simulation.position, turns, scene.center_of_mass)]
        self.frames = dict(zip(scene.bodies, zip(places, turns)))
        specs = {body["name"]: body for body in self.document["bodies"]}
        self.specs = {name: specs.get(name) or specs[name.split("[")[0]] for name in scene.bodies}
        self.joints_left = list(self.document.get("joints", []))
        self.branches, self.placed = [], set()
        for name in sorted(scene.bodies, key=self.is_dynamic):  # what is fixed first
            if name not in self.placed:
                self.add(name, None, None)

    def motion(self, name):
        return self.specs[name].get("motion", "dynamic")

    def is_dynamic(self, name):
        return self.motion(name) == "dynamic"

    def shapes(self, name):
        spec = self.specs[name]
        return [spec["shape"]] if "shape" in spec else spec["shapes"]

    def center_of(self, name):
        place, turn = self.frames[name]
        return place + turn @ self.scene.center_of_mass[self.scene.index(name)]

    def material(self, shape, name):
        return shape.get("material", self.specs[name].get("material", "default"))

    def pair_value(self, key, *materials):
        """As the engine takes it: from the most specific entry, the later among equals; the library's are not known here."""
        best, value = -1, 0
        for pair in self.document.get("pairs", []):
            for first, second in (pair["materials"], pair["materials"][::-1]):
                if first in ("*", materials[0]) and second in ("*", materials[1]) and key in pair:
                    rank = (first != "*") + (second != "*")
                    if rank >= best:
                        best, value = rank, pair[key]
        return float(value)

    def add(self, name, parent, joint):
        self.branches.append((name, parent, joint))
        self.placed.add(name)
        for joint in list(self.joints_left):
            if name not in joint["between"] or joint["type"] == "distance" or joint not in self.joints_left:
                continue
            other = joint["between"][1 - joint["between"].index(name)]
            if other not in self.placed and self.is_dynamic(other):
                self.joints_left.remove(joint)
                self.add(other, name, joint)

    def frame_in(self, parent, place, turn):
        """The same place and axes in the frame of `parent`, or of the world."""
        if parent is None:
            return place, turn
        origin, frame = self.frames[parent]
        return frame.T @ (place - origin), frame.T @ turn

    def axis(self, joint, key="axis"):
        """In the world at the start; any second axis of a universal joint will do where none is given."""
        if key in joint:
            return np.asarray(joint[key], float)
        first = np.asarray(joint["axis"], float)
        return np.cross(first, np.eye(3)[np.argmin(np.abs(first))])


def orientation_of(shape):
    given = shape.get("orientation", [1, 0, 0, 0])
    if not isinstance(given, dict):
        return given
    axis = np.divide(given["axis"], np.linalg.norm(given["axis"]))
    return [np.cos(given["angle"] / 2), *np.sin(given["angle"] / 2) * axis]


def text_of(numbers):
    return " ".join(repr(float(number)) for number in np.ravel(numbers))
