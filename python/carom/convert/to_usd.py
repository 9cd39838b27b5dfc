"""Scenes as USD, in the words of UsdPhysics: metres, kilograms, z up."""

import numpy as np
from pxr import Gf, Tf, Usd, UsdGeom, UsdPhysics, UsdShade

from .rotations import from_quaternion, to_quaternion
from .tree import Tree, orientation_of

SOLIDS = {"sphere": (UsdGeom.Sphere, lambda s: {"radius": s["radius"]}, None),
          "box": (UsdGeom.Cube, lambda s: {"size": 1.0}, lambda s: s["size"]),
          "ellipsoid": (UsdGeom.Sphere, lambda s: {"radius": 1.0}, lambda s: s["radii"]),
          **{kind: (schema, lambda s: {"radius": s["radius"], "height": s["length"], "axis": "Z"}, None) for kind, schema in
             (("capsule", UsdGeom.Capsule), ("cylinder", UsdGeom.Cylinder), ("cone", UsdGeom.Cone))}}
JOINTS = {"hinge": UsdPhysics.RevoluteJoint, "slider": UsdPhysics.PrismaticJoint, "ball": UsdPhysics.SphericalJoint,
          "fixed": UsdPhysics.FixedJoint, "distance": UsdPhysics.DistanceJoint}


def write_stage(scene, folder):
    """USD text, and what it lost. Files that the scene names are in the folder."""
    writer = StageWriter(scene, folder)
    return writer.text(), writer.losses


def vector(values):
    return Gf.Vec3f(*map(float, values))


def quaternion(matrix):
    return Gf.Quatf(*map(float, to_quaternion(matrix)))


