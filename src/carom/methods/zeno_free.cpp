#include "carom/methods/zeno_free.h"

#include <algorithm>

namespace carom::methods {

namespace {

constexpr int kMaxShortenings = 8;
constexpr int kMaxWaits = 20;   // short flights of a step that let contacts fall back
constexpr int kMaxLooks = 100;  // flights of a step that end where a search reached its cap

// A search goes through time from one side: what it has passed when it reaches its cap is free of
// contacts. The flight ends there, and from there one looks again.
bool may_follow(const Workbench::Search& search, int& looks) {
  return search.result.ok() || (search.s > 0 && ++looks <= kMaxLooks);
}

// Moves to the first impact of the step, to the moment at which something that slides comes to a
// stop or something that hardly opens has fallen back, or to the end, whichever comes first.
AdvanceResult fly_exactly(Workbench& bench, State& state, double t_end, bool patient, int& looks) {
  const double rest = t_end - state.t;
  double dt = patient ? std::min(rest, bench.time_to_fall_back(rest)) : rest;
  bool shortened = dt < rest;
  for (int i = 0;; ++i) {
    if (const auto carried = bench.carry(state, dt); !carried.ok()) return carried;
    if (bench.jams()) return bench.resolve_jam(state);
    if (bench.stop_after() == 1 || i == kMaxShortenings) break;
    dt *= bench.stop_after();
    shortened = true;
  }
  bench.fly(state, dt);
  const Workbench::Search first = bench.find_first_impact();
  if (!may_follow(first, looks)) return first.result;
  bench.follow(first.s, state);
  if (!first.found && !shortened) state.t = t_end;
  return {};
}

// The paper's own step: forces act on the velocities after the positions have moved.
AdvanceResult fly_by_euler(Workbench& bench, State& state, double t_end, int& looks) {
  const double dt = t_end - state.t;
  bench.ignore_resting(state);
  bench.fly_straight(state, dt);
  const Workbench::Search first = bench.find_first_impact();
  if (!may_follow(first, looks)) return first.result;
  bench.follow(first.s, state);
  bench.kick(first.s, state);
  if (!first.found) state.t = t_end;
  return {};
}

}  // namespace

// Algorithm 3, with dt measured from the current time (the paper's line 10 subtracts an absolute
// time from a relative one) and the impact test against t + dt (line 14).
AdvanceResult advance(const ZenoFree& method, Workbench& bench, State& state, double t_end) {
  const bool exact = method.integrator == Integrator::Exact;
  const double half_a_step = 0.5 * (t_end - state.t);
  for (int impacts = 0, flights = 0, looks = 0; state.t < t_end;) {
    bench.find_contacts(state);
    if (const contact::Contact* contact = bench.find_impacting()) {
      if (++impacts > method.max_impacts_per_step) {
        return {AdvanceStatus::TooManyImpacts, contact->a, contact->b};
      }
      const AdvanceResult resolved = bench.resolve_impact(method.impact, state);
      if (!resolved.ok()) return resolved;
      continue;
    }
    // A flight that ends early ends at an impact or where something stops; that they are finite too
    // must not rest on two evaluations of one velocity falling on the same side of a tolerance.
    if (++flights > 2 * method.max_impacts_per_step + kMaxShortenings) {
      return {AdvanceStatus::TooManyImpacts};
    }
    const AdvanceResult flown = exact
                                    ? fly_exactly(bench, state, t_end, flights <= kMaxWaits, looks)
                                    : fly_by_euler(bench, state, t_end, looks);
    if (!flown.ok()) return flown;
    if (exact && method.sleeping) bench.let_sleep(half_a_step, state);
  }
  return {};
}

}  // namespace carom::methods
