"""Shapes of USD's colliders, placed in their bodies."""

import numpy as np
from pxr import UsdGeom, UsdPhysics

from .rotations import to_quaternion

AXES = {"X": np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0.0]]), "Y": np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0.0]]),
        "Z": np.eye(3)}  # turn z to the axis


class ShapeReader:
    def __init__(self, reader, stem, folder):
        self.reader, self.stem, self.folder = reader, stem, folder

    def read(self, prim, turn, place, is_dynamic):
        """The shape of a collider in a body with this rotation and place, or None, which is listed."""
        if not UsdPhysics.CollisionAPI(prim).GetCollisionEnabledAttr().Get():
            return None
        matrix, at = self.reader.world(prim)
        matrix, at = turn.T @ matrix, turn.T @ (at - place)
        shape = None
        for kind, read in ((UsdGeom.Mesh, self.mesh), (UsdGeom.Plane, self.plane), (UsdGeom.Sphere, self.solid),
                           (UsdGeom.Cube, self.solid), (UsdGeom.Capsule, self.solid), (UsdGeom.Cylinder, self.solid),
                           (UsdGeom.Cone, self.solid)):
            if prim.IsA(kind):
                shape = read(prim, matrix, at, is_dynamic)
                break
        else:
            self.reader.lose(prim, f"a collider that is a {prim.GetTypeName() or 'prim without a type'}")
        return shape and {**shape, "material": self.reader.material(prim)}

    def solid(self, prim, matrix, at, is_dynamic):
        kind = prim.GetTypeName()
        axis = AXES[UsdGeom.Cylinder(prim).GetAxisAttr().Get()] if kind in ("Capsule", "Cylinder", "Cone") else np.eye(3)
        matrix = matrix @ axis
        scale = np.linalg.norm(matrix, axis=0)
        turn = matrix / scale
        if np.abs(turn.T @ turn - np.eye(3)).max() > 1e-6:
            return self.reader.lose(prim, "a shape that is sheared")
        if np.linalg.det(turn) < 0:
            turn[:, 0] *= -1  # mirrored: these shapes are their own mirror images
        shape = self.sized(prim, kind, scale * self.reader.metre)
        return shape and {**shape, "position": at, "orientation": to_quaternion(turn)}

    def sized(self, prim, kind, scale):
        if kind == "Sphere":
            radii = UsdGeom.Sphere(prim).GetRadiusAttr().Get() * scale
            if np.ptp(radii) > 1e-9 * radii.max():
                return {"type": "ellipsoid", "radii": radii}
            return {"type": "sphere", "radius": radii[0]}
        if kind == "Cube":
            return {"type": "box", "size": UsdGeom.Cube(prim).GetSizeAttr().Get() * scale}
        round = np.ptp(scale if kind == "Capsule" else scale[:2])
        if round > 1e-9 * scale.max():
            return self.reader.lose(prim, f"a {kind.lower()} that is scaled unevenly")
        made = UsdGeom.Cylinder(prim)  # whose attributes the others share
        return {"type": kind.lower(), "radius": made.GetRadiusAttr().Get() * scale[0],
                "length": made.GetHeightAttr().Get() * scale[2]}

    def plane(self, prim, matrix, at, is_dynamic):
        if is_dynamic:
            return self.reader.lose(prim, "a plane on a body that moves")
        axis = np.linalg.inv(matrix).T @ AXES[UsdGeom.Plane(prim).GetAxisAttr().Get()][:, 2]
        normal = axis / np.linalg.norm(axis)
        return {"type": "plane", "normal": normal, "offset": normal @ at}

    def mesh(self, prim, matrix, at, is_dynamic):
        mesh = UsdGeom.Mesh(prim)
        points = np.array(mesh.GetPointsAttr().Get(), float) @ matrix.T * self.reader.metre + at
        wanted = UsdPhysics.MeshCollisionAPI(prim).GetApproximationAttr().Get() if prim.HasAPI(
            UsdPhysics.MeshCollisionAPI) else "none"
        if wanted == "none":
            return {"type": "mesh", "file": self.write(prim, mesh, points, np.linalg.det(matrix) < 0)}
        if wanted != "convexHull":
            self.reader.lose(prim, f'the approximation "{wanted}": it is a hull')
        return {"type": "hull", "points": points}

    def write(self, prim, mesh, points, is_mirrored):
        corners = iter(mesh.GetFaceVertexIndicesAttr().Get())
        faces = [[next(corners) + 1 for _ in range(count)] for count in mesh.GetFaceVertexCountsAttr().Get()]
        if is_mirrored != (mesh.GetOrientationAttr().Get() == "leftHanded"):
            faces = [face[::-1] for face in faces]
        name = "".join(c if c.isalnum() else "-" for c in str(prim.GetPath()))
        file = f"{self.stem}{name}.obj"
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist()] + ["f " + " ".join(map(str, face)) for face in faces]
        (self.folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return file
