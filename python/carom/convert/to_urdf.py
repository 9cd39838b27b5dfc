"""Scenes as URDF: one tree of links below a link "world", on which what is free floats. A link's frame is that of the joint
on which it hangs, as URDF wants it; masses, shapes and axes are the same in the world."""

import xml.etree.ElementTree as xml

import numpy as np

from .rotations import from_quaternion
from .tree import Tree, orientation_of, text_of

TYPES = {"hinge": "revolute", "slider": "prismatic", "fixed": "fixed"}
GEOMETRY = {"sphere": lambda s: {"radius": s["radius"]}, "box": lambda s: {"size": s["size"]},
            "cylinder": lambda s: {"radius": s["radius"], "length": s["length"]},
            "capsule": lambda s: {"radius": s["radius"], "length": s["length"]}}


def write_robot(scene, meshes="."):
    """URDF text, and what it lost. Files that the scene names are in the folder `meshes`, as seen from the text's."""
    writer = RobotWriter(scene, meshes)
    return writer.text(), writer.losses


def angles_of(turn):
    """Roll, pitch and yaw: turns about fixed x, then y, then z."""
    pitch = np.arctan2(-turn[2, 0], np.hypot(turn[0, 0], turn[1, 0]))
    if np.hypot(turn[0, 0], turn[1, 0]) < 1e-9:  # straight up or down: yaw is free
        return np.array([np.arctan2(-turn[1, 2], turn[1, 1]), pitch, 0])
    return np.array([np.arctan2(turn[2, 1], turn[2, 2]), pitch, np.arctan2(turn[1, 0], turn[0, 0])])


class RobotWriter:
    def __init__(self, scene, meshes):
        self.scene, self.tree, self.meshes = scene, Tree(scene), meshes
        self.losses = []
        self.root = xml.Element("robot", name=scene.name)

    def lose(self, place, what):
        from . import Loss
        self.losses.append(Loss(place, what))

    def text(self):
        if "world" not in self.tree.specs:
            xml.SubElement(self.root, "link", name="world")
        for name, parent, joint in self.tree.branches:
            if joint is not None:  # its link's frame stands at the joint
                place, turn = self.tree.frames[name]
                self.tree.frames[name] = np.asarray(joint.get("anchor", place), float), turn
                self.moved = place
            else:
                self.moved = self.tree.frames[name][0]
            self.add_link(name)
            if name != "world" or joint is not None:
                self.add_joint(name, parent, joint)
        self.note_the_rest()
        xml.indent(self.root)
        return xml.tostring(self.root, encoding="unicode") + "\n"

    def add_link(self, name):
        element = xml.SubElement(self.root, "link", name=name)
        place, turn = self.tree.frames[name]
        shift = turn.T @ (self.moved - place)  # of the body's frame in the link's
        if self.tree.is_dynamic(name):
            i = self.scene.index(name)
            inertial = xml.SubElement(element, "inertial")
            xml.SubElement(inertial, "origin", xyz=text_of(shift + self.scene.center_of_mass[i]))
            xml.SubElement(inertial, "mass", value=text_of(self.scene.mass[i]))
            keys = {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1), "ixz": (0, 2), "iyz": (1, 2)}
            xml.SubElement(inertial, "inertia",
                           {key: text_of(self.scene.inertia[i][at]) for key, at in keys.items()})
        elif self.tree.motion(name) == "driven":
            self.lose(f'body "{name}"', "that it is driven; it is fixed")
        for shape in self.tree.shapes(name):
            self.add_shape(element, name, shape, shift)

    def add_shape(self, element, name, shape, shift):
        kind = shape["type"]
        if kind in GEOMETRY:
            geometry = kind, {key: text_of(value) for key, value in GEOMETRY[kind](shape).items()}
        elif "file" in shape:
            geometry = "mesh", {"filename": f"{self.meshes}/{shape['file']}"}
        else:
            return self.lose(f'body "{name}"', f"a shape of type {kind}")
        for role in ("visual", "collision") if shape.get("collide", True) else ("visual",):
            part = xml.SubElement(element, role)
            turn = from_quaternion(orientation_of(shape))
            xml.SubElement(part, "origin", xyz=text_of(shift + np.asarray(shape.get("position", [0, 0, 0]))),
                           rpy=text_of(angles_of(turn)))
            xml.SubElement(xml.SubElement(part, "geometry"), geometry[0], geometry[1])

    def add_joint(self, name, parent, joint):
        kind = "floating" if self.tree.is_dynamic(name) else "fixed"
        if joint is not None:
            kind = TYPES.get(joint["type"], "floating")
            if joint["type"] not in TYPES:
                self.lose(f'joint "{joint["name"]}"', f"a {joint['type']} joint; \"{name}\" floats")
                parent = None  # only on the world
        if kind == "revolute" and "limits" not in joint:
            kind = "continuous"
        element = xml.SubElement(self.root, "joint", name=joint["name"] if joint else f"{name} {kind}", type=kind)
        xml.SubElement(element, "parent", link=parent or "world")
        xml.SubElement(element, "child", link=name)
        place, turn = self.tree.frame_in(parent, *self.tree.frames[name])
        xml.SubElement(element, "origin", xyz=text_of(place), rpy=text_of(angles_of(turn)))
        if kind in ("revolute", "continuous", "prismatic"):
            self.add_motion(element, name, joint)

    def add_motion(self, element, name, joint):
        sign = 1 if joint["between"][0] == name else -1  # URDF's coordinate is that of the child against the parent
        axis = self.tree.frames[name][1].T @ self.tree.axis(joint)
        xml.SubElement(element, "axis", xyz=text_of(sign * axis / np.linalg.norm(axis)))
        motor = joint.get("motor", {})
        limit = {"effort": text_of(motor.get("max_torque", np.finfo("f4").max)),
                 "velocity": text_of(np.finfo("f4").max)}
        if "limits" in joint:
            limit.update(lower=text_of(joint["limits"][0]), upper=text_of(joint["limits"][1]))
        elif joint["type"] == "slider":  # URDF's has limits
            limit.update(lower=text_of(-1e9), upper=text_of(1e9))
        xml.SubElement(element, "limit", limit)
        if joint.get("friction"):
            xml.SubElement(element, "dynamics", friction=text_of(joint["friction"]), damping="0.0")
        if motor:
            self.lose(f'joint "{joint["name"]}"', "its motor; what it can do at most is the limit of effort")
        if joint.get("restitution"):
            self.lose(f'joint "{joint["name"]}"', "the restitution of its limits")

    def note_the_rest(self):
        for joint in self.tree.joints_left:
            self.lose(f'joint "{joint["name"]}"', f"a {joint['type']} joint that closes a loop or keeps a distance")
        for name, v, w in zip(self.scene.bodies, *self.tree.velocity):
            if np.any(v) or np.any(w):
                self.lose(f'body "{name}"', f"its velocity {v.tolist()} m/s and {w.tolist()} rad/s at the start")
        for number, force in enumerate(self.tree.document.get("forces", [])):
            self.lose(f"force {number + 1}", f"the whole of it, a {force['type']}")
        for key in ("gravity", "pairs", "uncertain"):
            if key in self.tree.document:
                self.lose(key, "the whole of it: URDF has no such thing")
