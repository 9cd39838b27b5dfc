// The variables of a step of smooth motion: states as numbers, their rates, and the error in them.
#include <cmath>

#include "carom/dynamics/body_variables.h"
#include "carom/dynamics/equations_of_motion.h"
#include "carom/methods/analytic/force_integrator.h"

namespace carom::methods {

namespace {

using dynamics::BodyState;
using dynamics::BodyVariables;

math::Index offset(std::size_t block) {
  return BodyVariables::kCount * static_cast<math::Index>(block);
}

}  // namespace

void ForceIntegrator::pack(const State& state) {
  const auto blocks = accelerations_.blocks();
  math::VecView y = y_.resize(offset(blocks.size()));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BodyState& body = state[blocks[i].id];
    const Vec3 L = dynamics::world_inertia(scene_.body(blocks[i].id), body.q) * body.w;
    BodyVariables{body.x, body.q, body.v, L}.write(y, offset(i));
  }
}

// L' is the torque: I α + ω × I ω.
void ForceIntegrator::pack_rates(const State& state, const Accelerations& found,
                                 math::VecView rates) const {
  const auto blocks = accelerations_.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BodyState& body = state[blocks[i].id];
    const Mat3 inertia = dynamics::world_inertia(scene_.body(blocks[i].id), body.q);
    const Vec3 torque = inertia * found.bodies[i].w + body.w.cross(inertia * body.w);
    BodyVariables{body.v, dynamics::attitude_rate(body.q, body.w), found.bodies[i].v, torque}.write(
        rates, offset(i));
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
    const BodyVariables at = BodyVariables::read(y, offset(i));
    body.x = at.x;
    body.v = at.v;
    body.q = at.q.normalized();
    body.w = dynamics::world_inverse_inertia(scene_.body(blocks[i].id), body.q) * at.L;
  }
}

// The greatest error of a variable, in tolerances. Sizes and speeds of the scene stand for those of
// variables that happen to be small.
double ForceIntegrator::error_of_step() const {
  const auto blocks = accelerations_.blocks();
  const double length = scene_.tolerances.length, speed = scene_.tolerances.speed;
  double greatest = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BodyVariables error = BodyVariables::read(stepper_.error(), offset(i));
    const BodyState& body = end_state_[blocks[i].id];
    const double inertia = scene_.body(blocks[i].id).principal.moments.maxCoeff();
    const double parts[] = {error.x.norm() / length, error.v.norm() / (speed + body.v.norm()),
                            error.q.norm(),
                            error.L.norm() / (inertia * (speed / length + body.w.norm()))};
    for (const double part : parts) {
      if (!std::isfinite(part)) return HUGE_VAL;
      greatest = std::max(greatest, part);
    }
  }
  return greatest / options_.tolerance;
}

}  // namespace carom::methods
