#include "carom/methods/naive.h"

namespace carom::methods {

// Lines 3–11 of algorithm 1 until the step is done. An active contact at the current time is an
// "impact in [t, t + h]" with t_c = t (line 6), which is where the paradox comes from.
AdvanceResult advance(const Naive& method, Workbench& bench, State& state, double t_end) {
  AdvanceResult frozen{AdvanceStatus::ZenoPoint};  // at the contact treated last
  for (int treatments = 0, flights = 0; state.t < t_end;) {
    bench.find_contacts(state);
    if (const contact::Contact* contact = bench.find_active()) {
      frozen = {AdvanceStatus::ZenoPoint, contact->a, contact->b, contact->at};
      if (++treatments > method.max_treatments) return frozen;
      const AdvanceResult resolved = bench.resolve_impact(method.impact, state);
      if (!resolved.ok()) return resolved;
      bench.find_contacts(state);
      if (bench.find_active()) continue;
    }
    if (++flights > method.max_treatments) return frozen;
    bench.fly(state, t_end - state.t);
    const Workbench::Search first = bench.find_first_impact();
    if (!first.result.ok()) return first.result;
    bench.follow(first.s, state);
    if (!first.found) state.t = t_end;
  }
  return {};
}

}  // namespace carom::methods