class StageWriter:
    def __init__(self, scene, folder):
        self.scene, self.folder, self.tree = scene, folder, Tree(scene)
        self.document, self.losses = self.tree.document, []
        self.stage = Usd.Stage.CreateInMemory()
        self.paths, self.taken = {}, set()

    def lose(self, place, what):
        from . import Loss
        self.losses.append(Loss(place, what))

    def text(self):
        UsdGeom.SetStageMetersPerUnit(self.stage, 1)
        UsdGeom.SetStageUpAxis(self.stage, "Z")
        UsdPhysics.SetStageKilogramsPerUnit(self.stage, 1)
        self.stage.SetDefaultPrim(UsdGeom.Xform.Define(self.stage, "/scene").GetPrim())
        gravity = np.array(self.document.get("gravity", [0, 0, -9.81]), float)
        size = np.linalg.norm(gravity)
        physics = UsdPhysics.Scene.Define(self.stage, self.path("physics"))
        physics.CreateGravityMagnitudeAttr(float(size))
        physics.CreateGravityDirectionAttr(vector(gravity / size if size else [0, 0, -1]))
        self.add_materials()
        for name in self.scene.bodies:
            self.add_body(name)
        for joint in self.document.get("joints", []):
            self.add_joint(joint)
        for number, force in enumerate(self.document.get("forces", [])):
            self.lose(f"force {number + 1}", f"the whole of it, a {force['type']}")
        return self.stage.ExportToString()

    def path(self, name):
        """A place of its own for what has this name."""
        wanted = made = Tf.MakeValidIdentifier(name)
        count = 1
        while made in self.taken:  # ends: every turn tries another
            count += 1
            made = f"{wanted}_{count}"
        self.taken.add(made)
        return f"/scene/{made}"

    def add_materials(self):
        used = sorted({self.tree.material(shape, name) for name in self.scene.bodies for shape in self.tree.shapes(name)})
        values = {name: [self.tree.pair_value(key, name, name) for key in ("friction", "restitution")] for name in used}
        self.materials = {}
        for name in used:
            prim = self.materials[name] = UsdShade.Material.Define(self.stage, self.path(f"material {name}"))
            api = UsdPhysics.MaterialAPI.Apply(prim.GetPrim())
            api.CreateDynamicFrictionAttr(values[name][0])
            api.CreateStaticFrictionAttr(values[name][0])
            api.CreateRestitutionAttr(values[name][1])
        for i, a in enumerate(used):
            for b in used[i + 1:]:
                for k, key in enumerate(("friction", "restitution")):
                    mean = 0.5 * (values[a][k] + values[b][k])
                    if abs(self.tree.pair_value(key, a, b) - mean) > 1e-12:
                        self.lose(f'materials "{a}" and "{b}"', f"their {key}: the mean of the two, {mean:g}, holds")

    def add_body(self, name):
        place, turn = self.tree.frames[name]
        body = UsdGeom.Xform.Define(self.stage, self.path(name))
        self.paths[name] = body.GetPath()
        body.AddTranslateOp().Set(Gf.Vec3d(*map(float, place)))
        body.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Quatd(*map(float, to_quaternion(turn))))
        motion = self.tree.motion(name)
        if motion != "fixed":
            api = UsdPhysics.RigidBodyAPI.Apply(body.GetPrim())
            i = self.scene.index(name)
            api.CreateVelocityAttr(vector(self.tree.velocity[0][i]))
            api.CreateAngularVelocityAttr(vector(np.degrees(self.tree.velocity[1][i])))
            if motion == "driven":
                api.CreateKinematicEnabledAttr(True)
            else:
                self.add_mass(body.GetPrim(), i)
        for number, shape in enumerate(self.tree.shapes(name)):
            self.add_shape(f"{body.GetPath()}/shape_{number + 1}", name, shape)

    def add_mass(self, prim, i):
        api = UsdPhysics.MassAPI.Apply(prim)
        moments, axes = np.linalg.eigh(self.scene.inertia[i])
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        api.CreateMassAttr(float(self.scene.mass[i]))
        api.CreateCenterOfMassAttr(vector(self.scene.center_of_mass[i]))
        api.CreateDiagonalInertiaAttr(vector(moments))
        api.CreatePrincipalAxesAttr(quaternion(axes))

    def add_shape(self, path, name, shape):
        turn, place = from_quaternion(orientation_of(shape)), np.asarray(shape.get("position", [0, 0, 0]), float)
        scale = None
        if shape["type"] in SOLIDS:
            schema, attributes, scaled = SOLIDS[shape["type"]]
            made = schema.Define(self.stage, path)
            for key, value in attributes(shape).items():
                made.GetPrim().GetAttribute(key).Set(value)
            scale = scaled and scaled(shape)
        elif shape["type"] == "plane":
            made = UsdGeom.Plane.Define(self.stage, path)
            size = np.linalg.norm(shape["normal"])
            normal = turn @ np.divide(shape["normal"], size)
            place, turn = place + shape["offset"] / size * normal, with_z(normal)
        else:
            made = self.add_mesh(path, shape)
        made.AddTranslateOp().Set(Gf.Vec3d(*map(float, place)))
        made.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Quatd(*map(float, to_quaternion(turn))))
        if scale is not None:
            made.AddScaleOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*map(float, scale)))
        if shape.get("collide", True):
            UsdPhysics.CollisionAPI.Apply(made.GetPrim())
        UsdShade.MaterialBindingAPI.Apply(made.GetPrim()).Bind(
            self.materials[self.tree.material(shape, name)], materialPurpose="physics")

    def add_mesh(self, path, shape):
        import trimesh
        made = UsdGeom.Mesh.Define(self.stage, path)
        surface = (trimesh.load_mesh(str(self.folder / shape["file"])) if "file" in shape
                   else trimesh.PointCloud(shape["points"]).convex_hull)
        made.CreatePointsAttr([vector(point) for point in surface.vertices])
        made.CreateFaceVertexCountsAttr([3] * len(surface.faces))
        made.CreateFaceVertexIndicesAttr([int(corner) for corner in surface.faces.ravel()])
        made.CreateSubdivisionSchemeAttr("none")
        UsdPhysics.MeshCollisionAPI.Apply(made.GetPrim()).CreateApproximationAttr(
            "convexHull" if shape["type"] == "hull" else "none")
        return made

    def add_joint(self, joint):
        place = f'joint "{joint["name"]}"'
        if joint["type"] not in JOINTS:
            return self.lose(place, f"the whole of it, a {joint['type']} joint")
        for key in ("motor", "friction", "restitution", "spring"):
            if joint.get(key):
                self.lose(place, f"its {key}")
        made = JOINTS[joint["type"]].Define(self.stage, self.path(joint["name"]))
        frame = with_z(self.tree.axis(joint)) if "axis" in joint else np.eye(3)
        first, second = joint["between"]
        ends = [joint.get("anchor"), joint.get("anchor_b")]
        ends = [self.tree.center_of(name) if end is None else np.asarray(end, float) for name, end in zip((first, second), ends)]
        if joint["type"] != "distance":
            ends[1] = ends[0]
        self.attach(made.CreateBody1Rel(), made.CreateLocalPos1Attr(), made.CreateLocalRot1Attr(), first, ends[0], frame)
        self.attach(made.CreateBody0Rel(), made.CreateLocalPos0Attr(), made.CreateLocalRot0Attr(), second, ends[1], frame)
        made.CreateCollisionEnabledAttr(bool(joint.get("collide", False)))
        self.limit(made, joint, np.linalg.norm(ends[1] - ends[0]))

    def attach(self, body, place, turn, name, point, frame):
        origin, axes = self.tree.frames[name]
        body.SetTargets([self.paths[name]])
        place.Set(vector(axes.T @ (point - origin)))
        turn.Set(quaternion(axes.T @ frame))

    def limit(self, made, joint, length):
        kind = joint["type"]
        if kind == "distance":
            low, high = joint.get("limits", (length, length))
            made.CreateMinDistanceAttr(float(low))
            made.CreateMaxDistanceAttr(float(high))
        elif kind in ("hinge", "slider"):
            made.CreateAxisAttr("Z")
            if "limits" in joint:
                low, high = np.degrees(joint["limits"]) if kind == "hinge" else joint["limits"]
                made.CreateLowerLimitAttr(float(low))
                made.CreateUpperLimitAttr(float(high))


def with_z(axis):
    """A rotation that turns z to the axis."""
    z = np.asarray(axis, float) / np.linalg.norm(axis)
    x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])
