// How far a joint's two frames are from what the joint allows: metres between anchors or off the
// axis, radians of forbidden rotation.
#pragma once

#include "carom/dynamics/state.h"

namespace carom::audit {

struct JointError {
  double gap = 0, turn = 0;  // m, rad
};

// `a` and `b`: the joint's two bodies.
JointError compute_joint_error(const model::Joint& joint, const BodyState& a, const BodyState& b);

}  // namespace carom::audit
