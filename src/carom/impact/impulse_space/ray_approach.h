// Sliding that turns towards a ray (impact/impulse_space/sliding.h), all the way to it, where steps
// of a power series in s would be many. With y = tan(x/2), x the angle from the ray c₀, k and T in
// axes along and across it (k∥, and β = μ T∥⊥ = k⊥ since H vanishes there), q = r/(1 + y²) and ds =
// (1 + y²) dσ, the equations of sliding become
//
//     dy/dσ = -y h(y),     h = λ - 3β y + (k∥ - μ(T⊥ - T∥)) y² + β y³,     λ = -H'(c₀) > 0
//     dq/dσ = q e(y),      e = G₀ - 2β y + (k∥ + μT∥ - 2μT⊥) y² + 2β y³,   G₀ = G(c₀)
//     dp_n/dσ = q (1 + y²)².
//
// The angle along its linearisation, z = y Z(y) with dz/dσ = -λ z, the speed, q V(y) = const
// e^{G₀σ}, and the normal impulse,
//
//     p_n = [-q W(y)] + q₀ V(y₀) (e^{G₀σ} - 1)/G₀,
//
// are given by power series in y that obey linear equations with polynomial coefficients, so that a
// coefficient costs a few multiplications. They converge up to the next root of h, also a complex
// one, and no divisor vanishes: k λ - G₀ >= μT⊥. Good to round-off.
#pragma once

#include <array>
#include <optional>

#include "carom/impact/impulse_space/sliding.h"

namespace carom::impact {

class RayApproach {
 public:
  // Nothing where the direction does not turn towards a ray near enough, or the contact does not
  // give way in both tangential directions.
  static std::optional<RayApproach> find(const SlidingContact& contact, const SlidingStart& start);

  // Places on the way are told by the logarithm of what y has shrunk by. Work is not followed.
  double length() const { return length_; }
  SlidingPoint at(double shrunk) const;

 private:
  struct Terms {  // of the power series Z, V, W in y/y₀
    double z, v, w;
  };
  static constexpr std::size_t kMostTerms = 80;

  RayApproach(const SlidingContact& contact, const SlidingStart& start, const Direction& ray,
              double y);
  bool expand();  // whether it converges
  Terms next_term(std::size_t n, double b) const;
  Terms sum(double shrunk) const;

  const SlidingContact& contact_;
  SlidingStart start_;
  Direction ray_;
  double y_;                     // at the start
  std::array<double, 4> h_, e_;  // coefficients of powers of y/y₀
  std::array<Terms, kMostTerms> terms_;
  std::size_t count_ = 0;
  Terms first_{};  // sums at the start
  double length_ = 0;
};

}  // namespace carom::impact
