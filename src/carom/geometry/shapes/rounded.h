// A bounded shape as a support mapping and the radius of the ball rolled over it.
#pragma once

#include "carom/geometry/shapes/support.h"

namespace carom::geometry {

struct Rounded {
  Support support;
  double radius = 0;
};
Rounded make_rounded(const Convex& convex);

}  // namespace carom::geometry
