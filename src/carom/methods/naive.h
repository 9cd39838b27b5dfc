// The baseline that freezes (Drumwright, algorithm 1): every contact stops the step, resting ones
// too. At a Zeno point time no longer advances; the method notices, says where and stops: at
// what time, between which bodies, at which point and normal.
#pragma once

#include "carom/methods/workbench.h"

namespace carom::methods {

struct Naive {
  Law impact = impact::Sequential{};
  int max_treatments = 100'000;  // of contacts within one step, before it counts as a Zeno point
};

AdvanceResult advance(const Naive& method, Workbench& bench, State& state, double t_end);

}  // namespace carom::methods
