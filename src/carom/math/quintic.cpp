#include "carom/math/quintic.h"

#include <algorithm>

namespace carom::math {
namespace {

double binomial(std::size_t n, std::size_t k) {
  double value = 1;
  for (std::size_t i = 1; i <= k; ++i) {
    value = value * static_cast<double>(n + 1 - i) / static_cast<double>(i);
  }
  return value;
}

// b_j = Σ_i C(j, i) p_i s_max^i / C(n, i), the sums as in Pascal's triangle.
template <std::size_t N>
std::array<Vec3, N> to_bernstein(std::array<Vec3, N> p, double s_max) {
  double power = 1;
  for (std::size_t i = 1; i < N; ++i) {
    power *= s_max;
    p[i] *= power / binomial(N - 1, i);
  }
  for (std::size_t round = 1; round < N; ++round) {
    for (std::size_t j = N - 1; j >= round; --j) p[j] += p[j - 1];
  }
  return p;
}

template <std::size_t N>
double greatest_norm(const std::array<Vec3, N>& power, double s_max) {
  double square = 0;
  for (const Vec3& point : to_bernstein(power, s_max)) {
    square = std::max(square, point.squaredNorm());
  }
  return std::sqrt(square);
}

}  // namespace

VectorSample Quintic::at(double s) const {
  const double s2 = s * s;
  return {start.value + s * (start.rate + 0.5 * s * start.acceleration) +
              s2 * s * (c3 + s * (c4 + s * c5)),
          start.rate + s * start.acceleration + s2 * (3 * c3 + s * (4 * c4 + 5 * s * c5)),
          start.acceleration + s * (6 * c3 + s * (12 * c4 + 20 * s * c5))};
}

// What is left after the parabola from the start: of value, of rate and of acceleration, in units
// of the duration.
Quintic make_quintic(const VectorSample& start, const VectorSample& end, double duration) {
  const double h = duration, h3 = h * h * h;
  const Vec3 value = (end.value - start.value) - h * (start.rate + 0.5 * h * start.acceleration);
  const Vec3 rate = h * ((end.rate - start.rate) - h * start.acceleration);
  const Vec3 half = 0.5 * h * h * (end.acceleration - start.acceleration);
  return {start, (10 * value - 4 * rate + half) / h3,
          (-15 * value + 7 * rate - 2 * half) / (h3 * h),
          (6 * value - 3 * rate + half) / (h3 * h * h)};
}

std::array<Vec3, 6> control_points(const Quintic& path, double s_max) {
  return to_bernstein<6>(
      {path.start.value, path.start.rate, 0.5 * path.start.acceleration, path.c3, path.c4, path.c5},
      s_max);
}

RateBounds rate_bounds(const Quintic& path, double s_max) {
  const VectorSample& start = path.start;
  const Vec3 &c3 = path.c3, &c4 = path.c4, &c5 = path.c5;
  return {.rate = greatest_norm<5>({start.rate, start.acceleration, 3 * c3, 4 * c4, 5 * c5}, s_max),
          .acceleration = greatest_norm<4>({start.acceleration, 6 * c3, 12 * c4, 20 * c5}, s_max),
          .jerk = greatest_norm<3>({6 * c3, 24 * c4, 60 * c5}, s_max)};
}

}  // namespace carom::math
