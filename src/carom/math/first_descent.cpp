#include "carom/math/first_descent.h"

#include <algorithm>
#include <utility>

namespace carom::math {

namespace {

constexpr int kMaxBisections = 60;
constexpr double kCloseEnough = 1e-3;  // relative: the caller repeats the bound anyway

// h + r s + a s²/2 - j s³/6
struct Cubic {
  double h, r, a, j;
  double operator()(double s) const { return h + s * (r + s * (0.5 * a - s * j / 6)); }

  // Roots of r + a s - j s²/2 in ascending order, without cancellation; zeros if there are none.
  std::pair<double, double> turning_points() const {
    const double discriminant = a * a + 2 * j * r;
    if (discriminant <= 0) return {0, 0};
    const double root = std::sqrt(discriminant);
    const double x = a >= 0 ? -2 * r / (a + root) : (a - root) / j;
    const double y = a >= 0 ? (a + root) / j : 2 * r / (root - a);
    return std::minmax({x, y});
  }
};

// Between a point where the cubic is positive and one where it is not, on the positive side.
double last_positive(const Cubic& cubic, double low, double high) {
  for (int i = 0; i < kMaxBisections && high - low > kCloseEnough * low; ++i) {
    const double middle = 0.5 * (low + high);
    (cubic(middle) > 0 ? low : high) = middle;
  }
  return low;
}

}  // namespace

double time_to_descend(double height, double rate, double curvature) {
  if (curvature <= 0) return rate < 0 ? height / -rate : HUGE_VAL;
  const double root = std::sqrt(rate * rate + 2 * curvature * height);
  if (rate >= 0) return (rate + root) / curvature;
  return 2 * height / (root - rate);  // the same root without cancellation
}

// The cubic is monotonic between the roots of its derivative, so the first piece that ends below
// zero holds the root.
double time_to_descend(double height, const Sample& at, double jerk, double limit) {
  const Cubic cubic{height, at.rate, at.acceleration, jerk};
  const auto [first, second] = cubic.turning_points();
  double start = 0;
  for (const double end : {std::clamp(first, 0.0, limit), std::clamp(second, 0.0, limit), limit}) {
    if (cubic(end) <= 0 && end > start) return last_positive(cubic, start, end);
    start = end;
  }
  return limit;
}

}  // namespace carom::math
