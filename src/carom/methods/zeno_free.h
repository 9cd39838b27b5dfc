// Event stepping that cannot freeze (Drumwright, algorithms 2–4). Resting contacts do not stop the
// step; it ends early only at contacts that are impacts, and all contacts of that moment are
// treated together. docs/methods/zeno-free.md tells the scheme and its departures:
//
//   exact    (default) flight in closed form; resting contacts and joints are carried by forces
//            constant over the step, found at the velocity level (resting/carry.h)
//   euler    the paper to the letter: explicit Euler, resting contacts ignored until they impact
#pragma once

#include "carom/methods/workbench.h"

namespace carom::methods {

enum class Integrator { Exact, Euler };

struct ZenoFree {
  Law impact = impact::Sequential{};
  Integrator integrator = Integrator::Exact;
  int max_impacts_per_step = 100'000;
  bool sleeping = true;  // islands at rest are left alone; exact integrator only
};

// From state.t to t_end, impacts included. On failure `state` is the last good one.
AdvanceResult advance(const ZenoFree& method, Workbench& bench, State& state, double t_end);

}  // namespace carom::methods
