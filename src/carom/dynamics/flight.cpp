#include "carom/dynamics/flight.h"

#include <cmath>

namespace carom::dynamics {
namespace {

math::Rotation make_rotation(const Body& body, const BodyState& state, const Wrench& wrench) {
  if (wrench.has_torque()) {
    return math::TorquedTop(body.principal, state.q, state.w, wrench.torque);
  }
  if (body.principal.is_spherical() || state.w.isZero(0)) return math::SteadySpin{state.q, state.w};
  return math::FreeTop(body.principal, state.q, state.w);
}

RigidMotion make_motion(const Scene& scene, const Body& body, const BodyState& state,
                        const Wrench& wrench) {
  switch (body.motion) {
    case model::Motion::Fixed:
      return {state.x, Vec3::Zero(), Vec3::Zero(), math::SteadySpin{state.q, Vec3::Zero()}};
    case model::Motion::Driven:
      return {state.x, state.v, Vec3::Zero(), math::SteadySpin{state.q, state.w}};
    case model::Motion::Dynamic:
      break;
  }
  return {state.x, state.v, scene.gravity + body.inverse_mass * wrench.force,
          make_rotation(body, state, wrench)};
}

// The laws return unit quaternions to rounding; products of them drift from 1 by one rounding each.
Quat with_unit_length(const Quat& q) {
  constexpr double kDrift = 1e-15;
  return std::abs(q.squaredNorm() - 1) > kDrift ? q.normalized() : q;
}

}  // namespace

BodyState state_on(const RigidMotion& motion, double s) {
  const math::RotationState rotation = math::rotation_at(motion.rotation, s);
  return {math::position_at(motion, s), with_unit_length(rotation.q), math::velocity_at(motion, s),
          rotation.w};
}

RigidMotion fly_freely(const Scene& scene, const Body& body, const BodyState& state) {
  return make_motion(scene, body, state, {});
}

void Flight::state_at(double s, State& out) const {
  out.t = t0 + s;
  out.bodies.resize(motions.size());
  for (std::size_t i = 0; i < motions.size(); ++i) out.bodies[i] = state_on(motions[i], s);
}

BodyState Flight::body_at(BodyId id, double s) const { return state_on(motions[index(id)], s); }

void fly(const Scene& scene, const State& state, std::span<const Wrench> wrenches, double duration,
         Flight& out) {
  const Wrench none;
  out.t0 = state.t;
  out.duration = duration;
  out.motions.resize(scene.bodies.size());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Wrench& wrench = wrenches.empty() ? none : wrenches[i];
    out.motions[i] = make_motion(scene, scene.bodies[i], state.bodies[i], wrench);
  }
}

}  // namespace carom::dynamics
