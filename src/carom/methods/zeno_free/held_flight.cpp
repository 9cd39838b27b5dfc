#include "carom/methods/zeno_free/held_flight.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

constexpr int kMaxShortenings = 8;
constexpr int kMaxLooks = 100;    // flights of a step that end where a search reached its cap
constexpr int kMaxCuts = 4;       // flights planned again because an impact ends them early
constexpr double kWhole = 0.999;  // of a flight: one that ends later keeps its forces
constexpr double kRise = 30;      // touching distances: what falls from there settles
constexpr int kMaxPlans = 10;     // flights that are planned before one of them is flown
constexpr double kCaution = 0.8, kLeastPart = 0.1;  // of a plan: the next, shorter one
constexpr double kMostTurn = 1;                     // rad, of a body in a scheme's flight
constexpr double kGrowth = 2;                       // of the last flight: how long the next may be

}  // namespace

void HeldFlight::begin_step() {
  longest_ = HUGE_VAL;
  looks_ = 0;
}

bool HeldFlight::may_follow(const TimeOfContact& toc) {
  return toc.result.ok() || (toc.s > 0 && ++looks_ <= kMaxLooks);
}

AdvanceResult HeldFlight::fly(const FeatureContacts& contacts, State& state, double t_end,
                              bool patient) {
  const double rest = t_end - state.t;
  double planned = patient ? std::min(rest, time_to_fall_back(contacts, rest)) : rest;
  planned = std::min({planned, longest_, longest_turn(state)});
  select_resting(contacts, context_.scene, resting_);
  log_.update_resting(resting_.set, state, sleeping_.still());
  TimeOfContact toc;
  for (int plans = 0, cuts = 0;; ++plans) {
    const Plan plan = hold(state, planned);
    if (!plan.held.result.ok()) return plan.held.result;
    if (plan.held.jams) return impacts_.treat_jam(resting_.set, state);
    planned = plan.duration;
    forces_.fly(state, planned, scheme_, flight_);
    sleeping_.hold_in_place(state, flight_);
    const double rise = forces_.rise(resting_, flight_);
    if (rise > kRise && plans < kMaxPlans) {
      planned *= std::clamp(kCaution * std::cbrt(kRise / rise), kLeastPart, kCaution);
      continue;
    }
    toc = find_toc(context_, flight_);
    if (!may_follow(toc)) return toc.result;
    if (++cuts > kMaxCuts || !(toc.s > 0) || toc.s >= kWhole * planned) break;
    if (!forces_.holds_moving() && scheme_ != dynamics::Scheme::SymplecticEuler) break;
    planned = toc.s;
  }
  follow(toc.s, state);
  longest_ = kGrowth * toc.s;
  if (!toc.found && planned == rest) state.t = t_end;
  return {};
}

// Forces for a flight of at most `duration`, up to where something that slides stops.
HeldFlight::Plan HeldFlight::hold(const State& state, double duration) {
  for (int i = 0;; ++i) {
    const HeldStep held = forces_.solve(state, resting_, duration, sleeping_.forces());
    const bool whole = held.sliding_ends_at == 1 || i == kMaxShortenings;
    if (!held.result.ok() || held.jams || whole) return {held, duration};
    duration *= held.sliding_ends_at;
  }
}

// A scheme's flight may not turn a body by half a turn.
double HeldFlight::longest_turn(const State& state) const {
  if (!scheme_) return HUGE_VAL;
  double spin = 0;
  for (const BodyState& body : state.bodies) spin = std::max(spin, body.w.norm());
  return kMostTurn / spin;
}

// How long contacts that open no faster than the leaving speed need to fall back, if forces that
// stop them within `duration` would let them rise above the touching distance until then.
double HeldFlight::time_to_fall_back(const FeatureContacts& contacts, double duration) const {
  const base::Tolerances& tolerances = context_.scene.tolerances;
  double fastest = 0;
  for (const contact::Contact& contact : contacts.set) {
    const bool lingers =
        contact.approach_rate > tolerances.velocity && contact.approach_rate <= tolerances.leaving;
    if (lingers) fastest = std::max(fastest, contact.approach_rate);
  }
  const bool rises = 0.5 * fastest * duration > tolerances.gap;
  return rises ? fastest / context_.scene.gravity.norm() : HUGE_VAL;
}

void HeldFlight::ignore_resting(const FeatureContacts& contacts, const State& state) {
  select_resting(contacts, context_.scene, resting_);
  log_.update_resting(resting_.set, state, sleeping_.still());
  forces_.clear();
}

}  // namespace carom::methods
