#include "carom/methods/analytic.h"

namespace carom::methods {

// Collisions are resolved before contact forces are asked for (§3); where those do not exist, or a
// contact has to be stopped first, velocities jump and time stands still.
AdvanceResult advance(const Analytic& method, Workbench& bench, State& state, double t_end) {
  const double start = state.t;
  for (int jumps = 0; state.t == start;) {
    bench.find_followed_contacts(state);
    const contact::Contact* impacting = bench.find_impacting();
    AdvanceResult result = impacting != nullptr ? bench.resolve_impact(method.impact, state)
                                                : bench.glide(method.motion, state, t_end);
    if (!result.ok()) return result;
    if (state.t == start && ++jumps > method.max_impacts_per_step) {
      return {AdvanceStatus::TooManyImpacts};
    }
  }
  return {};
}

}  // namespace carom::methods
