"""Joints of USD. There limits count from where the joint's two frames agree, here from where bodies stand at t = 0."""

import numpy as np
from pxr import UsdPhysics

from .rotations import from_quaternion
from .usd_shapes import AXES

TYPES = {"PhysicsRevoluteJoint": "hinge", "PhysicsPrismaticJoint": "slider", "PhysicsSphericalJoint": "ball",
         "PhysicsFixedJoint": "fixed", "PhysicsDistanceJoint": "distance"}


def rotation_of(quaternion):
    """Of Gf.Quatf, whose zero is the schema's word for none."""
    q = np.array([quaternion.GetReal(), *quaternion.GetImaginary()], float)
    return from_quaternion(q) if q.any() else np.eye(3)


def read_joint(reader, prim, there):
    """A joint as a scene has it, or None, which is listed."""
    joint, type = UsdPhysics.Joint(prim), TYPES.get(prim.GetTypeName())
    if type is None:
        return reader.lose(prim, f"a joint that is a {prim.GetTypeName()}")
    if not joint.GetJointEnabledAttr().Get():
        return None
    for schema in prim.GetAppliedSchemas():
        if schema.startswith(("PhysicsDriveAPI", "PhysicsLimitAPI")):
            reader.lose(prim, f"its {schema}")
    ends = [end(reader, joint.GetBody0Rel(), joint.GetLocalPos0Attr(), joint.GetLocalRot0Attr()),
            end(reader, joint.GetBody1Rel(), joint.GetLocalPos1Attr(), joint.GetLocalRot1Attr())]
    if any(name not in there | {"world"} for name, _, _ in ends) or ends[0][0] == ends[1][0]:
        return reader.lose(prim, "a joint whose bodies are not two bodies of the scene")
    made = {"name": str(prim.GetPath()), "type": type, "between": [ends[1][0], ends[0][0]], "anchor": ends[1][1]}
    if joint.GetCollisionEnabledAttr().Get():
        made["collide"] = True
    if type == "distance":
        made["anchor_b"] = ends[0][1]
        limit_distance(reader, prim, made)
    if type in ("hinge", "slider"):
        limit(reader, prim, made, ends)
    if type == "ball" and max(UsdPhysics.SphericalJoint(prim).GetConeAngle0LimitAttr().Get(),
                              UsdPhysics.SphericalJoint(prim).GetConeAngle1LimitAttr().Get()) >= 0:
        reader.lose(prim, "the limits of its cone")
    return made


def end(reader, relation, place, turn):
    """Body, point and rotation of a joint's frame in the world."""
    targets = relation.GetTargets()
    prim = reader.stage.GetPrimAtPath(targets[0]) if targets else reader.stage.GetPseudoRoot()
    matrix, at = reader.world(prim)
    body = reader.body_above(prim) if targets else None
    name = str(body.GetPath()) if body else str(prim.GetPath()) if targets and prim.HasAPI(UsdPhysics.CollisionAPI) else "world"
    return name, matrix @ np.array(place.Get(), float) * reader.metre + at, reader.pose(prim)[0] @ rotation_of(turn.Get())


def limit(reader, prim, made, ends):
    """Axis and limits of a hinge or a slider; a lower limit above the upper one is the schema's word for locked."""
    is_hinge = made["type"] == "hinge"
    joint = (UsdPhysics.RevoluteJoint if is_hinge else UsdPhysics.PrismaticJoint)(prim)
    axis = AXES[joint.GetAxisAttr().Get()]
    made["axis"] = ends[0][2] @ axis[:, 2]
    low, high = joint.GetLowerLimitAttr().Get(), joint.GetUpperLimitAttr().Get()
    relative = (ends[0][2] @ axis).T @ ends[1][2] @ axis
    now = np.arctan2(relative[1, 0], relative[0, 0]) if is_hinge else made["axis"] @ (ends[1][1] - ends[0][1])
    if low > high:
        made["type"] = "fixed"
        del made["axis"]
    elif np.isfinite([low, high]).all():
        limits = np.array([low, high]) * (np.pi / 180 if is_hinge else reader.metre) - now
        if limits[0] > 0 or limits[1] < 0 or (is_hinge and np.ptp(limits) >= 2 * np.pi):
            reader.lose(prim, "its limits, which are a whole turn apart or do not hold at the start")
        else:
            made["limits"] = limits
    elif np.isfinite([low, high]).any():
        reader.lose(prim, "its limit, which is on one side only")


def limit_distance(reader, prim, made):
    joint = UsdPhysics.DistanceJoint(prim)
    low, high = joint.GetMinDistanceAttr().Get(), joint.GetMaxDistanceAttr().Get()
    if high < 0 or not np.isfinite(high):
        reader.lose(prim, "a distance joint without a greatest distance: it is rigid")
    elif max(low, 0) < high:
        made["limits"] = [max(low, 0) * reader.metre, high * reader.metre]
