#include "carom/methods/elastic/force_law.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

double regularise(double v, double v_min) {
  const double s = std::abs(v) / v_min;
  return s >= 1 ? std::abs(v) : v_min * (s * s * (1 - s / 3) + 1.0 / 3);
}

double regularised_slope(double v, double v_min) {
  const double s = std::abs(v) / v_min;
  return s >= 1 ? 1 : s * (2 - s);
}

double regularise_restitution(double restitution, double speed, const Regularisation& how) {
  const double least = how.least_restitution;
  const double fade = std::exp(std::log(0.01) * std::abs(speed) / how.least_speed);
  return std::max(least, restitution + (least - restitution) * fade);
}

namespace {

constexpr int kNewtonCap = 60;

// Langevin's function coth x - 1/x of x >= 0, and its slope.
struct Langevin {
  double value, slope;
};
Langevin langevin(double x) {
  if (x < 0.3) {
    constexpr double kSeries[] = {
        1.0 / 3,     -1.0 / 45,           2.0 / 945,      -1.0 / 4725,
        2.0 / 93555, -1382.0 / 638512875, 4.0 / 18243225, -3617.0 / 162820783125};
    Langevin sum{0, 0};
    for (int n = 7; n >= 0; --n) {
      sum.value = sum.value * x * x + kSeries[n];
      sum.slope = sum.slope * x * x + (2 * n + 1) * kSeries[n];
    }
    return {x * sum.value, sum.slope};
  }
  const double sinh = std::sinh(x);
  return {1 / std::tanh(x) - 1 / x, 1 / (x * x) - 1 / (sinh * sinh)};
}

// The x at which a function that grows from 0 has a value, by Newton's method between bounds.
template <typename Function>
double find_argument(const Function& function, double value, double x) {
  double low = 0, high = HUGE_VAL;
  for (int i = 0; i < kNewtonCap; ++i) {
    const Langevin at = function(x);
    (at.value < value ? low : high) = x;
    double next = x - (at.value - value) / at.slope;
    if (!(next > low && next < high)) next = std::isinf(high) ? 2 * x : 0.5 * (low + high);
    if (std::abs(next - x) <= 4e-16 * x) return next;
    x = next;
  }
  return x;
}

}  // namespace

// With x = (1 + e) D / 2 the first integral of the law is (1 - e)/(1 + e) = coth x - 1/x.
double damping_for(double e) {
  if (e >= 1) return 0;
  const double loss = (1 - e) / (1 + e);
  const double guess = loss * (3 - loss * loss) / ((1 - loss) * (1 + loss));
  return (1 + loss) * find_argument(langevin, loss, guess);
}

double damping_coefficient(double restitution, double speed, const Regularisation& how) {
  const double cor = regularise_restitution(restitution, speed, how);
  const double start = regularise(speed, how.least_speed);  // (6)
  const double product =
      how.damping == Damping::Flores ? 8 * (1 - cor) / (5 * cor) : damping_for(cor);
  return std::min(how.most_damping, product / start);
}

double resultant_stiffness(double youngs_1, double poisson_1, double youngs_2, double poisson_2) {
  const double c_1 = youngs_1 / (1 - poisson_1 * poisson_1);
  const double c_2 = youngs_2 / (1 - poisson_2 * poisson_2);
  return 1 / (1 / c_1 + 1 / c_2);
}

GeometryFactors hertz_factors(double radius) { return {radius, 4.0 / 3 * std::sqrt(radius), 1.5}; }

GeometryFactors plain_factors(double length) { return {length, length, 1}; }

NormalForce normal_force(const PairLaw& law, double depth, const Damped& damped) {
  if (depth <= 0) return {};
  const double spring = law.stiffness * std::pow(depth, law.exponent);
  if (damped.value <= 0) return {};
  return {spring * damped.value, law.exponent * spring / depth * damped.value,
          spring * damped.slope, spring};
}

Vec3 regularised_direction(const Vec3& v, double v_min) { return v / regularise(v.norm(), v_min); }

Mat3 regularised_direction_slope(const Vec3& v, double v_min) {
  const double size = v.norm(), reg = regularise(size, v_min);
  Mat3 slope = Mat3::Identity() / reg;
  if (size > 0) {
    slope -= regularised_slope(size, v_min) / (reg * reg * size) * v * v.transpose();
  }
  return slope;
}

}  // namespace carom::methods
