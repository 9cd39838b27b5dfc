// A box whose edges are parallel to the axes, closed: boxes that only touch overlap. It may be
// flat, a point, or infinite in any direction.
#pragma once

#include "carom/math/linear_algebra.h"

namespace carom::geometry {

struct Box3 {
  Vec3 low, high;

  // Without branches: whether boxes overlap is hard to predict.
  bool overlaps(const Box3& other) const {
    return (low[0] <= other.high[0]) & (low[1] <= other.high[1]) & (low[2] <= other.high[2]) &
           (other.low[0] <= high[0]) & (other.low[1] <= high[1]) & (other.low[2] <= high[2]);
  }
  bool contains(const Box3& other) const {
    return (low.array() <= other.low.array()).all() && (other.high.array() <= high.array()).all();
  }
};

}  // namespace carom::geometry
