#include "carom/math/attitude.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::math {
namespace {

// Θ' for R = exp(Θ) R0 and R' = ω × R: the inverse of the exponential's differential, to the order
// that a fourth-order method needs (Munthe-Kaas 1998). Θ parallel to ω is exact.
Vec3 rotation_vector_rate(const Vec3& theta, const Vec3& w) {
  const Vec3 turn = theta.cross(w);
  return w - 0.5 * turn + theta.cross(turn) / 12;
}

}  // namespace

TorquedTop::TorquedTop(const PrincipalInertia& inertia, const Quat& q0, const Vec3& w0,
                       const Vec3& torque)
    : inertia_(inertia),
      q0_(q0),
      w0_(w0),
      w_rate0_(inertia.is_spherical() ? Vec3(torque / inertia.moments.y())
                                      : angular_acceleration(inertia, q0, w0, torque)),
      torque_(torque) {
  const Quat q_WP = q0 * inertia.q_BP;
  L0_ = rotate(q_WP, inertia.moments.cwiseProduct(rotate(q_WP.conjugate(), w0)));
}

Vec3 TorquedTop::spin_at(const Quat& q, double s) const {
  const Quat q_WP = q * inertia_.q_BP;
  return rotate(q_WP, rotate(q_WP.conjugate(), L0_ + s * torque_).cwiseQuotient(inertia_.moments));
}

// ω = ω₀ + ω' s: ∫ω less a twelfth of s³ ω₀ × ω', the second of Magnus' terms; the third is of s⁵.
RotationState TorquedTop::spherical_at(double s) const {
  const Vec3 turn = s * (w0_ + 0.5 * s * w_rate0_) - s * s * s / 12 * w0_.cross(w_rate0_);
  return {quat_exp(turn) * q0_, w0_ + s * w_rate0_, w_rate0_};
}

RotationState TorquedTop::at(double s) const {
  if (s == 0) return {q0_, w0_, w_rate0_};
  if (inertia_.is_spherical()) return spherical_at(s);
  const auto rate = [&](const Vec3& theta, double time) {
    return rotation_vector_rate(theta, spin_at(quat_exp(theta) * q0_, time));
  };
  const Vec3 k1 = w0_;
  const Vec3 k2 = rate(0.5 * s * k1, 0.5 * s);
  const Vec3 k3 = rate(0.5 * s * k2, 0.5 * s);
  const Vec3 k4 = rate(s * k3, s);
  const Quat q = (quat_exp(s / 6 * (k1 + 2 * k2 + 2 * k3 + k4)) * q0_).normalized();
  const Vec3 w = spin_at(q, s);
  return {q, w, angular_acceleration(inertia_, q, w, torque_)};
}

// With T = ω·Iω / 2, d√(2T)/dt ≤ |τ| / √I_min. The gyroscopic term ω × Iω is ω × (I − c)ω for every
// scalar c, hence at most |ω|² (I_max − I_min) / 2. By the derivative of Euler's equations |ω'|
// grows by at most (|ω||τ| + (I_max − I_min)|ω||ω'|) / I_min, which is tight for a steady spin
// (Gronwall).
SpinBounds TorquedTop::bounds(double s_max) const {
  const double now = w_rate0_.norm();
  if (inertia_.is_spherical()) return {.speed = w0_.norm() + now * s_max, .acceleration = now};
  const double lightest = inertia_.moments.x(), heaviest = inertia_.moments.z();
  const double torque = torque_.norm();
  const double by_momentum = (L0_.norm() + torque * s_max) / lightest;
  const double by_energy =
      std::sqrt(std::max(0.0, w0_.dot(L0_)) / lightest) + torque * s_max / lightest;
  const double speed = std::min(by_momentum, by_energy);
  const double at_most = (torque + 0.5 * speed * speed * (heaviest - lightest)) / lightest;
  const double fastest = std::min(speed, w0_.norm() + at_most * s_max);
  const double growth = std::exp((heaviest - lightest) * fastest * s_max / lightest);
  const double acceleration =
      std::min(at_most, (now + fastest * torque * s_max / lightest) * growth);
  return {fastest, acceleration, jerk_bound(inertia_, fastest, acceleration, torque)};
}

Vec3 angular_acceleration(const PrincipalInertia& inertia, const Quat& q, const Vec3& w,
                          const Vec3& torque) {
  const Quat q_WP = q * inertia.q_BP;
  const Vec3 w_P = rotate(q_WP.conjugate(), w);
  const Vec3 torque_P = rotate(q_WP.conjugate(), torque);
  const Vec3 gyration = w_P.cross(inertia.moments.cwiseProduct(w_P));
  return rotate(q_WP, (torque_P - gyration).cwiseQuotient(inertia.moments));
}

// ω'' = I⁻¹(−ω × τ − ω' × Iω − ω × Iω') + ω × ω', the torque being constant in the world.
double jerk_bound(const PrincipalInertia& inertia, double speed, double acceleration,
                  double torque) {
  const double lightest = inertia.moments.x(), heaviest = inertia.moments.z();
  return speed * (torque + 2 * acceleration * heaviest) / lightest + speed * acceleration;
}

RotationState rotation_at(const Rotation& rotation, double s) {
  return std::visit([s](const auto& law) { return law.at(s); }, rotation);
}

Quat attitude_at(const Rotation& rotation, double s) { return rotation_at(rotation, s).q; }

Vec3 angular_velocity_at(const Rotation& rotation, double s) {
  if (const auto* steady = std::get_if<SteadySpin>(&rotation)) return steady->w;
  return rotation_at(rotation, s).w;
}

SpinBounds spin_bounds(const Rotation& rotation, double s_max) {
  if (const auto* steady = std::get_if<SteadySpin>(&rotation)) return {.speed = steady->w.norm()};
  if (const auto* torqued = std::get_if<TorquedTop>(&rotation)) return torqued->bounds(s_max);
  if (const auto* hermite = std::get_if<HermiteTurn>(&rotation)) return hermite->bounds(s_max);
  return std::get<FreeTop>(rotation).bounds();
}

}  // namespace carom::math
