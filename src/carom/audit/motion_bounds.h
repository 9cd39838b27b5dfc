// How fast a body can move during a stretch and how sharply its points can turn, from its momentum
// at either end, or from the polynomial where it moves on one. These bounds carry a claim checked
// at two instants over all the time between them.
#pragma once

#include "carom/dynamics/state.h"
#include "carom/math/rigid_motion.h"

namespace carom::audit {

struct MotionBounds {
  double spin = 0;               // rad/s
  double spin_acceleration = 0;  // rad/s²
  Vec3 w0 = Vec3::Zero();        // at the start
  double jerk = 0;               // m/s³; how fast the acceleration of the centre changes
};

struct BodyStretch {
  const Body& body;
  const RigidMotion& motion;
  const BodyState& start;
  const BodyState& end;
  double duration;
};

MotionBounds compute_motion_bounds(const BodyStretch& stretch);

// |d · ẍ| of a point at most `lever` from the centre of mass, less the centre's own acceleration.
double bound_turning(const MotionBounds& bounds, double lever, const Vec3& d, double duration);

}  // namespace carom::audit
