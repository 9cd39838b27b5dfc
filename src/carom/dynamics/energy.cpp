#include "carom/dynamics/energy.h"

#include "carom/dynamics/applied_forces.h"

namespace carom::dynamics {
namespace {

Vec3 spin_momentum(const Body& body, const BodyState& state) {
  return state.q * (body.inertia * (state.q.conjugate() * state.w));
}

}  // namespace

Energy compute_energy(const Scene& scene, const State& state) {
  Energy energy;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (!body.is_dynamic()) continue;
    const BodyState& at = state.bodies[i];
    energy.kinetic += 0.5 * (body.mass * at.v.squaredNorm() + at.w.dot(spin_momentum(body, at)));
    energy.potential -= body.mass * scene.gravity.dot(at.x);
  }
  energy.potential += compute_potential(scene, state);
  return energy;
}

Momentum compute_momentum(const Scene& scene, const State& state) {
  Momentum momentum;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (!body.is_dynamic()) continue;
    const BodyState& at = state.bodies[i];
    const Vec3 linear = body.mass * at.v;
    momentum.linear += linear;
    momentum.angular += at.x.cross(linear) + spin_momentum(body, at);
  }
  return momentum;
}

}  // namespace carom::dynamics
