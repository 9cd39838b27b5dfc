// The path of a rigid body over an interval of time: its centre of mass on a parabola, its attitude
// by one of the rotation laws. Contact-free flight, and flight under constant contact forces, are
// both of this kind, so one description serves event location, recording and output.
#pragma once

#include "carom/math/rotation.h"

namespace carom::math {

struct RigidMotion {
  Vec3 x0 = Vec3::Zero(), v0 = Vec3::Zero(), a = Vec3::Zero();
  Rotation rotation = SteadySpin{};
};

inline Vec3 position_at(const RigidMotion& motion, double s) {
  return motion.x0 + s * (motion.v0 + 0.5 * s * motion.a);
}
inline Vec3 velocity_at(const RigidMotion& motion, double s) { return motion.v0 + s * motion.a; }
inline Pose pose_at(const RigidMotion& motion, double s) {
  return {position_at(motion, s), attitude_at(motion.rotation, s)};
}
inline Twist twist_at(const RigidMotion& motion, double s) {
  return {velocity_at(motion, s), angular_velocity_at(motion.rotation, s)};
}

}  // namespace carom::math

namespace carom {
using math::RigidMotion;
}
