// A box whose edges are parallel to the axes, closed: boxes that only touch overlap. It may be
// flat, a point, or infinite in any direction.
#pragma once

#include "carom/math/linear_algebra.h"

namespace carom::geometry {

struct Box3 {
  Vec3 low, high;

  // Without branches: whether boxes overlap is hard to predict.
  bool overlaps(const Box3& other) const {
    const auto both = [&](int i) {
      return static_cast<int>(low[i] <= other.high[i]) & static_cast<int>(other.low[i] <= high[i]);
    };
    return (both(0) & both(1) & both(2)) != 0;
  }
  bool contains(const Box3& other) const {
    return (low.array() <= other.low.array()).all() && (other.high.array() <= high.array()).all();
  }
};

}  // namespace carom::geometry
