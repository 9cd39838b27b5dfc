// Moves a joint's world anchor and axes at t = 0 into the frames of the two bodies.
#pragma once

#include "carom/model/problems.h"

namespace carom::model {

// Both bodies exist and are placed in the scene.
Joint make_joint(const JointSpec& spec, BodyId a, BodyId b, const Scene& scene, Problems& problems);

}  // namespace carom::model
