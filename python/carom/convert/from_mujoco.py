"""Scenes from URDF and MJCF, as MuJoCo's compiler reads them.

Bodies that MuJoCo welds together become one body. Joints stand where MuJoCo has them at qpos0. Geoms become shapes;
meshes become their convex hulls, which is what MuJoCo collides. Two materials touch with the greater of their
frictions, as in MuJoCo; contacts do not bounce. Limits and friction of joints stay what they are; springs and dampers
become forces (from_mujoco_forces.py).
"""

import itertools

import mujoco
import numpy as np

from .from_mujoco_forces import ForceReader
from .mujoco_actuators import what_is_lost
from .rotations import to_quaternion

GEOM, JOINT, EQUALITY = mujoco.mjtGeom, mujoco.mjtJoint, mujoco.mjtEq
WITH_AXIS = ("hinge", "slider")


def read_model(path):
    """The dictionary of a scene, and what it lost."""
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    reader = ModelReader(model)
    document = reader.document(path.stem)
    return document, reader.losses


class ModelReader:
    def __init__(self, model):
        self.model = model
        self.data = mujoco.MjData(model)
        mujoco.mj_forward(model, self.data)
        self.losses = []
        self.groups = {}  # bodies by the body that they are welded to
        for body in range(model.nbody):
            self.groups.setdefault(int(model.body_weldid[body]), []).append(body)

    def document(self, name):
        model = self.model
        self.note_what_a_scene_lacks()
        bodies = [body for root in self.groups for body in [self.body(root)] if body]
        forces = ForceReader(self)
        joints = self.joints(forces) + self.equalities() + forces.tendons()
        document = {"carom": 1, "name": name, "source": "MuJoCo " + mujoco.__version__,
                    "gravity": model.opt.gravity, "materials": self.materials(), "pairs": self.pairs(),
                    "bodies": bodies, "joints": joints, "forces": forces.forces,
                    "method": {"name": "zeno-free", "step": model.opt.timestep}}
        self.note_contacts()
        return document

    def lose(self, kind, number, what):
        from . import Loss
        place = kind if number is None else f'{kind} "{self.name(kind, number)}"'
        self.losses.append(Loss(place, what))

    def name(self, kind, number):
        given = mujoco.mj_id2name(self.model, getattr(mujoco.mjtObj, "mjOBJ_" + kind.upper()), number)
        return given or f"{kind} {number}"

    # Bodies

    def body(self, root):
        geoms = [g for body in self.groups[root] for g in self.geoms_of(body)]
        shapes = [shape for g in geoms for shape in [self.shape(g, root)] if shape]
        if root == 0:
            return {"name": "world", "motion": "fixed", "shapes": shapes} if shapes or self.holds_something() else None
        mass, center, inertia = self.mass_properties(root)
        return {"name": self.name("body", root), "shapes": shapes, "mass": mass, "center_of_mass": center,
                "inertia": inertia, "position": self.data.xpos[root], "orientation": self.data.xquat[root]}

    def holds_something(self):
        """Whether a joint hangs on the world."""
        hangs = any(root and self.parent(root) == 0 and not self.is_free(root) for root in self.groups)
        return hangs or self.model.neq > 0 or self.model.ntendon > 0

    def geoms_of(self, body):
        first = self.model.body_geomadr[body]
        return range(first, first + self.model.body_geomnum[body])

    def in_frame_of(self, root, position, rotation):
        turn = self.data.xmat[root].reshape(3, 3)
        return turn.T @ (position - self.data.xpos[root]), turn.T @ rotation

    def mass_properties(self, root):
        """Of all bodies welded to the root together: mass, centre and inertia about it, in the root's frame."""
        masses, centers, inertias = [], [], []
        for body in self.groups[root]:
            place, turn = self.in_frame_of(root, self.data.xipos[body], self.data.ximat[body].reshape(3, 3))
            masses.append(self.model.body_mass[body])
            centers.append(place)
            inertias.append(turn @ np.diag(self.model.body_inertia[body]) @ turn.T)
        mass = sum(masses)
        center = sum(m * c for m, c in zip(masses, centers)) / mass
        inertia = sum(i + m * ((c - center) @ (c - center) * np.eye(3) - np.outer(c - center, c - center))
                      for m, c, i in zip(masses, centers, inertias))
        return mass, center, (inertia + inertia.T) / 2

    # Shapes

    def shape(self, geom, root):
        kind, size = GEOM(int(self.model.geom_type[geom])), self.model.geom_size[geom]
        place, turn = self.in_frame_of(root, self.data.geom_xpos[geom], self.data.geom_xmat[geom].reshape(3, 3))
        common = {"material": self.material_of(geom)}
        if not self.collides(geom):
            common["collide"] = False
        if kind == GEOM.mjGEOM_PLANE:
            if np.any(size[:2] > 0):
                self.lose("geom", geom, "the edges of a plane, which goes on for ever here")
            return {"type": "plane", "normal": turn[:, 2], "offset": turn[:, 2] @ place, **common}
        dimensions = self.dimensions(kind, size, geom)
        if dimensions is None:
            self.lose("geom", geom, f"a shape of type {kind.name[len('mjGEOM_'):].lower()}")
            return None
        return {**dimensions, "position": place, "orientation": to_quaternion(turn), **common}

    def dimensions(self, kind, size, geom):
        if kind == GEOM.mjGEOM_SPHERE:
            return {"type": "sphere", "radius": size[0]}
        if kind == GEOM.mjGEOM_CAPSULE:
            return {"type": "capsule", "radius": size[0], "length": 2 * size[1]}
        if kind == GEOM.mjGEOM_CYLINDER:
            return {"type": "cylinder", "radius": size[0], "length": 2 * size[1]}
        if kind == GEOM.mjGEOM_ELLIPSOID:
            return {"type": "ellipsoid", "radii": size}
        if kind == GEOM.mjGEOM_BOX:
            return {"type": "box", "size": 2 * size}
        if kind == GEOM.mjGEOM_MESH:
            return {"type": "hull", "points": self.hull_points(self.model.geom_dataid[geom])}
        return None

    def hull_points(self, mesh):
        """The corners of the hull that the compiler has made, or all corners where it has made none."""
        model = self.model
        first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        vertices = model.mesh_vert[first:first + count]
        graph = model.mesh_graphadr[mesh]
        if graph < 0:
            return vertices
        corners = model.mesh_graph[graph]
        ids = model.mesh_graph[graph + 2 + corners:graph + 2 + 2 * corners]
        return vertices[ids]

    # Contacts

    def collides(self, geom):
        """Whether its masks let it touch anything that moves against it."""
        kind, affinity = self.model.geom_contype, self.model.geom_conaffinity
        matches = (kind & affinity[geom]) | (affinity & kind[geom])
        group = self.model.body_weldid[self.model.geom_bodyid]
        return bool(np.any(matches[group != group[geom]]))

    def surface(self, geom):
        """What decides friction: without friction in contacts of one dimension."""
        slides = int(self.model.geom_condim[geom]) == 1
        return slides, float(self.model.geom_friction[geom, 0])

    def surfaces(self):
        return sorted({self.surface(geom) for geom in range(self.model.ngeom)})

    def material_of(self, geom):
        return f"surface {self.surfaces().index(self.surface(geom)) + 1}"

    def materials(self):
        return {f"surface {i + 1}": {} for i in range(len(self.surfaces()))}

    def pairs(self):
        pairs = []
        numbered = list(enumerate(self.surfaces(), 1))
        for (i, (slides, mu)), (j, (also, nu)) in itertools.combinations_with_replacement(numbered, 2):
            friction = 0 if slides and also else max(mu, nu)
            pairs.append({"materials": [f"surface {i}", f"surface {j}"], "friction": friction})
        return pairs

    def note_contacts(self):
        """What MuJoCo's contacts have beyond a coefficient of friction, and pairs that it lets through."""
        model = self.model
        for geom in filter(self.collides, range(model.ngeom)):
            if model.geom_condim[geom] > 3:
                self.lose("geom", geom, "friction against spinning and rolling")
            if model.geom_margin[geom] or model.geom_gap[geom]:
                self.lose("geom", geom, "the margin of contacts")
        for a, b in itertools.combinations(self.groups, 2):
            if self.should_not_touch(a, b):
                self.lose("body", a, f'that it never touches "{self.name("body", b)}"')

    def should_not_touch(self, a, b):
        """Both have shapes that touch something, but by their masks, or an exclusion, not each other."""
        sides = [[g for body in self.groups[root] for g in self.geoms_of(body) if self.collides(g)] for root in (a, b)]
        if not all(sides) or self.are_jointed(a, b):
            return False
        signature = {(x << 16) + y for x, y in itertools.product(self.groups[a], self.groups[b])}
        signature |= {(y << 16) + x for x, y in itertools.product(self.groups[a], self.groups[b])}
        if signature & set(map(int, self.model.exclude_signature)):
            return True
        kind, affinity = self.model.geom_contype, self.model.geom_conaffinity
        return not all(kind[g] & affinity[h] or kind[h] & affinity[g] for g, h in itertools.product(*sides))

    def parent(self, root):
        return int(self.model.body_weldid[self.model.body_parentid[root]])

    def are_jointed(self, a, b):
        pairs = {(root, self.parent(root)) for root in self.groups if root and not self.is_free(root)}
        return (a, b) in pairs or (b, a) in pairs

    def is_free(self, root):
        return any(self.model.jnt_type[j] == JOINT.mjJNT_FREE for j in self.joints_of(root))

    # Joints

    def joints_of(self, body):
        first = self.model.body_jntadr[body]
        return range(first, first + self.model.body_jntnum[body])

    def joints(self, forces):
        joints = []
        for root in self.groups:
            numbers = list(self.joints_of(root))
            joint = None if root == 0 or self.is_free(root) else self.joint(root, numbers)
            if joint:
                joints.append(joint)
            for number in numbers:
                self.add_limits(number, joint)
                forces.add_joint(number, root, joint)
        return joints

    def joint(self, root, numbers):
        """The one joint that does what those of the body do together."""
        kinds = [JOINT(int(self.model.jnt_type[j])) for j in numbers]
        anchor, axes = self.data.xanchor[numbers[0]], [self.data.xaxis[j] for j in numbers]
        found = self.common_joint(numbers, kinds, axes)
        if found is None:
            names = ", ".join(f'"{self.name("joint", j)}"' for j in numbers)
            self.lose("body", root, f"its joints {names}: no one joint does what they do together; it is free")
            return None
        between = [self.body_at(self.parent(root)), self.name("body", root)]
        if found["type"] in WITH_AXIS:  # its coordinate is that of the first body against the second
            between.reverse()
        return {"name": self.name("joint", numbers[0]), "between": between, "anchor": anchor, **found}

    def add_limits(self, number, joint):
        """Limits and friction, where the joint has one coordinate: that of MuJoCo from qpos0 on."""
        model = self.model
        has_axis = joint is not None and joint["type"] in WITH_AXIS
        friction = model.dof_frictionloss[self.dofs_of(number)]
        if has_axis and friction[0]:
            joint["friction"] = friction[0]
        elif np.any(friction):
            self.lose("joint", number, "its friction")
        if model.jnt_limited[number]:
            reason = self.why_no_limits(number, joint) if has_axis else ""
            if has_axis and not reason:
                joint["limits"] = model.jnt_range[number] - self.zero_of(number)
            else:
                self.lose("joint", number, f"its limits {model.jnt_range[number].tolist()}{reason}")
        if np.any(model.dof_armature[self.dofs_of(number)]):
            self.lose("joint", number, "the inertia of its armature")

    def why_no_limits(self, number, joint):
        low, high = self.model.jnt_range[number] - self.zero_of(number)
        if low > 0 or high < 0:
            return ": it begins outside them"
        return ": a whole turn or more" if joint["type"] == "hinge" and high - low >= 2 * np.pi else ""

    def zero_of(self, number):
        return self.model.qpos0[self.model.jnt_qposadr[number]]

    def dofs_of(self, number):
        first = self.model.jnt_dofadr[number]
        return slice(first, first + {JOINT.mjJNT_FREE: 6, JOINT.mjJNT_BALL: 3}.get(self.model.jnt_type[number], 1))

    def common_joint(self, numbers, kinds, axes):
        if kinds == [JOINT.mjJNT_BALL]:
            return {"type": "ball"}
        if kinds == [JOINT.mjJNT_HINGE]:
            return {"type": "hinge", "axis": axes[0]}
        if kinds == [JOINT.mjJNT_SLIDE]:
            return {"type": "slider", "axis": axes[0]}
        anchors = self.data.xanchor[numbers]
        if set(kinds) != {JOINT.mjJNT_HINGE} or not np.allclose(anchors, anchors[0], atol=1e-9):
            return None
        if len(kinds) == 2 and abs(axes[0] @ axes[1]) < 1e-6:
            return {"type": "universal", "axis": axes[0], "axis_b": axes[1]}
        if len(kinds) == 3 and abs(np.linalg.det(axes)) > 1e-6:
            return {"type": "ball"}
        return None

    def body_at(self, root):
        return "world" if root == 0 else self.name("body", root)

    def equalities(self):
        """Loops: points held together, and welds."""
        model, joints = self.model, []
        for number in range(model.neq):
            kind = EQUALITY(int(model.eq_type[number]))
            on_bodies = model.eq_objtype[number] == mujoco.mjtObj.mjOBJ_BODY
            known = {EQUALITY.mjEQ_CONNECT: "ball", EQUALITY.mjEQ_WELD: "fixed"}
            if kind not in known or not on_bodies or not model.eq_active0[number]:
                self.lose("equality", number, f"a constraint of type {kind.name[len('mjEQ_'):].lower()}")
                continue
            bodies = [int(model.eq_obj1id[number]), int(model.eq_obj2id[number])]
            roots = [int(model.body_weldid[body]) for body in bodies]
            anchor = self.data.xpos[bodies[0]]
            if kind == EQUALITY.mjEQ_CONNECT:
                anchor = anchor + self.data.xmat[bodies[0]].reshape(3, 3) @ model.eq_data[number, :3]
            joints.append({"name": self.name("equality", number), "type": known[kind],
                           "between": [self.body_at(root) for root in roots], "anchor": anchor})
        return joints

    # The rest

    def note_what_a_scene_lacks(self):
        model = self.model
        for number in range(model.nu):
            self.lose("actuator", number, what_is_lost(model, number))
        for kind, count in (("sensor", model.nsensor),
                            ("key", model.nkey), ("pair", model.npair), ("flex", model.nflex)):
            for number in range(count):
                self.lose(kind, number, "the whole of it")
        for name in ("density", "viscosity", "wind"):
            if np.any(getattr(model.opt, name)):
                self.lose(f"option {name}", None, str(getattr(model.opt, name)))
        for body in range(model.nbody):
            if model.body_gravcomp[body]:
                self.lose("body", body, "gravity that is balanced")
            if model.body_mocapid[body] >= 0:
                self.lose("body", body, "that motion capture moves it; it is fixed")
