#include "carom/methods/microcollision.h"

namespace carom::methods {

AdvanceResult advance(const Microcollision& method, Workbench& bench, State& state, double t_end) {
  return bench.hop(method.clocks, method.impact, state, t_end);
}

}  // namespace carom::methods
