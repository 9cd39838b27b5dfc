"""Scenes as MJCF. Bodies that joints connect become a tree; a joint that closes a loop becomes an equality. Springs,
and what keeps a distance, become tendons; motors become servos."""

import xml.etree.ElementTree as xml

import numpy as np

from .rotations import from_quaternion, to_quaternion
from .tree import Tree, orientation_of, text_of

SIZES = {"sphere": lambda s: [s["radius"]], "box": lambda s: np.divide(s["size"], 2),
         "capsule": lambda s: [s["radius"], s["length"] / 2], "cylinder": lambda s: [s["radius"], s["length"] / 2],
         "ellipsoid": lambda s: s["radii"]}
SERVO_ERROR = 0.01  # of the speed of a motor, at which its servo pulls with all its torque


def write_model(scene, meshes="."):
    """MJCF text, and what it lost. Files that the scene names are in the folder `meshes`, as seen from the text's."""
    writer = ModelWriter(scene)
    return writer.text(meshes), writer.losses


class ModelWriter:
    def __init__(self, scene):
        self.scene, self.tree = scene, Tree(scene)
        self.document, self.frames = self.tree.document, self.tree.frames
        self.losses = []
        self.root = xml.Element("mujoco", model=scene.name)
        self.elements = {}  # of bodies

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
        self.world = xml.SubElement(self.root, "worldbody")
        for name, parent, joint in self.tree.branches:
            self.add_body(name, parent, joint)
        self.equality = xml.SubElement(self.root, "equality")
        self.tendons = xml.SubElement(self.root, "tendon")
        self.actuators = xml.SubElement(self.root, "actuator")
        self.close_loops()
        self.add_motors()
        self.add_springs()
        if len(self.actuators):
            option.set("integrator", "implicitfast")  # a servo is stiff
        self.note_the_rest()
        xml.indent(self.root)
        return xml.tostring(self.root, encoding="unicode") + "\n"

    # Bodies

    def add_body(self, name, parent, joint):
        if self.tree.motion(name) == "driven":
            self.lose(f'body "{name}"', "that it is driven; it is fixed")
        place, turn = self.tree.frame_in(parent, *self.frames[name])
        if name == "world" and np.array_equal(place, np.zeros(3)) and np.array_equal(turn, np.eye(3)):
            element = self.world  # MuJoCo has one of that name already
        else:
            element = xml.SubElement(self.elements.get(parent, self.world), "body", name=self.body_name(name),
                                     pos=text_of(place), quat=text_of(to_quaternion(turn)))
        self.elements[name] = element
        dynamic = self.tree.is_dynamic(name)
        if joint is not None:
            self.add_joint(element, name, joint)
        elif dynamic:
            xml.SubElement(element, "freejoint", name=f"{name} free")
        if dynamic:
            self.add_inertia(element, name)
        for shape in self.tree.shapes(name):
            self.add_geom(element, name, shape)

    def body_name(self, name):
        return "world body" if name == "world" else name

    def add_inertia(self, element, name):
        i = self.scene.index(name)
        moments = self.scene.inertia[i]
        full = [moments[0, 0], moments[1, 1], moments[2, 2], moments[0, 1], moments[0, 2], moments[1, 2]]
        xml.SubElement(element, "inertial", pos=text_of(self.scene.center_of_mass[i]),
                       mass=repr(float(self.scene.mass[i])), fullinertia=text_of(full))

    def add_geom(self, element, name, shape):
        attributes = {"type": shape["type"], "pos": text_of(shape.get("position", [0, 0, 0])),
                      "quat": text_of(orientation_of(shape)),
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
        turn = from_quaternion(orientation_of(shape))
        normal = turn @ normal
        side = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
        side /= np.linalg.norm(side)
        frame = np.column_stack([side, np.cross(normal, side), normal])
        place = np.asarray(shape.get("position", [0, 0, 0])) + offset * normal
        attributes.update(size="0 0 1", pos=text_of(place), quat=text_of(to_quaternion(frame)))

    # Joints

    def add_joint(self, element, name, joint):
        place, turn = self.frames[name]

        def local(vector):
            return text_of(turn.T @ np.asarray(vector))

        anchor = local(np.asarray(joint["anchor"]) - place) if "anchor" in joint else "0 0 0"
        kinds = {"hinge": [("hinge", "axis")], "slider": [("slide", "axis")], "ball": [("ball", None)],
                 "universal": [("hinge", "axis"), ("hinge", "axis_b")], "fixed": []}[joint["type"]]
        child_is_first = joint["between"][0] == name
        if joint["type"] == "universal" and child_is_first:
            kinds.reverse()  # what turns with the parent comes first
        for k, (kind, axis) in enumerate(kinds):
            attributes = {"name": joint["name"] + " second" * k, "type": kind, "pos": anchor}
            if axis is not None:  # MuJoCo's coordinate is that of the child against the parent
                attributes["axis"] = local((1 if child_is_first else -1) * self.tree.axis(joint, axis))
            xml.SubElement(element, "joint", attributes | self.passive(joint))

    def passive(self, joint):
        """Limits and dry friction, which a motor without speed is as well."""
        attributes = {}
        if "limits" in joint:
            attributes.update(limited="true", range=text_of(joint["limits"]))
            if joint.get("restitution"):
                self.lose(f'joint "{joint["name"]}"', "the restitution of its limits: MuJoCo's have none")
        motor = joint.get("motor", {})
        friction = joint.get("friction", 0) + (0 if motor.get("speed") else motor.get("max_torque", 0))
        if friction:
            attributes["frictionloss"] = repr(float(friction))
        return attributes

    def add_motors(self):
        for joint in self.document.get("joints", []):
            motor = joint.get("motor", {})
            if not motor.get("speed") or joint in self.tree.joints_left:
                continue
            speed, most = float(motor["speed"]), float(motor["max_torque"])
            gain = most / (SERVO_ERROR * abs(speed))
            xml.SubElement(self.actuators, "general", name=joint["name"], joint=joint["name"], biastype="affine",
                           gainprm="0", biasprm=text_of([gain * speed, 0, -gain]), forcelimited="true",
                           forcerange=text_of([-most, most]))
            self.lose(f'joint "{joint["name"]}"', f"that its motor reaches {speed:g}: MuJoCo's servo is "
                                                  f"up to {SERVO_ERROR:.0%} off where it has to pull")

    def close_loops(self):
        for joint in self.tree.joints_left:
            a, b = joint["between"]
            if joint["type"] == "ball":
                place, turn = self.frames[a]
                anchor = text_of(turn.T @ (np.asarray(joint["anchor"]) - place))
                xml.SubElement(self.equality, "connect", name=joint["name"], body1=self.body_name(a), body2=self.body_name(b), anchor=anchor)
            elif joint["type"] == "fixed":
                xml.SubElement(self.equality, "weld", name=joint["name"], body1=self.body_name(a), body2=self.body_name(b))
            elif joint["type"] == "distance":
                ends = self.ends_of(joint)
                length = np.linalg.norm(ends[1] - ends[0])
                low, high = joint.get("limits", (length, length))
                tendon = self.add_tendon(joint["name"], joint["between"], ends)
                if low == high:
                    xml.SubElement(self.equality, "tendon", name=joint["name"], tendon1=joint["name"])
                else:
                    tendon.attrib.update(limited="true", range=text_of([low, high]))
            else:
                self.lose(f'joint "{joint["name"]}"', f"a {joint['type']} joint that closes a loop")

    # Between points

    def ends_of(self, entry):
        """Where the ends are in the world: given, or at the centre of mass."""
        given = [entry.get("anchor"), entry.get("anchor_b")]
        return [np.asarray(place, float) if place is not None else self.tree.center_of(name)
                for place, name in zip(given, [*entry["between"], None])]

    def add_tendon(self, name, between, ends):
        tendon = xml.SubElement(self.tendons, "spatial", name=name)
        for number, (end, body) in enumerate(zip(ends, [*between, None])):
            place, turn = self.frames.get(body, (np.zeros(3), np.eye(3)))
            element = self.elements.get(body, self.world)
            site = f"{name} {number + 1}"
            xml.SubElement(element, "site", name=site, pos=text_of(turn.T @ (end - place)))
            xml.SubElement(tendon, "site", site=site)
        return tendon

    def add_springs(self):
        for number, force in enumerate(self.document.get("forces", [])):
            name = f"force {number + 1}"
            if force["type"] != "spring":
                self.lose(name, f"the whole of it, a {force['type']}")
                continue
            ends = self.ends_of(force)
            rest = force.get("rest", np.linalg.norm(ends[1] - ends[0]))
            if rest == 0 and force.get("damping"):
                self.lose(name, "that it damps sideways as well")
            tendon = self.add_tendon(name, force["between"], ends)
            tendon.attrib.update(stiffness=repr(float(force.get("stiffness", 0))), springlength=repr(float(rest)),
                                 damping=repr(float(force.get("damping", 0))))

    # Friction: of each geom; MuJoCo takes the greater of two

    def friction(self, shape, name):
        material = self.tree.material(shape, name)
        return self.tree.pair_value("friction", material, material)

    def note_the_rest(self):
        used = sorted({shape.get("material", spec.get("material", "default"))
                       for name, spec in self.tree.specs.items() for shape in self.tree.shapes(name)})
        for i, a in enumerate(used):
            for b in used[i:]:
                if self.tree.pair_value("restitution", a, b):
                    self.lose(f'materials "{a}" and "{b}"', "restitution: MuJoCo's contacts have none")
                for key in ("rolling_friction", "spinning_friction"):
                    if self.tree.pair_value(key, a, b):
                        self.lose(f'materials "{a}" and "{b}"', f"{key}: MuJoCo's is a length, of shapes")
                mixed = max(self.tree.pair_value("friction", a, a), self.tree.pair_value("friction", b, b))
                if self.tree.pair_value("friction", a, b) != mixed:
                    self.lose(f'materials "{a}" and "{b}"', f"their friction: MuJoCo takes {mixed:g} of the two")
        for name, v, w in zip(self.scene.bodies, *self.tree.velocity):
            if np.any(v) or np.any(w):
                self.lose(f'body "{name}"', f"its velocity {v.tolist()} m/s and {w.tolist()} rad/s at the start")
        if "uncertain" in self.document:
            self.lose("uncertain", "the whole of it")
