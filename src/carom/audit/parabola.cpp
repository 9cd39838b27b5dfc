#include "carom/audit/parabola.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::audit {

namespace {

// Where a function rises through zero between two times.
double find_root(const auto& value, double from, double to) {
  constexpr int kHalvings = 100;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = from + (to - from) / 2;
    if (middle == from || middle == to) break;
    (value(middle) < 0 ? from : to) = middle;
  }
  return to;
}

}  // namespace

// Without acceleration the square of the distance is a parabola. With one its slope is a cubic,
// which rises through zero at most once between its own extremes.
double Parabola::find_nearest_time(double duration) const {
  if (a.isZero(0)) {
    const double s = -x.dot(v) / v.squaredNorm();
    return s > 0 ? std::min(s, duration) : 0;
  }
  const auto slope = [this](double s) { return at(s).dot(v + s * a); };
  const double A = 1.5 * a.squaredNorm(), B = 1.5 * a.dot(v), C = v.squaredNorm() + x.dot(a);
  const double root = std::sqrt(std::max(0.0, B * B - A * C));  // of slope' = A s² + 2 B s + C
  const std::array<double, 4> cuts{0, std::clamp((-B - root) / A, 0.0, duration),
                                   std::clamp((-B + root) / A, 0.0, duration), duration};
  double nearest = at(duration).squaredNorm() < x.squaredNorm() ? duration : 0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (!(slope(cuts[i]) < 0 && slope(cuts[i + 1]) > 0)) continue;
    const double s = find_root(slope, cuts[i], cuts[i + 1]);
    if (at(s).squaredNorm() < at(nearest).squaredNorm()) nearest = s;
  }
  return nearest;
}

double Parabola::find_least_height(const Vec3& up, double duration) const {
  const double h = up.dot(x), rate = up.dot(v), bend = up.dot(a);
  const double last = h + duration * (rate + duration / 2 * bend);
  const double s = -rate / bend;
  const bool turns = bend > 0 && s > 0 && s < duration;
  return std::min({h, last, turns ? h + s / 2 * rate : h});
}

}  // namespace carom::audit
