// The velocity of a moving body.
#pragma once

#include "carom/math/rigid_motion.h"

namespace carom::support {

inline Twist twist_at(const RigidMotion& motion, double s) {
  return {math::velocity_at(motion, s), math::angular_velocity_at(motion.rotation, s)};
}

}  // namespace carom::support
