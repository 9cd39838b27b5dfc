// The path of a rigid body over an interval of time: its centre of mass on a parabola, its attitude
// by one of the rotation laws. Contact-free flight, and flight under constant contact forces, are
// both of this kind, so one description serves event location, recording and output.
//
// A step under forces that vary is one too: given the end of the path, its centre follows the
// polynomial of degree five that has position, velocity and acceleration of both ends. Then all
// that parabolas give for nothing is bounded by control points.
#pragma once

#include "carom/math/attitude.h"

namespace carom::math {

// Where a path ends that is no parabola.
struct PathEnd {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero(), a = Vec3::Zero();
  double duration = 0;
};

struct RigidMotion {
  Vec3 x0 = Vec3::Zero(), v0 = Vec3::Zero(), a = Vec3::Zero();  // at the start
  Rotation rotation = SteadySpin{};
  PathEnd end{};

  bool is_parabola() const { return end.duration == 0; }
};

// Pose, velocity and acceleration of a body at one time, linear and angular, world axes.
struct MotionEnd {
  Pose X;
  Twist V, A;
};

// The motion that has both ends, to the last bit at s = 0 and at s = duration > 0. Less than half a
// turn lies between them.
RigidMotion make_hermite_motion(const MotionEnd& start, const MotionEnd& end, double duration);

// The path of a centre of mass that is no parabola; at the ends to the last bit.
Quintic make_center_path(const RigidMotion& motion);
VectorSample center_between_ends(const RigidMotion& motion, double s);

inline Vec3 position_at(const RigidMotion& motion, double s) {
  if (!motion.is_parabola()) return center_between_ends(motion, s).value;
  return motion.x0 + s * (motion.v0 + 0.5 * s * motion.a);
}
inline Vec3 velocity_at(const RigidMotion& motion, double s) {
  if (!motion.is_parabola()) return center_between_ends(motion, s).rate;
  return motion.v0 + s * motion.a;
}
inline Vec3 acceleration_at(const RigidMotion& motion, double s) {
  return motion.is_parabola() ? motion.a : center_between_ends(motion, s).acceleration;
}
// The three at once, for a third of the cost where the path is no parabola.
inline VectorSample center_at(const RigidMotion& motion, double s) {
  if (!motion.is_parabola()) return center_between_ends(motion, s);
  return {position_at(motion, s), velocity_at(motion, s), motion.a};
}
inline Pose pose_at(const RigidMotion& motion, double s) {
  return {position_at(motion, s), attitude_at(motion.rotation, s)};
}

// Upper bounds over [0, s_max], of the centre of mass: of its speed, and of how fast its
// acceleration changes.
double speed_bound(const RigidMotion& motion, double s_max);
double jerk_bound(const RigidMotion& motion, double s_max);

}  // namespace carom::math

namespace carom {
using math::RigidMotion;
}
