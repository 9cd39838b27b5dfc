// A whole scene's state as one vector, so that an integrator can carry it: 13 numbers a body,
// x, q (x, y, z, w), v, ω; and its rate under gravity and wrenches (none, or one per body) held
// constant, which must outlive the function.
#pragma once

#include <span>

#include "carom/dynamics/equations_of_motion.h"
#include "carom/dynamics/flight.h"
#include "reference/dormand_prince.h"

namespace carom::reference {

inline constexpr std::size_t kPosition = 7, kVelocity = 6, kBody = kPosition + kVelocity;

inline void put_position(const Vec3& x, const Quat& q, std::size_t at, VecX& out) {
  out.segment<3>(static_cast<int>(at)) = x;
  out.segment<4>(static_cast<int>(at + 3)) = q.coeffs();
}

inline void put_velocity(const Vec3& v, const Vec3& w, std::size_t at, VecX& out) {
  out.segment<3>(static_cast<int>(at)) = v;
  out.segment<3>(static_cast<int>(at + 3)) = w;
}

// The attitude as it stands: integrators work on the plain coefficients.
inline BodyState read_body(const VecX& q, std::size_t q_at, const VecX& v, std::size_t v_at) {
  const int i = static_cast<int>(q_at), j = static_cast<int>(v_at);
  return {q.segment<3>(i), Quat(q.segment<4>(i + 3)), v.segment<3>(j), v.segment<3>(j + 3)};
}

inline BodyState with_unit_attitude(BodyState body) {
  body.q.normalize();
  return body;
}

// ω' is defined by the attitude q/|q|, so that leaving the unit sphere does no harm to it.
inline dynamics::Acceleration accelerate(const Scene& scene, std::span<const Wrench> wrenches,
                                         std::size_t i, const BodyState& body) {
  const Wrench wrench = wrenches.empty() ? Wrench{} : wrenches[i];
  return dynamics::compute_acceleration(scene.bodies[i], with_unit_attitude(body), wrench,
                                        scene.gravity);
}

inline BodyState moving(const Body& body, BodyState state) {
  if (body.motion == model::Motion::Fixed) state.v = state.w = Vec3::Zero();
  return state;
}

inline VecX to_vector(const State& state) {
  VecX y(kBody * state.bodies.size());
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState& body = state.bodies[i];
    put_position(body.x, body.q, kBody * i, y);
    put_velocity(body.v, body.w, kBody * i + kPosition, y);
  }
  return y;
}

inline State to_state(double t, const VecX& y) {
  State state{t, {}};
  for (std::size_t at = 0; at < static_cast<std::size_t>(y.size()); at += kBody) {
    state.bodies.push_back(with_unit_attitude(read_body(y, at, y, at + kPosition)));
  }
  return state;
}

inline Derivative make_derivative(const Scene& scene, std::span<const Wrench> wrenches = {}) {
  return [&scene, wrenches](double, const VecX& y) {
    VecX rate(y.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const std::size_t at = kBody * i;
      const BodyState body = moving(scene.bodies[i], read_body(y, at, y, at + kPosition));
      const dynamics::Acceleration acceleration = accelerate(scene, wrenches, i, body);
      put_position(body.v, dynamics::attitude_rate(body.q, body.w), at, rate);
      put_velocity(acceleration.linear, acceleration.angular, at + kPosition, rate);
    }
    return rate;
  };
}

}  // namespace carom::reference
