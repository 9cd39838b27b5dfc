// Integrals over the path of a body, from a time 0 to h.
#pragma once

#include <cmath>

#include "carom/dynamics/flight.h"

namespace carom::audit {

// ∫ω dt by Gauss–Legendre on three points.
inline Vec3 integrate_spin(const RigidMotion& motion, double h) {
  const double offset = 0.5 * h * std::sqrt(0.6);
  const auto w = [&](double s) { return math::angular_velocity_at(motion.rotation, s); };
  return h / 18 * (5 * w(h / 2 - offset) + 8 * w(h / 2) + 5 * w(h / 2 + offset));
}

// The mean place on a parabola over the time h from its start: ∫x dt / h = x₀ + h v₀/2 + h² a/6.
inline Vec3 mean_position(const BodyState& start, const RigidMotion& motion, double h) {
  if (h == 0) return start.x;
  const Vec3 fallen = math::position_at(motion, h) - (start.x + h * start.v);
  return start.x + 0.5 * h * start.v + fallen / 3;
}

// ∫x dt by Simpson's rule, exact on a parabola, or Boole's, exact on a polynomial of degree five.
inline Vec3 integrate_position(const RigidMotion& motion, const Vec3& x0, const Vec3& x1,
                               double h) {
  const auto x = [&](double s) { return math::position_at(motion, s); };
  if (motion.is_parabola()) return h / 6 * (x0 + 4 * x(h / 2) + x1);
  return h / 90 * (7 * (x0 + x1) + 32 * (x(h / 4) + x(3 * h / 4)) + 12 * x(h / 2));
}

}  // namespace carom::audit
