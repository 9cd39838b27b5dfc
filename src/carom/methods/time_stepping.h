// One complementarity problem a step, friction included, and no event location (Anitescu & Potra
// 1997, the implicit method that Drumwright's is measured against). docs/methods/time-stepping.md
// tells the scheme:
//
//   1. contacts that may close within the step are found with their gaps
//   2. those that would close too fast are stopped at the start of the step, by Poisson's
//      compression and decompression
//   3. contact and joint forces of the step follow from the velocities at its end, constrained by
//      the gaps:  0 <= p_n ⟂ gap + h n·v⁺ >= 0
//   4. bodies move under these forces, held constant
#pragma once

#include "carom/methods/workbench.h"

namespace carom::methods {

struct TimeStepping {
  StepOptions options;
};

// One step from state.t to t_end.
AdvanceResult advance(const TimeStepping& method, Workbench& bench, State& state, double t_end);

}  // namespace carom::methods
