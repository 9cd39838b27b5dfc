"""Scenes as MJCF. Bodies that joints connect become a tree; a joint that closes a loop becomes an equality."""

import xml.etree.ElementTree as xml

import numpy as np

from ..simulation import Simulation
from .rotations import from_quaternion, to_quaternion

SIZES = {"sphere": lambda s: [s["radius"]], "box": lambda s: np.divide(s["size"], 2),
         "capsule": lambda s: [s["radius"], s["length"] / 2], "cylinder": lambda s: [s["radius"], s["length"] / 2],
         "ellipsoid": lambda s: s["radii"]}


def write_model(scene, meshes="."):
    """MJCF text, and what it lost. Files that the scene names are in the folder `meshes`, as seen from the text's."""
    writer = ModelWriter(scene)
    return writer.text(meshes), writer.losses


def text_of(numbers):
    return " ".join(repr(float(number)) for number in np.ravel(numbers))


class ModelWriter:
    def __init__(self, scene):
        self.scene = scene
        self.document = scene.document
        self.losses = []
        simulation = Simulation(scene, audit="off", step_error=False)
        self.velocity = simulation.velocity.copy(), simulation.angular_velocity.copy()
        turns = [from_quaternion(q) for q in simulation.orientation]
        places = [x - turn @ c for x, turn, c in zip(simulation.position, turns, scene.center_of_mass)]
        self.frames = dict(zip(scene.bodies, zip(places, turns)))
        self.root = xml.Element("mujoco", model=scene.name)
        self.joints_left = list(self.document.get("joints", []))

    def lose(self, place, what):
        from . import Loss
        self.losses.append(Loss(place, what))

    def text(self, meshes):
        xml.SubElement(self.root, "compiler", angle="radian", meshdir=str(meshes))
        step = self.document.get("method", {}).get("step")
        option = xml.SubElement(self.root, "option", gravity=text_of(self.document.get("gravity", [0, 0, -9.81])))
        if isinstance(step, (int, float)):
            option.set("timestep", repr(step))
        self.assets = xml.SubElement(self.root, "asset")
        world = xml.SubElement(self.root, "worldbody")
        specs = {body["name"]: body for body in self.document["bodies"]}
        self.specs = {name: specs[name.split("[")[0]] if name not in specs else specs[name]
                      for name in self.scene.bodies}
        fixed = [name for name in self.scene.bodies if self.specs[name].get("motion", "dynamic") != "dynamic"]
        self.placed = set()
        for name in fixed:
            if self.specs[name]["motion"] == "driven":
                self.lose(f'body "{name}"', "that it is driven; it is fixed")
            self.add_body(world, name, None, None)
        for name in self.scene.bodies:
            if name not in self.placed:
                self.add_body(world, name, None, None)
        self.close_loops()
        self.note_the_rest()
        xml.indent(self.root)
        return xml.tostring(self.root, encoding="unicode") + "\n"

    # Bodies, each with those that hang on it

    def add_body(self, parent, name, parent_name, joint):
        self.placed.add(name)
        place, turn = self.frames[name]
        if parent_name is not None:
            origin, frame = self.frames[parent_name]
            place, turn = frame.T @ (place - origin), frame.T @ turn
        element = xml.SubElement(parent, "body", name=name, pos=text_of(place), quat=text_of(to_quaternion(turn)))
        dynamic = self.specs[name].get("motion", "dynamic") == "dynamic"
        if joint is not None:
            self.add_joint(element, name, joint)
        elif dynamic:
            xml.SubElement(element, "freejoint", name=f"{name} free")
        if dynamic:
            self.add_inertia(element, name)
        spec = self.specs[name]
        for shape in [spec["shape"]] if "shape" in spec else spec["shapes"]:
            self.add_geom(element, name, shape)
        self.add_children(element, name)

    def add_children(self, element, name):
        for joint in list(self.joints_left):
            if name not in joint["between"] or joint["type"] == "distance" or joint not in self.joints_left:
                continue
            other = joint["between"][1 - joint["between"].index(name)]
            if other in self.placed or self.specs[other].get("motion", "dynamic") != "dynamic":
                continue
            self.joints_left.remove(joint)
            self.add_body(element, other, name, joint)

    def add_inertia(self, element, name):
        i = self.scene.index(name)
        moments = self.scene.inertia[i]
        full = [moments[0, 0], moments[1, 1], moments[2, 2], moments[0, 1], moments[0, 2], moments[1, 2]]
        xml.SubElement(element, "inertial", pos=text_of(self.scene.center_of_mass[i]),
                       mass=repr(float(self.scene.mass[i])), fullinertia=text_of(full))

    def add_geom(self, element, name, shape):
        attributes = {"type": shape["type"], "pos": text_of(shape.get("position", [0, 0, 0])),
                      "quat": text_of(self.orientation(shape)),
                      "friction": f"{self.friction(shape, name)!r} 0 0"}
        if shape.get("collide") is False:
            attributes.update(contype="0", conaffinity="0")
        if shape["type"] in SIZES:
            attributes["size"] = text_of(SIZES[shape["type"]](shape))
        elif shape["type"] == "plane":
            self.place_plane(attributes, shape)
        elif shape["type"] == "hull" and "points" in shape:
            attributes.update(type="mesh", mesh=self.add_mesh(vertex=text_of(shape["points"])))
        elif "file" in shape:
            attributes.update(type="mesh", mesh=self.add_mesh(file=shape["file"]))
            if shape["type"] == "mesh":
                self.lose(f'body "{name}"', f"the hollows of {shape['file']}: MuJoCo collides its hull")
        else:
            return self.lose(f'body "{name}"', f"a shape of type {shape['type']}")
        xml.SubElement(element, "geom", attributes)

    def add_mesh(self, **source):
        name = f"mesh {len(self.assets) + 1}"
        xml.SubElement(self.assets, "mesh", name=name, **source)
        return name

    def place_plane(self, attributes, shape):
        normal = np.divide(shape["normal"], np.linalg.norm(shape["normal"]))
        offset = shape["offset"] / np.linalg.norm(shape["normal"])
        turn = from_quaternion(self.orientation(shape))
        normal = turn @ normal
        side = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
        side /= np.linalg.norm(side)
        frame = np.column_stack([side, np.cross(normal, side), normal])
        place = np.asarray(shape.get("position", [0, 0, 0])) + offset * normal
        attributes.update(size="0 0 1", pos=text_of(place), quat=text_of(to_quaternion(frame)))

    def orientation(self, shape):
        given = shape.get("orientation", [1, 0, 0, 0])
        if not isinstance(given, dict):
            return given
        axis = np.divide(given["axis"], np.linalg.norm(given["axis"]))
        return [np.cos(given["angle"] / 2), *np.sin(given["angle"] / 2) * axis]

    # Joints

    def add_joint(self, element, name, joint):
        place, turn = self.frames[name]

        def local(vector):
            return text_of(turn.T @ np.asarray(vector))

        anchor = local(np.asarray(joint["anchor"]) - place) if "anchor" in joint else "0 0 0"
        kinds = {"hinge": [("hinge", "axis")], "slider": [("slide", "axis")], "ball": [("ball", None)],
                 "universal": [("hinge", "axis"), ("hinge", "axis_b")], "fixed": []}[joint["type"]]
        sign = 1 if joint["between"][1] == name else -1
        for k, (kind, axis) in enumerate(kinds):
            attributes = {"name": joint["name"] + " second" * k, "type": kind, "pos": anchor}
            if axis is not None:
                attributes["axis"] = local(sign * np.asarray(self.axis(joint, axis)))
            xml.SubElement(element, "joint", attributes)
        for key in ("limits", "motor", "spring", "friction", "damping"):
            if key in joint:
                self.lose(f'joint "{joint["name"]}"', f"its {key}")

    def axis(self, joint, key):
        if key in joint:
            return joint[key]
        first = np.asarray(joint["axis"], float)
        return np.cross(first, np.eye(3)[np.argmin(np.abs(first))])

    def close_loops(self):
        equality = xml.SubElement(self.root, "equality")
        for joint in self.joints_left:
            a, b = joint["between"]
            if joint["type"] == "ball":
                place, turn = self.frames[a]
                anchor = text_of(turn.T @ (np.asarray(joint["anchor"]) - place))
                xml.SubElement(equality, "connect", name=joint["name"], body1=a, body2=b, anchor=anchor)
            elif joint["type"] == "fixed":
                xml.SubElement(equality, "weld", name=joint["name"], body1=a, body2=b)
            else:
                self.lose(f'joint "{joint["name"]}"', f"a {joint['type']} joint that closes a loop or keeps a distance")

    # Friction: of each geom; MuJoCo takes the greater of two

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

    def friction(self, shape, name):
        material = shape.get("material", self.specs[name].get("material", "default"))
        return self.pair_value("friction", material, material)

    def note_the_rest(self):
        used = sorted({shape.get("material", spec.get("material", "default"))
                       for spec in self.specs.values()
                       for shape in ([spec["shape"]] if "shape" in spec else spec["shapes"])})
        for i, a in enumerate(used):
            for b in used[i:]:
                if self.pair_value("restitution", a, b):
                    self.lose(f'materials "{a}" and "{b}"', "restitution: MuJoCo's contacts have none")
                mixed = max(self.pair_value("friction", a, a), self.pair_value("friction", b, b))
                if self.pair_value("friction", a, b) != mixed:
                    self.lose(f'materials "{a}" and "{b}"', f"their friction: MuJoCo takes {mixed:g} of the two")
        for name, v, w in zip(self.scene.bodies, *self.velocity):
            if np.any(v) or np.any(w):
                self.lose(f'body "{name}"', f"its velocity {v.tolist()} m/s and {w.tolist()} rad/s at the start")
        for key in ("forces", "uncertain"):
            if key in self.document:
                self.lose(key, "the whole of it")
