"""Scenes from USD, by the schema of UsdPhysics: rigid bodies, colliders, masses, materials, joints and gravity.

Axes stay the stage's, lengths become metres and masses kilograms. A collider below no body stands still, by itself. Two
materials touch with the mean of their dynamic frictions and restitutions. A stage without a physics scene has the
gravity of Earth.
"""

import itertools

import numpy as np
from pxr import Tf, Usd, UsdGeom, UsdPhysics, UsdShade

from .rotations import to_quaternion
from .usd_joints import read_joint, rotation_of
from .usd_shapes import ShapeReader

EARTH = 9.81      # m/s²
DENSITY = 1000.0  # kg/m³; the schema's, where none is given
SHARED = "default"


def read_stage(path, folder):
    """The dictionary of a scene, whose meshes are written into the folder as OBJ, and what it lost."""
    try:
        stage = Usd.Stage.Open(str(path))
        stage.Reload()  # USD keeps layers, also those whose file has changed
    except Tf.ErrorException as error:
        raise ValueError(f"{path}: {error}") from None
    reader = StageReader(stage, path.stem, folder)
    document = reader.document(path.stem)
    if not document["bodies"]:
        raise ValueError(f"{path}: found neither rigid bodies nor colliders of UsdPhysics that a scene can have")
    return document, reader.losses


