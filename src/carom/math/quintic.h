// A vector on a polynomial of degree five in time: the one that has given values, rates and
// accelerations at two times (Hermite). It departs from a smooth path through both by the sixth
// power of the time between them. Rounding of the values, ε|x|, is in the accelerations between
// them as up to 60 ε|x| over the square of that time.
//
// Bounds come from control points (Bernstein): a polynomial stays in the convex hull of its own.
#pragma once

#include <array>

#include "carom/math/sample.h"

namespace carom::math {

struct Quintic {
  VectorSample start;
  Vec3 c3 = Vec3::Zero(), c4 = Vec3::Zero(), c5 = Vec3::Zero();  // of s³, s⁴, s⁵

  VectorSample at(double s) const;
};
Quintic make_quintic(const VectorSample& start, const VectorSample& end, double duration);

// Whose convex hull holds every value on [0, s_max].
std::array<Vec3, 6> control_points(const Quintic& path, double s_max);

// Upper bounds of the first three derivatives' sizes over [0, s_max].
struct RateBounds {
  double rate = 0, acceleration = 0, jerk = 0;
};
RateBounds rate_bounds(const Quintic& path, double s_max);

}  // namespace carom::math
