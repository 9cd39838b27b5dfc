#include "carom/methods/zeno_free/zeno_free.h"

#include <algorithm>

#include "carom/methods/zeno_free/euler_flight.h"

namespace carom::methods {

namespace {

constexpr int kMoreFlights = 8;   // than two for each impact, in a step
constexpr int kManyFlights = 50;  // that no impact ends: what touches is treated as a crowd

}  // namespace

ZenoFreeStepper::ZenoFreeStepper(StepContext& context, const ZenoFree& options)
    : context_(context),
      options_(options),
      log_(context.scene, context.recorder),
      impacts_(context, log_),
      sleeping_(context.scene, context.applied),
      flight_(context, log_, impacts_, sleeping_, options.scheme),
      crowd_(context.scene),
      crowd_flight_(context, log_, sleeping_, flight_, options.scheme) {
  context.pairs.skip_still(sleeping_.still());
}

// Algorithm 3, with dt measured from the current time (the paper's line 10 subtracts an absolute
// time from a relative one) and the impact test against t + dt (line 14).
AdvanceResult ZenoFreeStepper::advance(State& state, double t_end) {
  const double step = t_end - state.t;
  flight_.begin_step(step);
  const double look = std::min(step, Crowd::longest_step(context_.scene));
  double next_look = state.t;
  int in_a_row = 0;  // flights that no impact has ended, since
  for (int impacts = 0, flights = 0; state.t < t_end && !context_.is_paused();) {
    if (state.t >= next_look) {
      crowd_.begin_step(look, state);
      crowd_flight_.begin_step(look);
      next_look = state.t + look;
      in_a_row = 0;
    }
    find_contacts(state);
    if (const contact::Contact* contact =
            first_approaching(contacts_.set, context_.scene, t_end - state.t)) {
      crowd_.note_impact(contacts_.set, context_.scene.tolerances.velocity);
      if (options_.euler || !crowd_flight_.treats(crowd_, *contact)) {
        if (++impacts > options_.max_impacts_per_step)
          return {AdvanceStatus::TooManyImpacts, contact->a, contact->b};
        const AdvanceResult treated =
            impacts_.treat(options_.impact, contacts_.set, state, &crowd_);
        if (!treated.ok()) return treated;
        --in_a_row;
        continue;
      }
    }
    // A flight that ends early ends at an impact or where something stops; that they are finite too
    // must not rest on two evaluations of one velocity falling on the same side of a tolerance.
    if (++flights > 2 * options_.max_impacts_per_step + kMoreFlights)
      return {AdvanceStatus::TooManyImpacts};
    if (++in_a_row > kManyFlights)
      for (const contact::Contact& each : contacts_.set) crowd_.join(each.a, each.b);
    const AdvanceResult flown = fly(state, t_end);
    if (!flown.ok()) return flown;
    let_sleep(0.5 * step, state);
  }
  return {};
}

AdvanceResult ZenoFreeStepper::fly(State& state, double t_end) {
  if (options_.euler) return fly_by_euler(state, t_end);
  if (crowd_flight_.is_next(crowd_)) return crowd_flight_.fly(crowd_, state, t_end);
  return flight_.fly(contacts_, state, t_end);
}

// Wakes every island asleep that something touches.
void ZenoFreeStepper::find_contacts(const State& state) {
  methods::find_contacts(context_, state, contacts_);
  while (const contact::Contact* by = sleeping_.wake_one(contacts_.set)) {
    context_.recorder.event({state.t, record::EventKind::Wake, by->a, by->b, by->at.point,
                             by->at.normal, -by->approach_rate, by->approach_rate, Vec3::Zero()});
    context_.pairs.find_contacts(state, contacts_.set, &contacts_.features);
  }
}

// The paper's own step: forces act on the velocities after the positions have moved.
AdvanceResult ZenoFreeStepper::fly_by_euler(State& state, double t_end) {
  flight_.ignore_resting(contacts_, state, 0);  // forces of the start
  euler_positions(state, t_end - state.t, flight_.path());
  const TimeOfContact toc = find_toc(context_, flight_.path());
  if (!flight_.may_follow(toc)) return toc.result;
  flight_.follow(toc.s, state);
  euler_velocities(context_.scene, flight_.forces().applied(), toc.s, state);
  if (!toc.found) state.t = t_end;
  return {};
}

// Unless the last flight was of a crowd, or shorter than `at_least`: over next to no time the
// forces of a flight are not known well.
void ZenoFreeStepper::let_sleep(double at_least, State& state) {
  if (!options_.sleeping || options_.euler || crowd_flight_.is_next(crowd_)) return;
  sleeping_.watch(state);
  if (flight_.path().duration < at_least) return;
  const RestingForces& forces = flight_.forces();
  sleeping_.fall_asleep(
      {contacts_.set, forces.wrenches(), forces.forces(), flight_.path().duration}, state);
}

void ZenoFreeStepper::forces_changed(const State&) { sleeping_.wake_all(); }

void ZenoFreeStepper::report(record::Summary& summary) const {
  summary.force_residual = std::max(flight_.forces().residual(), crowd_flight_.residual());
}

void ZenoFreeStepper::save(std::string& bytes) const {
  log_.save(bytes);
  flight_.save(bytes);
  sleeping_.save(bytes);
  crowd_.save(bytes);
  crowd_flight_.save(bytes);
}

void ZenoFreeStepper::restore(std::string_view& bytes) {
  log_.restore(bytes);
  flight_.restore(bytes);
  sleeping_.restore(bytes);
  crowd_.restore(bytes);
  crowd_flight_.restore(bytes);
}

}  // namespace carom::methods
