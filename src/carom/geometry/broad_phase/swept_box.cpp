#include "carom/geometry/broad_phase/swept_box.h"

#include <algorithm>

namespace carom::geometry {

namespace {

Box3 box_parabola(const RigidMotion& motion, double duration) {
  const Vec3 end = position_at(motion, duration);
  Box3 box{motion.x0.cwiseMin(end), motion.x0.cwiseMax(end)};
  for (int axis = 0; axis < 3; ++axis) {
    if (motion.a[axis] == 0) continue;
    const double apex = -motion.v0[axis] / motion.a[axis];
    if (!(apex > 0 && apex < duration)) continue;
    const double x = position_at(motion, apex)[axis];
    box.low[axis] = std::min(box.low[axis], x);
    box.high[axis] = std::max(box.high[axis], x);
  }
  return box;
}

Box3 box_control_points(const RigidMotion& motion, double duration) {
  Box3 box{motion.x0, motion.x0};
  for (const Vec3& point : control_points(make_center_path(motion), duration)) {
    box = {box.low.cwiseMin(point), box.high.cwiseMax(point)};
  }
  return box;
}

}  // namespace

Box3 swept_box(const RigidMotion& motion, double reach, double duration) {
  Box3 box =
      motion.is_parabola() ? box_parabola(motion, duration) : box_control_points(motion, duration);
  box.low.array() -= reach;
  box.high.array() += reach;
  return box;
}

}  // namespace carom::geometry
