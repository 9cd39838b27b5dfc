#include "carom/methods/zeno_free/euler_flight.h"

#include "carom/dynamics/equations_of_motion.h"

namespace carom::methods {

void euler_positions(const State& state, double duration, Flight& flight) {
  flight.t0 = state.t;
  flight.duration = duration;
  flight.motions.clear();
  for (const BodyState& body : state.bodies)
    flight.motions.push_back({body.x, body.v, Vec3::Zero(), math::SteadySpin{body.q, body.w}});
}

void euler_velocities(const Scene& scene, std::span<const Wrench> applied, double duration,
                      State& state) {
  const Wrench none;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    BodyState& at = state.bodies[i];
    const dynamics::Acceleration free = dynamics::compute_acceleration(
        scene.bodies[i], at, applied.empty() ? none : applied[i], scene.gravity);
    at.v += duration * free.linear;
    at.w += duration * free.angular;
  }
}

}  // namespace carom::methods
