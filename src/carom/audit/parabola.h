// A point on a parabola, and when it is nearest to the origin or lowest: closed forms for balls in
// flight.
#pragma once

#include "carom/math/linear_algebra.h"

namespace carom::audit {

struct Parabola {
  Vec3 x, v, a;  // at s = 0

  Vec3 at(double s) const { return x + s * (v + s / 2 * a); }

  // Over 0 <= s <= duration.
  double find_nearest_time(double duration) const;
  double find_least_height(const Vec3& up, double duration) const;  // up · x
};

}  // namespace carom::audit
