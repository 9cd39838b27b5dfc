#include "carom/methods/zeno_free/crowd_flight.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/base/bytes.h"

namespace carom::methods {

namespace {

constexpr double kRoom = 500;      // touching distances between crowded bodies
constexpr double kEnough = 10;     // touching distances that a velocity may be off by in a step
constexpr double kOpening = 0.05;  // of the longest step: the least time in which room is made
constexpr int kMostApart = 4;      // flights of a step before a crowd takes everyone in
constexpr int kMaxFlights = 200;   // in a step
constexpr int kMaxPlans = 10;      // of a flight, after the first
constexpr double kWhole = 1e-6;    // of a flight: what ends by so much earlier is flown as planned
constexpr double kAtOnce = 1e-6;   // likewise what ends so soon
constexpr double kEarly = 0.4;     // of a flight: where a contact sinks so soon, it does not last
constexpr double kCaution = 0.8, kLeastCut = 0.9, kBefore = 0.95, kGrowth = 2;

}  // namespace

// Planned, and planned anew until the plan can be flown.
struct CrowdFlight::Trial {
  double planned = 0;  // s
  int plans = 0;
  bool shortened = false;  // because of a contact that sinks
  TimeOfContact toc = {};
};

bool CrowdFlight::is_next(const Crowd& crowd) const {
  return crowd.is_any() && flights_ < kMaxFlights;
}

// What is no crowd may cut so many flights of a step; each of them is planned for all.
bool CrowdFlight::takes_all() const { return flights_ >= kMostApart; }

bool CrowdFlight::treats(const Crowd& crowd, const contact::Contact& approaching) {
  if (!is_next(crowd)) return false;
  return (takes_all() || crowd.holds(approaching)) && std::exchange(moved_, true);
}

AdvanceResult CrowdFlight::fly(Crowd& crowd, State& state, double t_end) {
  ++flights_;
  choose(crowd);
  const double rest = std::min(t_end - state.t, closing_.step);
  AdvanceResult stopped = impacts_.stop_closing(closing_, rest, forces_, state, contacts_);
  if (!stopped.ok()) return stopped;
  Trial trial{.planned = std::min(rest, longest_)};
  do {
    plan(state, trial.planned);
    trial.toc = find_toc(context_, flight_);
    if (!held_.may_follow(trial.toc)) return trial.toc.result;
  } while (plan_anew(trial));
  const bool whole = !trial.toc.found && trial.planned == t_end - state.t;
  follow(trial, crowd, state);
  if (whole) state.t = t_end;
  return {};
}

void CrowdFlight::choose(const Crowd& crowd) {
  const double touching = context_.scene.tolerances.gap;
  closing_.step = Crowd::longest_step(context_.scene);
  closing_.impact_speed = closing_.fastest = crowd.fast();
  closing_.marked = takes_all() ? crowd.everyone() : crowd.marks();
  closing_.room = kRoom * crowd.part_of_room() * touching;
  closing_.forces.enough = kEnough * crowd.part_of_room() * touching / closing_.step;
}

void CrowdFlight::plan(const State& state, double duration) {
  impacts_.find_near(closing_, duration, forces_, state, contacts_);
  const double opening = std::max(duration, kOpening * closing_.step);
  forces_.solve_gaps(state, contacts_, duration,
                     {.forces = closing_.forces,
                      .pace = {closing_.step, opening},
                      .remember = true,
                      .others = sleeping_.forces()});
  forces_.fly(state, duration, scheme_, flight_);
  sleeping_.hold_in_place(state, flight_);
}

// A contact that is held sinks by e s²/2 at first and by e h²/8 at most in a flight h, where e is
// what its force misses, itself as h: of the third root of what is too much, a flight is shorter.
bool CrowdFlight::plan_anew(Trial& trial) const {
  const double s = trial.toc.s;
  const bool as_planned = !trial.toc.found || s > (1 - kWhole) * trial.planned;
  if (as_planned || s < kAtOnce * trial.planned || trial.plans++ >= kMaxPlans) return false;
  const double part = s / trial.planned;
  trial.shortened |= holds(end_of(trial));
  if (!holds(end_of(trial)))
    trial.planned = s;
  else if (part > kEarly)
    trial.planned = kBefore * s;
  else
    trial.planned *= std::min(kCaution * std::cbrt(4 * part * part), kLeastCut);
  return true;
}

const contact::ContactTime& CrowdFlight::end_of(const Trial& trial) const {
  return *std::ranges::find(context_.times, trial.toc.s, &contact::ContactTime::s);
}

// Whether the bodies touched, or left no more than their room, at the start.
bool CrowdFlight::holds(const contact::ContactTime& time) const {
  return std::ranges::any_of(contacts_, [&](const contact::Contact& contact) {
    return contact.a == time.a && contact.b == time.b && contact.at.gap <= 0;
  });
}

void CrowdFlight::follow(const Trial& trial, Crowd& crowd, State& state) {
  const double s = trial.toc.s, touching = context_.scene.tolerances.gap;
  if (trial.toc.found) {
    const contact::ContactTime& end = end_of(trial);
    if (-end.rate <= crowd.fast()) crowd.join(end.a, end.b);
  } else if (!trial.shortened) {
    longest_ = std::max(longest_, kGrowth * trial.planned);
  }
  if (trial.shortened) longest_ = trial.planned;
  forces_.select_pushing(contacts_, pushing_);
  double ahead = 0;  // m
  for (const contact::Contact& contact : pushing_) ahead = std::max(ahead, contact.at.gap);
  context_.recorder.fallback(record::Rung::ClosedAhead, ahead);
  crowd.note_pushing(pushing_, kRoom * touching);
  if (s > 0.5 * step_) log_.update_resting(pushing_, state, sleeping_.still());
  moved_ = s > 0;
  forces_.follow(s, flight_, state);
}

void CrowdFlight::save(std::string& bytes) const {
  forces_.save(bytes);
  base::append_bytes(bytes, longest_);
  base::append_bytes(bytes, moved_);
}

void CrowdFlight::restore(std::string_view& bytes) {
  forces_.restore(bytes);
  base::take_bytes(bytes, longest_);
  base::take_bytes(bytes, moved_);
}

}  // namespace carom::methods
