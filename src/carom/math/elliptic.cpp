#include "carom/math/elliptic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom::math {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Quadratic convergence from any double: 9 halvings of the exponent, then about 5 steps.
constexpr int kMeanSteps = 16;
// Each duplication divides the spread of the arguments by four; denormal arguments need the most.
constexpr int kDuplications = 64;

struct Means {
  std::array<double, kMeanSteps> a, b;  // a[n], b[n] of step n
  int steps = 0;
  double limit = 1;
};

// A step taken at a relative difference d leaves the parameter d²/16.
Means arithmetic_geometric_mean(double complement) {
  Means means;
  double a = 1, b = std::sqrt(complement), difference = 1;
  while (means.steps < kMeanSteps && difference > 1e-8 * a) {
    means.a[means.steps] = a;
    means.b[means.steps] = b;
    ++means.steps;
    difference = std::abs(a - b);
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  means.limit = a;
  return means;
}

Jacobi on_separatrix(double u) {
  constexpr double kFar = 300;  // sech is 1e-130 there: keeps quotients of it finite
  const double sech = 1 / std::cosh(std::clamp(u, -kFar, kFar));
  return {std::tanh(u), sech, sech, std::numeric_limits<double>::infinity(), 0, u < 0 ? -1.0 : 1.0};
}

}  // namespace

// With C = a cn/sn on every level, Gauss' transformation reads C' = C dn and
// dn' = (b' + C²/a) / (a' + C²/a): sums of positive terms only, so nothing cancels.
Jacobi jacobi(double u, double complement) {
  if (complement == 0) return on_separatrix(u);
  const Means means = arithmetic_geometric_mean(complement);
  const double angle = means.limit * u;
  Jacobi result;
  result.quarter_period = 0.5 * std::numbers::pi / means.limit;
  result.half_periods = std::round(angle / std::numbers::pi);
  result.remainder_sign = angle < result.half_periods * std::numbers::pi ? -1 : 1;
  const double sine = std::sin(angle);
  if (std::abs(sine) < 1e-9) {  // sn u = u − (1 + m) u³/6: no digit lost, and no infinite cotangent
    result.cn = std::cos(angle) < 0 ? -1 : 1;
    result.sn = sine / means.limit;
    return result;
  }
  double cotangent = means.limit * std::cos(angle) / sine, a = means.limit;
  for (int n = means.steps - 1; n >= 0; --n) {
    const double square = cotangent * cotangent / a;
    cotangent *= result.dn;
    result.dn = (means.b[n] + square) / (means.a[n] + square);
    a = means.a[n];
  }
  result.sn = std::copysign(1 / std::sqrt(1 + cotangent * cotangent), sine);
  result.cn = cotangent * result.sn;
  return result;
}

double carlson_rf(double x, double y, double z) {
  const double start = (x + y + z) / 3;
  const double x0 = start - x, y0 = start - y;
  double spread = std::pow(3 * kEpsilon, -1.0 / 6) *
                  std::max({std::abs(x0), std::abs(y0), std::abs(start - z)});
  double mean = start, scale = 1;
  for (int i = 0; i < kDuplications && spread >= mean; ++i) {
    const double rx = std::sqrt(x), ry = std::sqrt(y), rz = std::sqrt(z);
    const double shift = rx * ry + rx * rz + ry * rz;
    x = 0.25 * (x + shift);
    y = 0.25 * (y + shift);
    z = 0.25 * (z + shift);
    mean = 0.25 * (mean + shift);
    scale *= 0.25;
    spread *= 0.25;
  }
  const double X = x0 * scale / mean, Y = y0 * scale / mean, Z = -X - Y;
  const double e2 = X * Y - Z * Z, e3 = X * Y * Z;
  return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / std::sqrt(mean);
}

double carlson_rc(double x, double y) {
  const double start = (x + 2 * y) / 3, y0 = y - start;
  double spread = std::pow(3 * kEpsilon, -1.0 / 8) * std::abs(start - x);
  double mean = start, scale = 1;
  for (int i = 0; i < kDuplications && spread >= mean; ++i) {
    const double shift = 2 * std::sqrt(x) * std::sqrt(y) + y;
    x = 0.25 * (x + shift);
    y = 0.25 * (y + shift);
    mean = 0.25 * (mean + shift);
    scale *= 0.25;
    spread *= 0.25;
  }
  const double s = y0 * scale / mean;
  const double tail = 3.0 / 8 + s * (9.0 / 22 + s * (159.0 / 208 + s * 9.0 / 8));
  return (1 + s * s * (3.0 / 10 + s * (1.0 / 7 + s * tail))) / std::sqrt(mean);
}

double carlson_rj(double x, double y, double z, double p) {
  const double start = (x + y + z + 2 * p) / 5;
  const double x0 = start - x, y0 = start - y, z0 = start - z;
  double delta = (p - x) * (p - y) * (p - z);
  double spread = std::pow(kEpsilon / 4, -1.0 / 6) *
                  std::max({std::abs(x0), std::abs(y0), std::abs(z0), std::abs(start - p)});
  double mean = start, scale = 1, sum = 0;
  for (int i = 0; i < kDuplications && spread >= mean; ++i) {
    const double rx = std::sqrt(x), ry = std::sqrt(y), rz = std::sqrt(z), rp = std::sqrt(p);
    const double shift = rx * ry + rx * rz + ry * rz;
    const double d = (rp + rx) * (rp + ry) * (rp + rz);
    sum += scale / d * carlson_rc(1, 1 + delta / (d * d));
    x = 0.25 * (x + shift);
    y = 0.25 * (y + shift);
    z = 0.25 * (z + shift);
    p = 0.25 * (p + shift);
    mean = 0.25 * (mean + shift);
    delta /= 64;
    scale *= 0.25;
    spread *= 0.25;
  }
  const double X = x0 * scale / mean, Y = y0 * scale / mean, Z = z0 * scale / mean;
  const double P = -0.5 * (X + Y + Z), xyz = X * Y * Z;
  const double e2 = X * Y + X * Z + Y * Z - 3 * P * P;
  const double e3 = xyz + 2 * e2 * P + 4 * P * P * P;
  const double e4 = (2 * xyz + e2 * P + 3 * P * P * P) * P;
  const double e5 = xyz * P * P;
  const double series =
      1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
  return scale * series / (mean * std::sqrt(mean)) + 6 * sum;
}

}  // namespace carom::math
