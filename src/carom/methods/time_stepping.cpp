#include "carom/methods/time_stepping.h"

namespace carom::methods {

AdvanceResult advance(const TimeStepping& method, Workbench& bench, State& state, double t_end) {
  const double step = t_end - state.t;
  bench.find_near_contacts(state, step);
  AdvanceResult stopped = bench.stop_closing(method.options, step, state);
  if (!stopped.ok()) return stopped;
  bench.hold_gaps(method.options, step, state);
  bench.fly(state, step);
  bench.follow(step, state);
  state.t = t_end;
  return {};
}

}  // namespace carom::methods
