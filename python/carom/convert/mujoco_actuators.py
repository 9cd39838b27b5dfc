"""Actuators of MJCF on hinges and sliders, for controllers that push a carom.Simulation as MuJoCo's would.

    simulation = carom.Simulation(carom.convert.load("arm.xml")[0])
    motors = carom.convert.actuators("arm.xml")
    for control in controls:
        for motor, value in zip(motors, control):
            motor.apply(simulation, value)
        simulation.advance_to(simulation.time + 0.002)
"""

from typing import NamedTuple

import mujoco
import numpy as np

WITH_AXIS = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
AFFINE = int(mujoco.mjtBias.mjBIAS_AFFINE)
LINEAR = (int(mujoco.mjtBias.mjBIAS_NONE), AFFINE)


class Actuator(NamedTuple):
    """force = gain × control + bias · (1, length, velocity), within force_range; gear times that on the joint, whose
    coordinates times gear are length and velocity."""

    name: str
    joint: str
    gear: float
    gain: float
    bias: tuple
    control_range: tuple
    force_range: tuple
    joint_range: tuple  # of the force on the joint, gear included
    zero: float  # MuJoCo's coordinate where ours is zero

    def force(self, position, velocity, control):
        """On the joint, N m or N, at its joint_position and joint_velocity."""
        length = self.gear * (position + self.zero)
        force = self.gain * np.clip(control, *self.control_range) + np.dot(
            self.bias, (1, length, self.gear * velocity))
        return float(np.clip(self.gear * np.clip(force, *self.force_range), *self.joint_range))

    def apply(self, simulation, control):
        """For the next call that moves time on."""
        joint = simulation.scene.joint_index(self.joint)
        force = self.force(simulation.joint_position[joint], simulation.joint_velocity[joint], control)
        simulation.apply_joint_force(joint, force)


def why_not(model, number):
    """What keeps an actuator from being one of ours, or nothing."""
    if model.actuator_trntype[number] != int(mujoco.mjtTrn.mjTRN_JOINT):
        return "it does not act on a joint"
    joint = model.actuator_trnid[number, 0]
    if model.jnt_type[joint] not in WITH_AXIS or model.body_jntnum[model.jnt_bodyid[joint]] != 1:
        return "its joint is not a hinge or a slider alone"
    if model.actuator_dyntype[number] != int(mujoco.mjtDyn.mjDYN_NONE):
        return "it has an activation"
    if model.actuator_gaintype[number] != int(mujoco.mjtGain.mjGAIN_FIXED):
        return "its gain depends on the motion"
    return "" if model.actuator_biastype[number] in LINEAR else "its force is not linear"


def what_is_lost(model, number):
    reason = why_not(model, number)
    return f"the whole of it: {reason}" if reason else "that it acts by itself: apply it, carom.convert.actuators()"


def read_actuators(path):
    """Those that act on one hinge or slider, linearly; the others are among the losses of load()."""
    model = mujoco.MjModel.from_xml_path(str(path))
    return [make(model, number) for number in range(model.nu) if not why_not(model, number)]


def make(model, number):
    def bounds(limited, values):
        return tuple(map(float, values)) if limited else (-np.inf, np.inf)

    joint = model.actuator_trnid[number, 0]
    name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, number) or f"actuator {number}"
    return Actuator(
        name, mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, joint) or f"joint {joint}",
        float(model.actuator_gear[number, 0]), float(model.actuator_gainprm[number, 0]),
        tuple(map(float, model.actuator_biasprm[number, :3])) if model.actuator_biastype[number] == AFFINE else (0.0, 0.0, 0.0),
        bounds(model.actuator_ctrllimited[number], model.actuator_ctrlrange[number]),
        bounds(model.actuator_forcelimited[number], model.actuator_forcerange[number]),
        bounds(model.jnt_actfrclimited[joint], model.jnt_actfrcrange[joint]),
        float(model.qpos0[model.jnt_qposadr[joint]]))
