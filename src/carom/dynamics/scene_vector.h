// A whole scene's state as one vector, so that any integrator can carry it: 13 numbers a body,
// x, q (x, y, z, w), v, ω.
#pragma once

#include <span>

#include "carom/dynamics/flight.h"
#include "carom/dynamics/integrators.h"

namespace carom::dynamics {

VecX to_vector(const State& state);
State to_state(double t, const VecX& y);  // attitudes brought back to unit length

// y' under gravity and wrenches (empty, or one per body) held constant. The scene and the wrenches
// must outlive the function returned.
Derivative make_derivative(const Scene& scene, std::span<const Wrench> wrenches = {});

// The same, split into positions (7 a body: x, q) and velocities (6 a body: v, ω).
struct SplitState {
  VecX q, v;
};
SplitState to_split(const State& state);
State to_state(double t, const VecX& q, const VecX& v);
SplitSystem make_split_system(const Scene& scene, std::span<const Wrench> wrenches = {});

}  // namespace carom::dynamics
