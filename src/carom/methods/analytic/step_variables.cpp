// The variables of a step of smooth motion: states as numbers, their rates, and the error in them.
#include <cmath>

#include "carom/dynamics/equations_of_motion.h"
#include "carom/methods/analytic/force_integrator.h"

namespace carom::methods {

namespace {

using dynamics::BodyState;
using math::Index;

constexpr Index kPerBody = 13;  // x, v, q, angular momentum

}  // namespace

void ForceIntegrator::pack(const State& state) {
  const auto blocks = accelerations_.blocks();
  auto y = y_.resize(kPerBody * static_cast<Index>(blocks.size()));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BodyState& body = state[blocks[i].id];
    auto at = y.segment<kPerBody>(kPerBody * static_cast<Index>(i));
    at.segment<3>(0) = body.x;
    at.segment<3>(3) = body.v;
    at.segment<4>(6) = body.q.coeffs();
    at.segment<3>(10) = dynamics::world_inertia(scene_.body(blocks[i].id), body.q) * body.w;
  }
}

// L' is the torque: I α + ω × I ω.
void ForceIntegrator::pack_rates(const State& state, const Accelerations& found,
                                 math::VecView rates) const {
  const auto blocks = accelerations_.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BodyState& body = state[blocks[i].id];
    const Mat3 inertia = dynamics::world_inertia(scene_.body(blocks[i].id), body.q);
    auto at = rates.segment<kPerBody>(kPerBody * static_cast<Index>(i));
    at.segment<3>(0) = body.v;
    at.segment<3>(3) = found.bodies[i].v;
    at.segment<4>(6) = dynamics::attitude_rate(body.q, body.w).coeffs();
    at.segment<3>(10) = inertia * found.bodies[i].w + body.w.cross(inertia * body.w);
  }
}

void ForceIntegrator::place(double s, math::ConstVecView y, const Flight& driven,
                            State& out) const {
  out.t = driven.t0 + s;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    if (scene_.bodies[i].motion == model::Motion::Driven) {
      out.bodies[i] = driven.body_at(id_of<BodyId>(i), s);
    }
  }
  const auto blocks = accelerations_.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    BodyState& body = out[blocks[i].id];
    const auto at = y.segment<kPerBody>(kPerBody * static_cast<Index>(i));
    body.x = at.segment<3>(0);
    body.v = at.segment<3>(3);
    body.q.coeffs() = at.segment<4>(6).normalized();
    body.w = dynamics::world_inverse_inertia(scene_.body(blocks[i].id), body.q) * at.segment<3>(10);
  }
}

// The greatest error of a variable, in tolerances. Sizes and speeds of the scene stand for those of
// variables that happen to be small.
double ForceIntegrator::error_of_step() const {
  const auto blocks = accelerations_.blocks();
  const double length = scene_.tolerances.length, speed = scene_.tolerances.speed;
  double greatest = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto e = stepper_.error().segment<kPerBody>(kPerBody * static_cast<Index>(i));
    const BodyState& body = end_state_[blocks[i].id];
    const double inertia = scene_.body(blocks[i].id).principal.moments.maxCoeff();
    const double errors[] = {
        e.segment<3>(0).norm() / length, e.segment<3>(3).norm() / (speed + body.v.norm()),
        e.segment<4>(6).norm(),
        e.segment<3>(10).norm() / (inertia * (speed / length + body.w.norm()))};
    for (const double error : errors) {
      if (!std::isfinite(error)) return HUGE_VAL;
      greatest = std::max(greatest, error);
    }
  }
  return greatest / options_.tolerance;
}

}  // namespace carom::methods
