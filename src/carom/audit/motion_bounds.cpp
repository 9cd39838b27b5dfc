#include "carom/audit/motion_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::audit {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

Vec3 angular_momentum(const Body& body, const BodyState& state) {
  return state.q * (body.inertia * (state.q.conjugate() * state.w));
}

// Euler's equations in body axes, differentiated once and twice more under a torque that stands
// still in the world, T' = −ω × T in the body. As ω × Iω' + ω' × Iω is the same for I − c, every
// product with I counts half its spread. In world axes ω'' is that of the body and ω × ω', and so
// on. The path itself is one step of fourth order from the start of a segment, whose fourth
// derivative differs from this by a term of the fifth order: the last one.
void bound_higher_rates(const BodySegment& s, double torque, MotionBounds& out) {
  const double least = s.body.principal.moments.minCoeff();
  const double spread = s.body.principal.moments.maxCoeff() - least;
  const double w = out.spin, w1 = out.spin_acceleration;
  const double w2 = (w * torque + spread * w * w1) / least;
  const double w3 = ((w1 + w * w) * torque + spread * (w * w2 + w1 * w1)) / least;
  out.spin_jerk = w2 + w * w1;
  out.spin_snap = w3 + 2 * w * w2 + w * w * w1;
  if (!std::holds_alternative<math::TorquedTop>(s.motion.rotation)) return;
  const double rate = std::max({w, std::sqrt(w1), std::cbrt(out.spin_jerk)});
  out.spin_snap += std::pow(rate, 5) * s.duration;
}

// Euler's equations in body axes: |I ω'| = |τ − ω × Iω|, and ω × Iω = ω × (I − I_min)ω is at most
// (I_max − I_min) ω². Their derivative, with (I_max + I_min)/2 in place of I_min, bounds how fast
// |ω'| grows: by at most (ω τ + (I_max − I_min) ω |ω'|) / I_min. That keeps the bound tight for a
// steady spin about a principal axis (Gronwall).
void bound_spin(const BodySegment& s, MotionBounds& out) {
  const double least = s.body.principal.moments.minCoeff();
  const double spread = s.body.principal.moments.maxCoeff() - least;
  const Vec3 L0 = angular_momentum(s.body, s.start), L1 = angular_momentum(s.body, s.end);
  const Vec3 torque = (L1 - L0) / s.duration;
  const double tau = torque.norm();
  const double w_max = std::max(L0.norm(), L1.norm()) / least;
  const double w_dot = (tau + spread * w_max * w_max) / least;
  out.spin = std::min(w_max, s.start.w.norm() + w_dot * s.duration);
  const Vec3 net = torque - s.start.w.cross(L0);
  const double now = (s.body.inverse_inertia * (s.start.q.conjugate() * net)).norm();
  const double growth = std::exp(spread * out.spin * s.duration / least);
  out.spin_acceleration = std::min(w_dot, (now + out.spin * tau * s.duration / least) * growth);
  bound_higher_rates(s, tau, out);
}

}  // namespace

MotionBounds compute_motion_bounds(const BodySegment& s) {
  MotionBounds out;
  out.w0 = s.start.w;
  out.spin = s.start.w.norm();
  out.jerk = math::jerk_bound(s.motion, s.duration);
  if (std::holds_alternative<math::HermiteTurn>(s.motion.rotation)) {
    const math::SpinBounds turn = math::spin_bounds(s.motion.rotation, s.duration);
    out.spin = turn.speed;
    out.spin_acceleration = turn.acceleration;
    out.spin_jerk = out.spin_snap = kUnknown;
  } else if (s.body.is_dynamic()) {
    bound_spin(s, out);
  }
  if (!s.motion.is_parabola()) out.spin_snap = kUnknown;
  return out;
}

// d' = ω × d, and its derivatives.
TurnRates compute_turn_rates(const MotionBounds& bounds) {
  const double w = bounds.spin, w1 = bounds.spin_acceleration, w2 = bounds.spin_jerk;
  return {w, w1 + w * w, w2 + 3 * w * w1 + w * w * w,
          bounds.spin_snap + 4 * w * w2 + 3 * w1 * w1 + 6 * w * w * w1 + w * w * w * w};
}

MotionBounds compute_axis_bounds(const BodySegment& s, const Vec3& axis_B) {
  const Vec3 e = s.start.q * axis_B;
  MotionBounds out;
  out.w0 = s.start.w - s.start.w.dot(e) * e;
  out.spin = out.w0.norm();
  Vec3 goes_round = s.start.w;
  if (s.body.is_dynamic()) {
    const double across = (s.body.inertia.trace() - axis_B.dot(s.body.inertia * axis_B)) / 2;
    goes_round = angular_momentum(s.body, s.start) / across;
  }
  out.spin_acceleration = goes_round.norm() * out.spin;
  return out;
}

// d · (α × r + ω × (ω × r)) is at most |r| (|α| + |ω| |ω × d|).
double bound_turning(const MotionBounds& b, double lever, const Vec3& d, double duration) {
  const double across = std::min(b.spin, b.w0.cross(d).norm() + b.spin_acceleration * duration);
  return lever * (b.spin_acceleration + b.spin * across);
}

}  // namespace carom::audit
