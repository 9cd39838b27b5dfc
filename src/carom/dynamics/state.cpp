#include "carom/dynamics/state.h"

#include <algorithm>
#include <cmath>

namespace carom::dynamics {
namespace {

Mat3 turned(const Mat3& inertia, const Quat& q) {
  const Mat3 R = q.toRotationMatrix();
  return R * inertia * R.transpose();
}

}  // namespace

State make_initial_state(const Scene& scene) {
  State state;
  state.bodies.reserve(scene.initial.size());
  for (const auto& start : scene.initial) {
    state.bodies.push_back({start.x, start.q, start.v, start.w});
  }
  return state;
}

Mat3 world_inertia(const Body& body, const Quat& q) { return turned(body.inertia, q); }

Mat3 world_inverse_inertia(const Body& body, const Quat& q) {
  return turned(body.inverse_inertia, q);
}

void drift(double duration, State& state) {
  for (BodyState& body : state.bodies) {
    body.x += duration * body.v;
    body.q = math::quat_exp(duration * body.w) * body.q;
  }
}

bool is_finite(const State& state) {
  return std::isfinite(state.t) &&
         std::all_of(state.bodies.begin(), state.bodies.end(), [](const BodyState& body) {
           return body.x.allFinite() && body.q.coeffs().allFinite() && body.v.allFinite() &&
                  body.w.allFinite();
         });
}

}  // namespace carom::dynamics
