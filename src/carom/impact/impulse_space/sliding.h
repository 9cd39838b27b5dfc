// One contact that slides while it is being pushed: how its tangential velocity turns and changes
// with the normal impulse. In the principal axes of the tangential block of the collision matrix,
//
//     K = | a   k1  k2 |      u_t = r (cos φ, sin φ) = r c,      dp = (1, -μ c) dp_n   (eq. 8)
//         | k1  τ1  0  |
//         | k2  0   τ2 |
//
// equation (9) becomes, with the arc dp_n = r ds,
//
//     dφ/ds = H(φ) = k·c⊥ - μ c⊥ᵀT c,     d ln r/ds = G(φ) = k·c - μ cᵀT c,
//
// which is regular down to r = 0. Roots of H are rays that are never left. After Mirtich & Canny,
// §4.3-4.4; their conjecture of one departing ray is a consequence of strict monotonicity:
// g c = k - μ T c with g > 0 and |c| = 1 means |(μT + g)⁻¹k| = 1, whose left side falls from
// |T⁻¹k|/μ, which is above 1 where friction cannot hold, to 0. That ray attracts, since
// H' = -g - μ c⊥ᵀT c⊥ < 0 there.
//
// K may be singular (joints); what it does not move is neither pushed nor held.
#pragma once

#include <array>
#include <optional>

#include "carom/math/linear_algebra.h"

namespace carom::impact {

struct Direction {
  double x = 1, y = 0;
};

struct Ray {
  Direction direction;
  double speeding = 0;  // dr/dp_n along it
};

class SlidingContact {
 public:
  SlidingContact(const Mat3& K, double friction);

  // Between the contact's own axes (normal, tangents) and the principal ones used here.
  Vec3 to_principal(const Vec3& v) const;
  Vec3 from_principal(const Vec3& v) const;

  const Mat3& K() const { return K_; }
  double friction() const { return friction_; }
  double scale() const { return scale_; }  // |k| + μ max τ: what H and G are measured by

  // For sliding in direction c. dp/dp_n is eq. (8).
  Vec3 push(Direction c) const { return {1, -friction_ * c.x, -friction_ * c.y}; }
  double turning(Direction c) const;       // H
  double turning_rate(Direction c) const;  // dH/dφ
  double speeding(Direction c) const;      // G = dr/dp_n
  double lifting(Direction c) const;       // du_n/dp_n
  double lifting_rate(Direction c) const;  // d lifting/dφ
  bool can_sink() const;                   // whether that is negative in some direction

  bool sticks() const;  // eq. (10)
  Vec3 hold() const;    // dp/dp_n that keeps u_t at rest
  Ray departure() const;

 private:
  Direction axis_;  // the first principal axis in the contact's tangents
  Mat3 K_;
  double friction_, scale_;
};

struct SlidingStart {
  Direction direction;
  double speed = 0;
  std::optional<double> normal_speed;  // where work is asked for
};

struct SlidingPoint {
  Direction direction;
  double speed = 0;
  Vec3 impulse;     // since the start, principal axes
  double pace = 0;  // dp_n over the change of the path's parameter
  double work = 0;  // of the normal impulse since the start, if it was asked for
};

// The solution of the sliding equations as a power series in s, good to round-off for 0 <= s <=
// length(). One step costs about 7 n² / 2 multiplications for order n.
class SlidingSeries {
 public:
  SlidingSeries(const SlidingContact& contact, const SlidingStart& start);

  double length() const { return length_; }
  SlidingPoint at(double s) const;

 private:
  static constexpr std::size_t kOrder = 22;
  using Coefficients = std::array<double, kOrder + 1>;
  struct Mirrored {  // the second factor of a product is read backwards
    Coefficients up{}, down{};
    void set(std::size_t n, double value) { up[n] = down[kOrder - n] = value; }
  };
  static double product(const Coefficients& a, const Mirrored& b, std::size_t n);
  void expand(const SlidingContact& contact);
  void integrate(const SlidingContact& contact);
  void integrate_work(const SlidingContact& contact, double normal_speed);
  void choose_length();

  double start_speed_, unit_;  // dp_n/ds at the start
  Mirrored x_, y_, r_;         // direction, and speed over the speed at the start
  Coefficients pn_{}, px_{}, py_{}, work_{};
  bool has_work_ = false;
  double length_ = 0;
};

}  // namespace carom::impact
