#include "carom/geometry/swept_box.h"

#include <algorithm>

namespace carom::geometry {

Box3 swept_box(const RigidMotion& motion, double reach, double duration) {
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
  box.low.array() -= reach;
  box.high.array() += reach;
  return box;
}

}  // namespace carom::geometry
