#include "carom/methods/zeno_free.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

constexpr int kMaxShortenings = 8;
constexpr int kMaxWaits = 20;     // short flights of a step that let contacts fall back
constexpr int kMaxLooks = 100;    // flights of a step that end where a search reached its cap
constexpr int kMaxCuts = 4;       // flights planned again because an impact ends them early
constexpr double kWhole = 0.999;  // of a flight: one that ends later keeps its forces
constexpr double kRise = 30;      // touching distances: what falls from there settles
constexpr int kMaxPlans = 10;     // flights that are planned before one of them is flown
constexpr double kCaution = 0.8, kLeastPart = 0.1;  // of a plan: the next, shorter one
constexpr double kGrowth = 2;                       // of the last flight: how long the next may be

// A search goes through time from one side: what it has passed when it reaches its cap is free of
// contacts. The flight ends there, and from there one looks again.
bool may_follow(const Workbench::Search& search, int& looks) {
  return search.result.ok() || (search.s > 0 && ++looks <= kMaxLooks);
}

// How long flights may be that are planned: where a contact wanders over a curved surface, forces
// that are constant hold it for a part of a step only.
struct Plan {
  double longest = HUGE_VAL;  // s
  int looks = 0;              // flights that ended where a search reached its cap
};

// Forces for a flight of at most `dt`, up to where something that slides stops; how long it is.
struct Carried {
  AdvanceResult result;
  double dt;
};
Carried carry(Workbench& bench, const State& state, double dt) {
  for (int i = 0;; ++i) {
    const AdvanceResult result = bench.carry(state, dt);
    if (!result.ok() || bench.jams()) return {result, dt};
    if (bench.stop_after() == 1 || i == kMaxShortenings) return {result, dt};
    dt *= bench.stop_after();
  }
}

// Moves to the first impact of the step, to the moment at which something that slides comes to a
// stop or something that hardly opens has fallen back, or to the end, whichever comes first.
// Forces are those of the flight that is flown: if it ends early, they are found again for the part
// that is flown, with the levers and the contacts' rates of that.
AdvanceResult fly_exactly(Workbench& bench, State& state, double t_end, bool patient, Plan& plan) {
  const double rest = t_end - state.t;
  double planned = patient ? std::min(rest, bench.time_to_fall_back(rest)) : rest;
  planned = std::min(planned, plan.longest);
  Workbench::Search first;
  for (int plans = 0, cuts = 0;; ++plans) {
    const Carried carried = carry(bench, state, planned);
    if (!carried.result.ok()) return carried.result;
    if (bench.jams()) return bench.resolve_jam(state);
    planned = carried.dt;
    bench.fly(state, planned);
    const double rise = bench.rise_of_carried();
    if (rise > kRise && plans < kMaxPlans) {
      planned *= std::clamp(kCaution * std::cbrt(kRise / rise), kLeastPart, kCaution);
      continue;
    }
    first = bench.find_first_impact();
    if (!may_follow(first, plan.looks)) return first.result;
    if (++cuts > kMaxCuts || !(first.s > 0) || first.s >= kWhole * planned) break;
    if (!bench.carries_moving()) break;
    planned = first.s;
  }
  bench.follow(first.s, state);
  plan.longest = kGrowth * first.s;
  if (!first.found && planned == rest) state.t = t_end;
  return {};
}

// The paper's own step: forces act on the velocities after the positions have moved.
AdvanceResult fly_by_euler(Workbench& bench, State& state, double t_end, Plan& plan) {
  const double dt = t_end - state.t;
  bench.ignore_resting(state);
  bench.fly_straight(state, dt);
  const Workbench::Search first = bench.find_first_impact();
  if (!may_follow(first, plan.looks)) return first.result;
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
  Plan plan;
  for (int impacts = 0, flights = 0; state.t < t_end;) {
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
    const AdvanceResult flown = exact ? fly_exactly(bench, state, t_end, flights <= kMaxWaits, plan)
                                      : fly_by_euler(bench, state, t_end, plan);
    if (!flown.ok()) return flown;
    if (exact && method.sleeping) bench.let_sleep(half_a_step, state);
  }
  return {};
}

}  // namespace carom::methods
