// How far a joint's two frames are from what the joint allows: metres between anchors or off the
// axis, radians of forbidden rotation, whichever number is larger.
#pragma once

#include "carom/dynamics/state.h"

namespace carom::audit {

// `a` and `b`: the joint's two bodies.
double compute_joint_error(const model::Joint& joint, const BodyState& a, const BodyState& b);

}  // namespace carom::audit
