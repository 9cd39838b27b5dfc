// Functions of time known to second order at one instant: numbers and vectors with their first two
// derivatives, and the rules of differentiation as operators. Gaps between moving features are
// written with these once, and their rates and accelerations follow.
#pragma once

#include <cmath>

#include "carom/math/linear_algebra.h"

namespace carom::math {

struct Sample {
  double value = 0, rate = 0, acceleration = 0;
};

inline Sample operator+(const Sample& x, const Sample& y) {
  return {x.value + y.value, x.rate + y.rate, x.acceleration + y.acceleration};
}
inline Sample operator-(const Sample& x, const Sample& y) {
  return {x.value - y.value, x.rate - y.rate, x.acceleration - y.acceleration};
}
inline Sample operator-(const Sample& x, double constant) {
  return {x.value - constant, x.rate, x.acceleration};
}
inline Sample operator*(double k, const Sample& x) {
  return {k * x.value, k * x.rate, k * x.acceleration};
}
// q = x / y, from x = q y: ẋ = q̇ y + q ẏ, ẍ = q̈ y + 2 q̇ ẏ + q ÿ.
inline Sample operator/(const Sample& x, const Sample& y) {
  const double q = x.value / y.value;
  const double rate = (x.rate - q * y.rate) / y.value;
  return {q, rate, (x.acceleration - 2 * rate * y.rate - q * y.acceleration) / y.value};
}

struct VectorSample {
  Vec3 value = Vec3::Zero(), rate = Vec3::Zero(), acceleration = Vec3::Zero();
};

inline VectorSample operator+(const VectorSample& x, const VectorSample& y) {
  return {x.value + y.value, x.rate + y.rate, x.acceleration + y.acceleration};
}
inline VectorSample operator-(const VectorSample& x, const VectorSample& y) {
  return {x.value - y.value, x.rate - y.rate, x.acceleration - y.acceleration};
}
inline VectorSample operator*(double k, const VectorSample& x) {
  return {k * x.value, k * x.rate, k * x.acceleration};
}

inline Sample dot(const VectorSample& x, const VectorSample& y) {
  return {x.value.dot(y.value), x.rate.dot(y.value) + x.value.dot(y.rate),
          x.acceleration.dot(y.value) + 2 * x.rate.dot(y.rate) + x.value.dot(y.acceleration)};
}

inline VectorSample cross(const VectorSample& x, const VectorSample& y) {
  return {x.value.cross(y.value), x.rate.cross(y.value) + x.value.cross(y.rate),
          x.acceleration.cross(y.value) + 2 * x.rate.cross(y.rate) + x.value.cross(y.acceleration)};
}

// d|x|/dt = n·ẋ and d²|x|/dt² = n·ẍ + |ẋ across n|²/|x|; a vector of length zero is taken to stay.
inline Sample norm(const VectorSample& x) {
  const double length = x.value.norm();
  if (length <= 0) return {};
  const Vec3 n = x.value / length;
  const double rate = n.dot(x.rate);
  const Vec3 across = x.rate - rate * n;
  return {length, rate, n.dot(x.acceleration) + across.squaredNorm() / length};
}

}  // namespace carom::math
