// Exponential coordinates: R = exp(φ) R0 turns with ω = dexp(φ) φ', where dexp(φ) is the mean of
// exp(t φ) over 0 <= t <= 1, hence φ' + A φ × φ' + B φ × (φ × φ') with A = (1 − cos θ)/θ²,
// B = (θ − sin θ)/θ³ and θ = |φ|.
#include <algorithm>
#include <cmath>

#include "carom/math/attitude.h"

namespace carom::math {
namespace {

// A and B, and their derivatives by θ divided by θ.
struct TurnFactors {
  double A, B, A1, B1;
};

// Σ (−1)ᵏ θ²ᵏ / (2k + 2)!, and with (2k + 3)!; the terms left out are below 1e-18 for θ <= 1.
TurnFactors by_series(double square) {
  constexpr int kTerms = 9;
  TurnFactors sum{0, 0, 0, 0};
  double term = 1;       // (−1)ᵏ θ²ᵏ / (2k + 1)!
  double by_square = 0;  // the same with θ²ᵏ⁻², k > 0
  for (int k = 0; k < kTerms; ++k) {
    const double n = 2 * k + 2;
    sum.A += term / n;
    sum.B += term / (n * (n + 1));
    sum.A1 += 2 * k * by_square / n;
    sum.B1 += 2 * k * by_square / (n * (n + 1));
    by_square = -term / (n * (n + 1));
    term = by_square * square;
  }
  return sum;
}

TurnFactors make_turn_factors(const Vec3& phi) {
  const double square = phi.squaredNorm();
  if (square <= 1) return by_series(square);
  const double theta = std::sqrt(square), sine = std::sin(0.5 * theta);
  const double A = 2 * sine * sine / square;
  const double S = std::sin(theta) / theta;
  const double B = (1 - S) / square;
  return {A, B, (S - 2 * A) / square, (A - 3 * B) / square};
}

Vec3 dexp(const TurnFactors& f, const Vec3& phi, const Vec3& v) {
  const Vec3 turn = phi.cross(v);
  return v + f.A * turn + f.B * phi.cross(turn);
}

// The rate of dexp(φ) applied to φ' as it is.
Vec3 dexp_rate(const TurnFactors& f, const Vec3& phi, const Vec3& phi_rate) {
  const Vec3 turn = phi.cross(phi_rate);
  const double along = phi.dot(phi_rate);
  return along * (f.A1 * turn + f.B1 * phi.cross(turn)) + f.B * phi_rate.cross(turn);
}

// v − ½ φ × v + C φ × (φ × v) with C = (1 − (θ/2) cot(θ/2))/θ² = −A1 / 2A.
Vec3 dexp_inverse(const TurnFactors& f, const Vec3& phi, const Vec3& v) {
  const Vec3 turn = phi.cross(v);
  return v - 0.5 * turn - f.A1 / (2 * f.A) * phi.cross(turn);
}

// The shortest way from one attitude to another, as a rotation vector.
Vec3 turn_between(const Quat& from, const Quat& to) {
  const Quat turn = to * from.conjugate();
  const double sine = turn.vec().norm();
  if (sine == 0) return Vec3::Zero();
  const double half = std::atan2(sine, std::abs(turn.w()));
  return std::copysign(2 * half / sine, turn.w()) * turn.vec();
}

// ω and ω' as rates of φ.
VectorSample in_exponential_coordinates(const Vec3& phi, const RotationState& at) {
  const TurnFactors f = make_turn_factors(phi);
  const Vec3 rate = dexp_inverse(f, phi, at.w);
  return {phi, rate, dexp_inverse(f, phi, at.w_rate - dexp_rate(f, phi, rate))};
}

// Upper bounds of |φ × φ'|, |φ × φ''| and |φ' × φ''|: nothing where the axis stands still.
struct CrossBounds {
  double value_rate = 0, value_acceleration = 0, rate_acceleration = 0;
};
CrossBounds cross_bounds(const Quintic& phi, double s_max) {
  const Vec3 c[] = {phi.start.rate, 0.5 * phi.start.acceleration, phi.c3, phi.c4, phi.c5};
  double powers[7] = {1};
  for (int k = 1; k < 7; ++k) powers[k] = powers[k - 1] * s_max;
  CrossBounds sum;
  for (int i = 1; i < 5; ++i) {
    for (int j = i + 1; j <= 5; ++j) {
      const double size = (j - i) * c[i - 1].cross(c[j - 1]).norm() * powers[i + j - 3];
      sum.rate_acceleration += i * j * size;
      sum.value_acceleration += (i + j - 1) * size * s_max;
      sum.value_rate += size * s_max * s_max;
    }
  }
  return sum;
}

}  // namespace

HermiteTurn::HermiteTurn(const RotationState& start, const RotationState& end, double duration)
    : q0_(start.q),
      phi_(make_quintic({Vec3::Zero(), start.w, start.w_rate},
                        in_exponential_coordinates(turn_between(start.q, end.q), end), duration)),
      end_(end),
      duration_(duration) {}

RotationState HermiteTurn::at(double s) const {
  if (s == 0) return {q0_, phi_.start.rate, phi_.start.acceleration};
  if (s == duration_) return end_;
  const VectorSample phi = phi_.at(s);
  const TurnFactors f = make_turn_factors(phi.value);
  return {quat_exp(phi.value) * q0_, dexp(f, phi.value, phi.rate),
          dexp(f, phi.value, phi.acceleration) + dexp_rate(f, phi.value, phi.rate)};
}

// With E = exp(tφ), which turns with Ω = ∫₀ᵗ exp(τφ) φ' dτ, the means over t of
//     ω = E φ',   ω' = E φ'' + Ω × Eφ',   ω'' = E φ''' + 2 Ω × Eφ'' + Ω' × Eφ' + Ω × (Ω × Eφ').
// exp(τφ) v differs from E v by at most (t − τ)|φ × v|. Hence |Ω × Eφ'| <= t²/2 |φ × φ'||φ'|, and
// 2 Ω × Eφ'' + Ω' × Eφ' is t E(φ' × φ'') but for t²|φ × φ'||φ''| + t²/2 |φ × φ''||φ'| +
// t³/6 |φ × φ'||φ'|².
SpinBounds HermiteTurn::bounds(double s_max) const {
  const RateBounds phi = rate_bounds(phi_, s_max);
  const CrossBounds across = cross_bounds(phi_, s_max);
  return {.speed = phi.rate,
          .acceleration = phi.acceleration + across.value_rate * phi.rate / 6,
          .jerk = phi.jerk + across.rate_acceleration / 2 +
                  across.value_rate * phi.acceleration / 3 +
                  across.value_acceleration * phi.rate / 6 +
                  across.value_rate * phi.rate * phi.rate / 6};
}

}  // namespace carom::math
