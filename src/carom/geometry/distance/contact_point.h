// A point at which two bodies touch or come near.
#pragma once

#include "carom/math/linear_algebra.h"

namespace carom::geometry {

struct ContactPoint {
  Vec3 point;      // midway between the two surfaces, world
  Vec3 normal;     // unit, from b to a
  double gap = 0;  // m; negative is depth
};

}  // namespace carom::geometry
