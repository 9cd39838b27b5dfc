#include "carom/methods/zeno_free/held_flight.h"

#include <algorithm>
#include <cmath>

#include "carom/base/bytes.h"
#include "carom/dynamics/energy.h"

namespace carom::methods {

namespace {

constexpr int kMaxShortenings = 8;
constexpr int kMaxAims = 2;     // corrections of one plan
constexpr int kMaxLooks = 100;  // flights of a step that end where a search reached its cap
constexpr int kMaxCuts = 4;     // flights planned again because an impact ends them early
constexpr int kMaxStops = 16;   // flights of a step planned to where something stops, however slow
constexpr double kLate = 1e-3;  // of the speed at hand: what slides slower may stop late
constexpr int kMaxPlans = 10;   // flights that are planned before one of them is flown
constexpr double kCaution = 0.8, kLeastPart = 0.1, kGrowth = 2;  // of a flight: the next one
constexpr double kShorter = 0.5;  // of a flight whose revision gains energy: the next try
constexpr double kGain = 1e-7;    // of the kinetic energy, by the revisions of a whole step
constexpr double kMostTurn = 1;   // rad, of a body in a scheme's flight

// How long a flight may be whose contacts drift by a touching distance, as a part of one in which
// they drift by so many: drift grows with the third power of a flight.
double part_without(double drift) {
  return std::clamp(kCaution / std::cbrt(drift), kLeastPart, kGrowth);
}

// The longest of equal parts of `rest` that are no longer than `longest`.
double even_part(double rest, double longest) {
  return longest < rest ? rest / std::ceil(rest / longest) : rest;
}

}  // namespace

void HeldFlight::begin_step(double step) {
  looks_ = stops_ = 0;
  step_ = step;
  forces_.begin_step(step);
}

bool HeldFlight::may_follow(const TimeOfContact& toc) {
  if (toc.result.ok()) return true;
  context_.recorder.fallback(record::Rung::SearchInParts, 0);
  return toc.s > 0 && ++looks_ <= kMaxLooks;
}

// Planned, and planned anew until the plan can be flown.
struct HeldFlight::Trial {
  double rest = 0, planned = 0;  // s, to the end of the step and of this flight
  int plans = 0, cuts = 0, aims = kMaxAims;
  double late = 0;  // m/s, the fastest that should have stopped before the end
  bool revised = false;
  TimeOfContact toc = {};
};

AdvanceResult HeldFlight::fly(const FeatureContacts& contacts, State& state, double t_end) {
  Trial trial{.rest = t_end - state.t};
  select_resting(contacts, context_.scene, resting_);
  if (resting_.set.empty()) longest_ = HUGE_VAL;
  trial.planned = even_part(trial.rest, std::min(longest_, longest_turn(state)));
  log_.update_resting(resting_.set, state, sleeping_.still());
  forces_.aim_anew();
  for (;;) {
    const Plan plan = hold(state, trial.planned);
    if (!plan.held.result.ok()) return plan.held.result;
    if (plan.held.jams) return impacts_.treat_jam(resting_.set, state);
    trial.planned = plan.duration;
    trial.late = plan.held.fastest_late;
    forces_.fly(state, trial.planned, scheme_, flight_);
    sleeping_.hold_in_place(state, flight_);
    if (aims_again(trial) || drifts(trial)) continue;
    trial.toc = find_toc(context_, flight_);
    if (!may_follow(trial.toc)) return trial.toc.result;
    if (!is_cut(trial) && !gains(trial)) break;
  }
  if (trial.late > 0) context_.recorder.fallback(record::Rung::LateFriction, trial.late);
  follow(trial.toc.s, state);
  if (trial.revised) {
    std::swap(state.bodies, end_.bodies);
    record_revision(state);
  }
  if (!trial.toc.found && trial.planned == trial.rest) state.t = t_end;
  return {};
}

void HeldFlight::plan_anew(Trial& trial, double duration) {
  trial.planned = duration;
  trial.aims = kMaxAims;
  ++trial.plans;
  forces_.aim_anew();
}

bool HeldFlight::aims_again(Trial& trial) {
  return trial.aims-- > 0 && forces_.correct_aim(resting_, flight_);
}

// A flight in which held contacts drift too far is planned shorter, and after many plans flown as
// it is.
bool HeldFlight::drifts(Trial& trial) {
  const double drift = forces_.drift(resting_, flight_);
  const double next = trial.planned * part_without(drift);
  if (drift > 1 || next > longest_) longest_ = next;
  if (drift <= 1) return false;
  if (trial.plans >= kMaxPlans) {
    context_.recorder.fallback(record::Rung::WideFlight, drift * context_.scene.tolerances.gap);
    return false;
  }
  plan_anew(trial, even_part(trial.rest, longest_));
  return true;
}

// Forces of a flight that an impact ends early are those of the shorter flight.
bool HeldFlight::is_cut(Trial& trial) {
  if (!is_cut_short(trial.toc.s, trial.planned) || ++trial.cuts > kMaxCuts) return false;
  const bool changes = forces_.holds_moving() || forces_.are_applied() ||
                       scheme_ == dynamics::Scheme::SymplecticEuler;
  if (changes) plan_anew(trial, trial.toc.s);
  return changes;
}

// Puts gaps and rates right at the end; where that gains energy, the next plan is shorter.
bool HeldFlight::gains(Trial& trial) {
  flight_.state_at(trial.toc.s, end_);
  trial.revised = forces_.revise(resting_, trial.toc.s, end_);
  if (!trial.revised || !gains_too_much(trial.toc.s)) return false;
  trial.revised = false;
  if (trial.plans >= kMaxPlans) return false;
  longest_ = kShorter * trial.planned;
  plan_anew(trial, even_part(trial.rest, longest_));
  return true;
}

// A revision gives back what friction took too much of in the flight. Where that is more than next
// to nothing, its forces were not those of its end at all, as of what jams.
bool HeldFlight::gains_too_much(double s) const {
  const Scene& scene = context_.scene;
  const dynamics::Energy before = dynamics::compute_energy(scene, forces_.revision().before);
  const dynamics::Energy after = dynamics::compute_energy(scene, end_);
  return after.kinetic - before.kinetic > kGain * before.kinetic * s / step_;
}

void HeldFlight::record_revision(const State& state) {
  const RestingForces::Revision& made = forces_.revision();
  settled_.assign(made.problem.islands.size(), 1);
  log_.record_impact({made.contacts,
                      {made.joint_rows, made.problem, made.impulses},
                      made.before,
                      state,
                      {.iterations = 1},
                      settled_});
}

// Forces for a flight of at most `duration`, up to where something that slides stops. In a pile
// everything slides a little after every impact, and stops at a time of its own: once many have
// stopped in a step, those that are slow stop by the end of their flight.
HeldFlight::Plan HeldFlight::hold(const State& state, double duration) {
  forces_.stop_late(stops_ < kMaxStops ? 0 : kLate * context_.scene.tolerances.speed);
  for (int i = 0;; ++i) {
    const HeldStep held = forces_.solve(state, resting_, duration, sleeping_.forces());
    const bool whole = held.sliding_ends_at == 1 || i == kMaxShortenings;
    if (!held.result.ok() || held.jams || whole) return {held, duration};
    if (i == 0) ++stops_;
    duration *= held.sliding_ends_at;
    forces_.shorten_aim(held.sliding_ends_at);
  }
}

// A scheme's flight may not turn a body by half a turn.
double HeldFlight::longest_turn(const State& state) const {
  if (!scheme_) return HUGE_VAL;
  double spin = 0;
  for (const BodyState& body : state.bodies) spin = std::max(spin, body.w.norm());
  return kMostTurn / spin;
}

void HeldFlight::ignore_resting(const FeatureContacts& contacts, const State& state,
                                double duration) {
  select_resting(contacts, context_.scene, resting_);
  log_.update_resting(resting_.set, state, sleeping_.still());
  forces_.release(state, duration);
}

void HeldFlight::save(std::string& bytes) const {
  forces_.save(bytes);
  base::append_bytes(bytes, longest_);
}

void HeldFlight::restore(std::string_view& bytes) {
  forces_.restore(bytes);
  base::take_bytes(bytes, longest_);
}

}  // namespace carom::methods
