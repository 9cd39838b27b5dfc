#include "carom/methods/microcollision.h"

#include <algorithm>

#include "carom/methods/zeno_free.h"

namespace carom::methods {

namespace {

constexpr double kHeldStep = 1e-3;  // s

// Contact forces instead of hops.
AdvanceResult hold(const Microcollision& method, Workbench& bench, State& state, double t_end) {
  const ZenoFree held{.impact = method.impact, .max_impacts_per_step = 1000, .sleeping = false};
  if (AdvanceResult result = bench.stop_hopping(method.impact, state); !result.ok()) return result;
  while (state.t < t_end) {
    AdvanceResult result = advance(held, bench, state, std::min(state.t + kHeldStep, t_end));
    if (!result.ok()) return result;
  }
  return {};
}

}  // namespace

AdvanceResult advance(const Microcollision& method, Workbench& bench, State& state, double t_end) {
  AdvanceResult result = bench.hop(method.clocks, method.impact, state, t_end);
  if (result.status != AdvanceStatus::ZenoPoint) return result;
  return hold(method, bench, state, t_end);
}

}  // namespace carom::methods
