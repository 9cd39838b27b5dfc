#include "carom/dynamics/equations_of_motion.h"

namespace carom::dynamics {

Acceleration compute_acceleration(const Body& body, const BodyState& state, const Wrench& wrench,
                                  const Vec3& gravity) {
  if (!body.is_dynamic()) return {};
  const Quat q_BW = state.q.conjugate();
  const Vec3 w = q_BW * state.w;  // body axes, where the inertia is constant
  const Vec3 torque = q_BW * wrench.torque - w.cross(body.inertia * w);
  return {gravity + body.inverse_mass * wrench.force, state.q * (body.inverse_inertia * torque)};
}

Quat attitude_rate(const Quat& q, const Vec3& w) {
  Quat rate = Quat(0, w.x(), w.y(), w.z()) * q;
  rate.coeffs() *= 0.5;
  return rate;
}

}  // namespace carom::dynamics
