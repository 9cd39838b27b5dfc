"""Springs and dampers of MuJoCo's joints and tendons, as forces of a scene.

A scene's springs are between points, and its drag is against a medium at rest. So these are carried over exactly: springs
and dampers of sliders, which are springs between a point of one body and one far away on the axis of the other; damping
of hinges and ball joints on what does not turn; damping of free bodies about their centres; tendons straight from one
site to another. What is left is listed.
"""

import mujoco
import numpy as np

JOINT, WRAP = mujoco.mjtJoint, mujoco.mjtWrap
FAR = 1000.0  # m; further than a slider goes


class ForceReader:
    def __init__(self, reader):
        self.reader, self.model, self.data = reader, reader.model, reader.data
        self.forces = []

    def add_joint(self, number, root, joint):
        """What the joint's stiffness and damping do; `joint` is what it has become, None of a free body."""
        model, kind = self.model, JOINT(int(self.model.jnt_type[number]))
        dofs = self.reader.dofs_of(number)
        stiffness, damping = model.jnt_stiffness[number], model.dof_damping[dofs][0]
        self.note_powers("joint", number, model.jnt_stiffnesspoly[number], model.dof_dampingpoly[dofs])
        if kind == JOINT.mjJNT_SLIDE and joint is not None and joint["type"] == "slider":
            if stiffness or damping:
                self.add_spring(number, root, stiffness, damping)
            return
        if stiffness:
            self.reader.lose("joint", number, f"its stiffness {stiffness:g}")
        if damping and not self.add_drag(kind, root, joint, damping):
            self.reader.lose("joint", number, f"its damping {damping:g}")

    def note_powers(self, kind, number, *coefficients):
        if any(np.any(each) for each in coefficients):
            self.reader.lose(kind, number, "the higher powers of its stiffness or damping")

    def add_spring(self, number, root, stiffness, damping):
        rest = self.model.qpos_spring[self.model.jnt_qposadr[number]] - self.reader.zero_of(number)
        anchor, axis = self.data.xanchor[number], self.data.xaxis[number]
        self.forces.append({"type": "spring", "between": [self.reader.name("body", root),
                                                          self.reader.body_at(self.reader.parent(root))],
                            "anchor": anchor, "anchor_b": anchor - FAR * axis, "rest": FAR + rest,
                            "stiffness": stiffness, "damping": damping})

    def add_drag(self, kind, root, joint, damping):
        """Whether drag in a medium at rest does what the damping does."""
        body = self.reader.name("body", root)
        if kind == JOINT.mjJNT_FREE:
            _, center, _ = self.reader.mass_properties(root)
            if np.linalg.norm(center) > 1e-12:
                return False
            self.forces.append({"type": "drag", "bodies": [body], "linear": damping, "angular": damping})
            return True
        if joint is None or joint["type"] not in ("hinge", "ball") or self.turns(self.reader.parent(root)):
            return False
        if len(self.reader.joints_of(root)) > 1:
            return False
        self.forces.append({"type": "drag", "bodies": [body], "angular": damping})
        return True

    def turns(self, root):
        while root:
            if {int(self.model.jnt_type[j]) for j in self.reader.joints_of(root)} != {int(JOINT.mjJNT_SLIDE)}:
                return True
            root = self.reader.parent(root)
        return False

    def tendons(self):
        """Springs and, of those with limits, ropes."""
        ropes = []
        for number in range(self.model.ntendon):
            ends = self.ends_of(number)
            if ends is None:
                self.reader.lose("tendon", number, "the whole of it: not straight from one site to another")
            else:
                ropes += self.add_tendon(number, *ends)
        return ropes

    def ends_of(self, number):
        model = self.model
        first, count = model.tendon_adr[number], model.tendon_num[number]
        if count != 2 or any(model.wrap_type[first + i] != WRAP.mjWRAP_SITE for i in range(2)):
            return None
        sites = [int(model.wrap_objid[first + i]) for i in range(2)]
        roots = [int(model.body_weldid[model.site_bodyid[site]]) for site in sites]
        return ([self.reader.body_at(root) for root in roots], [self.data.site_xpos[site] for site in sites])

    def add_tendon(self, number, between, places):
        model = self.model
        stiffness, damping = model.tendon_stiffness[number], model.tendon_damping[number]
        low, high = model.tendon_lengthspring[number]
        self.note_powers("tendon", number, model.tendon_stiffnesspoly[number], model.tendon_dampingpoly[number])
        if stiffness and low != high:
            self.reader.lose("tendon", number, f"that its spring is slack between {low:g} and {high:g}")
        elif stiffness or damping:
            rest = low if stiffness else np.linalg.norm(places[1] - places[0])
            if damping and rest == 0:  # with that a spring damps sideways as well
                self.reader.lose("tendon", number, "its damping")
                damping = 0
            self.forces.append({"type": "spring", "between": between, "anchor": places[0], "anchor_b": places[1],
                                "stiffness": stiffness, "damping": damping, "rest": rest})
        if model.tendon_frictionloss[number]:
            self.reader.lose("tendon", number, "its friction")
        if not model.tendon_limited[number]:
            return []
        return [{"name": self.reader.name("tendon", number), "type": "distance", "between": between, "collide": True,
                 "anchor": places[0], "anchor_b": places[1], "limits": model.tendon_range[number]}]