class StageReader:
    def __init__(self, stage, stem, folder):
        self.stage = stage
        self.metre = UsdGeom.GetStageMetersPerUnit(stage)
        self.kilogram = UsdPhysics.GetStageKilogramsPerUnit(stage)
        self.cache = UsdGeom.XformCache()
        self.losses = []
        self.materials, self.surfaces = {}, {}  # by name: documents; friction and restitution
        self.shapes = ShapeReader(self, stem, folder)
        prims = [prim for prim in stage.Traverse() if prim.IsActive()]
        self.prims = {kind: [prim for prim in prims if prim.HasAPI(api)] for kind, api in
                      (("body", UsdPhysics.RigidBodyAPI), ("collider", UsdPhysics.CollisionAPI))}
        self.joints = [prim for prim in prims if prim.IsA(UsdPhysics.Joint)]
        self.groups = [prim for prim in prims if prim.IsA(UsdPhysics.CollisionGroup) or prim.HasAPI(UsdPhysics.FilteredPairsAPI)]
        self.scenes = [UsdPhysics.Scene(prim) for prim in prims if prim.IsA(UsdPhysics.Scene)]

    def lose(self, prim, what):
        from . import Loss
        self.losses.append(Loss(f'"{prim.GetPath()}"', what))

    def document(self, name):
        owned = {}
        for collider in self.prims["collider"]:
            body = self.body_above(collider)
            owned.setdefault((body or collider).GetPath(), []).append(collider)
        bodies = [self.body(prim, owned.get(prim.GetPath(), [])) for prim in self.prims["body"]]
        bodies += [self.fixed(colliders[0]) for path, colliders in owned.items()
                   if not self.stage.GetPrimAtPath(path).HasAPI(UsdPhysics.RigidBodyAPI)]
        bodies = [body for body in bodies if body]
        there = {body["name"] for body in bodies}
        joints = [joint for prim in self.joints for joint in [read_joint(self, prim, there)] if joint]
        if any("world" in joint["between"] for joint in joints):
            bodies.append({"name": "world", "motion": "fixed", "shapes": []})
        for prim in self.groups:
            self.lose(prim, "its collision filter")
        document = {"carom": 1, "name": name, "source": "USD", "gravity": self.gravity(), "materials": self.materials,
                    "pairs": self.pairs(), "bodies": bodies}
        if joints:
            document["joints"] = joints
        return document

    def gravity(self):
        up = np.array([0, 1, 0] if UsdGeom.GetStageUpAxis(self.stage) == "Y" else [0, 0, 1], float)
        if not self.scenes:
            return -EARTH * up
        for scene in self.scenes[1:]:
            self.lose(scene.GetPrim(), "a second physics scene")
        direction = np.array(self.scenes[0].GetGravityDirectionAttr().Get())
        size = self.scenes[0].GetGravityMagnitudeAttr().Get()
        direction = direction / np.linalg.norm(direction) if direction.any() else -up
        return direction * (size * self.metre if size >= 0 and np.isfinite(size) else EARTH)

    def body_above(self, prim):
        while prim and not prim.HasAPI(UsdPhysics.RigidBodyAPI):
            prim = prim.GetParent()
        return prim if prim and prim.IsValid() else None

    def world(self, prim):
        """From the prim's own axes to the world's, p = A x + b, with b in metres."""
        rows = np.array(self.cache.GetLocalToWorldTransform(prim))
        return rows[:3, :3].T, rows[3, :3] * self.metre

    def pose(self, prim):
        """The same without scale: a rotation and a place."""
        matrix, place = self.world(prim)
        u, _, v = np.linalg.svd(matrix)
        return u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v, place

    def fixed(self, collider):
        turn, place = np.eye(3), self.world(collider)[1]
        shape = self.shapes.read(collider, turn, place, False)
        return shape and {"name": str(collider.GetPath()), "motion": "fixed", "shapes": [shape], "position": place}

    def body(self, prim, colliders):
        api = UsdPhysics.RigidBodyAPI(prim)
        turn, place = self.pose(prim)
        moves = api.GetRigidBodyEnabledAttr().Get()
        motion = "fixed" if not moves else "driven" if api.GetKinematicEnabledAttr().Get() else "dynamic"
        shapes = [shape for each in colliders for shape in [self.shapes.read(each, turn, place, motion == "dynamic")] if shape]
        made = {"name": str(prim.GetPath()), "motion": motion, "position": place, "orientation": to_quaternion(turn),
                "shapes": shapes}
        if motion != "fixed":
            above = self.world(prim.GetParent())[0]
            made["velocity"] = above @ np.array(api.GetVelocityAttr().Get()) * self.metre
            made["angular_velocity"] = self.pose(prim.GetParent())[0] @ np.radians(api.GetAngularVelocityAttr().Get())
        if motion == "dynamic":
            made.update(self.mass(prim, colliders))
        if motion == "dynamic" and not shapes and not ("mass" in made and "inertia" in made):
            self.lose(prim, "the body: it has neither shapes nor a mass with an inertia")
            return None
        return made

    def mass(self, prim, colliders):
        for collider in colliders:
            if collider != prim and collider.HasAPI(UsdPhysics.MassAPI):
                self.lose(collider, "a mass of its own: bodies have masses, materials densities")
        if not prim.HasAPI(UsdPhysics.MassAPI):
            return {}
        api, made = UsdPhysics.MassAPI(prim), {}
        if (mass := api.GetMassAttr().Get()) > 0:
            made["mass"] = mass * self.kilogram
        elif api.GetDensityAttr().Get() > 0:
            self.lose(prim, "the density of a body without a mass: materials have densities")
        middle, inertia = np.array(api.GetCenterOfMassAttr().Get()), np.array(api.GetDiagonalInertiaAttr().Get())
        matrix = np.linalg.inv(self.pose(prim)[0]) @ self.world(prim)[0]  # the scale
        if np.isfinite(middle).all():
            made["center_of_mass"] = matrix @ middle * self.metre
        if inertia.all():
            axes = rotation_of(api.GetPrincipalAxesAttr().Get())
            made["inertia"] = axes @ np.diag(inertia) @ axes.T * self.kilogram * self.metre**2
        return made

    def material(self, collider):
        """The name of what a collider is made of."""
        bound = UsdShade.MaterialBindingAPI(collider).ComputeBoundMaterial("physics")[0]
        prim = bound.GetPrim() if bound else None
        name = str(prim.GetPath()) if prim and prim.HasAPI(UsdPhysics.MaterialAPI) else SHARED
        if name not in self.materials:
            self.materials[name] = {"density": DENSITY}
            self.surfaces[name] = (0.0, 0.0)
            if name != SHARED:
                self.read_material(name, prim)
        return name

    def read_material(self, name, prim):
        api = UsdPhysics.MaterialAPI(prim)
        still, sliding = api.GetStaticFrictionAttr().Get(), api.GetDynamicFrictionAttr().Get()
        if still != sliding:
            self.lose(prim, f"its static friction {still:g}: the dynamic one, {sliding:g}, holds for both")
        self.surfaces[name] = (sliding, api.GetRestitutionAttr().Get())
        if (density := api.GetDensityAttr().Get()) > 0:
            self.materials[name] = {"density": density * self.kilogram / self.metre**3}

    def pairs(self):
        means = [(a, b, np.mean([self.surfaces[a], self.surfaces[b]], axis=0))
                 for a, b in itertools.combinations_with_replacement(sorted(self.materials), 2)]
        return [{"materials": [a, b], "friction": mean[0], "restitution": mean[1]} for a, b, mean in means]
