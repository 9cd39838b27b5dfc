// Contact forces in closed form between located collisions (Baraff). Bodies at rest on one another
// move under the forces that keep them from sinking into each other, found anew at every evaluation
// of an integrator with error control; collisions end the step and are resolved by the impact law.
// docs/methods/analytic.md tells the scheme and its departures.
#pragma once

#include "carom/methods/workbench.h"

namespace carom::methods {

struct Analytic {
  Law impact = impact::Simultaneous{};
  SmoothOptions motion{};
  int max_impacts_per_step = 100'000;
};

// One step, as long as its error and the next event allow, impacts at its start included; not
// beyond t_end. On failure `state` is the last good one.
AdvanceResult advance(const Analytic& method, Workbench& bench, State& state, double t_end);

}  // namespace carom::methods
