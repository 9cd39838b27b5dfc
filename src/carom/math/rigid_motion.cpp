#include "carom/math/rigid_motion.h"

#include <algorithm>

namespace carom::math {

RigidMotion make_hermite_motion(const MotionEnd& start, const MotionEnd& end, double duration) {
  return {start.X.p, start.V.v, start.A.v,
          HermiteTurn({start.X.q, start.V.w, start.A.w}, {end.X.q, end.V.w, end.A.w}, duration),
          PathEnd{end.X.p, end.V.v, end.A.v, duration}};
}

Quintic make_center_path(const RigidMotion& motion) {
  const PathEnd& end = motion.end;
  return make_quintic({motion.x0, motion.v0, motion.a}, {end.x, end.v, end.a}, end.duration);
}

VectorSample center_between_ends(const RigidMotion& motion, double s) {
  if (s == motion.end.duration) return {motion.end.x, motion.end.v, motion.end.a};
  return make_center_path(motion).at(s);
}

double speed_bound(const RigidMotion& motion, double s_max) {
  if (!motion.is_parabola()) return rate_bounds(make_center_path(motion), s_max).rate;
  return std::max(motion.v0.norm(), velocity_at(motion, s_max).norm());
}

double jerk_bound(const RigidMotion& motion, double s_max) {
  return motion.is_parabola() ? 0 : rate_bounds(make_center_path(motion), s_max).jerk;
}

}  // namespace carom::math
