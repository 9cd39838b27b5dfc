// When a corner of a steadily spinning body first goes through a plane, or two balls through each
// other: dense samples and bisection in long double, with motions written out again.
#pragma once

#include <cmath>
#include <optional>

#include "carom/math/linear_algebra.h"

namespace carom::reference {

using Long3 = Eigen::Matrix<long double, 3, 1>;

struct LongMotion {
  Long3 x, v, a, w;  // parabola of the centre, steady spin

  Long3 center(long double s) const { return x + s * v + 0.5L * s * s * a; }
  Long3 point(const Long3& lever, long double s) const {  // lever at s = 0, world axes
    const long double speed = w.norm();
    if (speed == 0) return center(s) + lever;
    const Long3 axis = w / speed;
    const Long3 along = axis.dot(lever) * axis;
    const Long3 across = lever - along;
    return center(s) + along + std::cos(speed * s) * across +
           std::sin(speed * s) * axis.cross(lever);
  }
};

template <typename Gap>
std::optional<long double> find_first_crossing(const Gap& gap, long double end, int samples) {
  for (int i = 1; i <= samples; ++i) {
    long double high = end * i / samples;
    if (gap(high) >= 0) continue;
    long double low = end * (i - 1) / samples;
    for (int k = 0; k < 70; ++k) (gap((low + high) / 2) < 0 ? high : low) = (low + high) / 2;
    return low;
  }
  return std::nullopt;
}

}  // namespace carom::reference
