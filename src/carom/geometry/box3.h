// A box whose edges are parallel to the axes, closed: boxes that only touch overlap. It may be
// flat, a point, or infinite in any direction.
#pragma once

#include "carom/math/linear_algebra.h"

namespace carom::geometry {

struct Box3 {
  Vec3 low, high;

  bool overlaps(const Box3& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
  bool contains(const Box3& other) const {
    return (low.array() <= other.low.array()).all() && (other.high.array() <= high.array()).all();
  }
};

}  // namespace carom::geometry
