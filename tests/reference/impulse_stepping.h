// A slow twin of the impact in impulse space: the normal impulse grows in small equal steps, and in
// each the friction impulse is the one of maximal dissipation in its cone at the end of the step.
// Of first order, but it knows nothing of rays, series or milestones.
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/impact/impulse_space/impulse_space.h"

namespace carom::reference {

// Minimises ½ qᵀTq + q·v over |q| <= radius by projected gradients, from the last q.
inline Vec3 most_dissipative(const Mat3& K, const Vec3& v, double radius, Vec3 q) {
  const double step = 1 / (K(1, 1) + K(2, 2));
  for (int i = 0; i < 200; ++i) {
    Vec3 next = q - step * (K * q + v);
    next.x() = 0;
    const double length = next.norm();
    if (length > radius) next *= radius / length;
    const double moved = (next - q).norm();
    q = next;
    if (moved <= 1e-12 * radius) break;
  }
  return q;
}

// The impulse of Poisson's or Stronge's rule with normal steps of `increment`.
inline Vec3 step_through(const impact::Collision& collision, double increment, int max_steps) {
  Vec3 p = Vec3::Zero(), u = collision.u, q = Vec3::Zero();
  double stored = 0, released = 0, compression_impulse = 0;
  const double e = collision.restitution;
  for (int i = 0; i < max_steps; ++i) {
    const Vec3 normal(increment, 0, 0);
    q = most_dissipative(collision.K, u + collision.K * normal, collision.friction * increment, q);
    const double before = u.x();
    p += normal + q;
    u = collision.u + collision.K * p;
    const double work = 0.5 * (before + u.x()) * increment;
    (work < 0 ? stored : released) += std::abs(work);
    if (u.x() <= 0) compression_impulse = p.x();
    const bool over = collision.rule == impact::Restitution::Poisson
                          ? p.x() >= (1 + e) * compression_impulse
                          : released >= e * e * stored;
    if (u.x() >= 0 && over) break;
  }
  return p;
}

}  // namespace carom::reference
