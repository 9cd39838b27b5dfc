// The verb of methods that know nothing but collisions: a frame of flights and hops.
#include <algorithm>

#include "carom/dynamics/energy.h"
#include "carom/methods/workbench.h"

namespace carom::methods {

namespace {

constexpr double kJointStep = 1e-3;  // s; joint forces are constant for so long

record::Vibration since(const record::Vibration& before, const record::Vibration& now) {
  return {.lifts = now.lifts - before.lifts,
          .energy_in = now.energy_in - before.energy_in,
          .greatest_lift = now.greatest_lift};
}

}  // namespace

AdvanceResult Workbench::hop(const ClockOptions& options, const Law& law, State& state,
                             double t_end) {
  return scene_.joints.empty() ? keep_clocks(options, law, state, t_end)
                               : share_clock(options, law, state, t_end);
}

AdvanceResult Workbench::stop_hopping(const Law& law, State& state) {
  ++hop_memory_.vibration.held_frames;
  find_contacts(state);
  if (!find_impacting()) return {};
  for (contact::Contact& contact : contacts_) contact.restitution = 0;
  return resolve_impact(law, state);
}

// Balls and planes, or anything else.
AdvanceResult Workbench::keep_clocks(const ClockOptions& options, const Law& law, State& state,
                                     double t_end) {
  before_ = state;
  collisions_.clear();
  AdvanceResult result;
  if (BallClock::applies(scene_) && std::holds_alternative<impact::Frictional>(law)) {
    if (!ball_clock_) ball_clock_.emplace(scene_, options, workers_.watched());
    const record::Vibration before = ball_clock_->vibration();
    result = ball_clock_->advance(state, t_end, recorder_.has_sinks() ? &collisions_ : nullptr);
    hop_memory_.vibration.add(since(before, ball_clock_->vibration()));
  } else {
    if (!clockwork_) clockwork_.emplace(scene_, workers_, pairs_, options, law, hop_memory_);
    result = clockwork_->advance(state, t_end, collisions_);
  }
  if (dynamics::is_finite(state)) recorder_.flown({before_, collisions_, state});
  return result;
}

// Bodies that joints connect move together, under joint forces that are constant for a while, and
// all others with them; contacts are hops all the same.
AdvanceResult Workbench::share_clock(const ClockOptions& options, const Law& law, State& state,
                                     double t_end) {
  if (!hopping_) hopping_.emplace(scene_, options, law, hop_memory_.footholds);
  const auto most =
      options.max_collisions_per_body * static_cast<std::int64_t>(state.bodies.size());
  for (std::int64_t collisions = 0; state.t < t_end;) {
    find_contacts(state);
    if (const contact::Contact* contact = find_impacting()) {
      if (++collisions > most)
        return {AdvanceStatus::TooManyCollisions, contact->a, contact->b, contact->at};
      const AdvanceResult resolved = hop_together(law, state);
      if (!resolved.ok()) return resolved;
      continue;
    }
    const double dt = std::min(t_end - state.t, kJointStep);
    resting_contacts_.clear();
    if (const auto carried = carry_selected(state, dt); !carried.ok()) return carried;
    fly(state, dt);
    const Search first = find_first_impact();
    if (!first.result.ok()) return first.result;
    const bool last = !first.found && dt < kJointStep;
    follow(first.s, state);
    if (last) state.t = t_end;
  }
  return {};
}

// One impact of all contacts that touch, each with the restitution of its approach. What hardly
// approaches is lifted: it counts as approaching by half the hop speed more, elastically.
AdvanceResult Workbench::hop_together(const Law& law, State& state) {
  dynamics::compute_joint_rows(scene_, state, joint_rows_);
  assembler_.assemble(contacts_, joint_rows_, state, problem_);
  settled_.assign(problem_.islands.size(), false);
  double fastest_hop = 0;
  for (contact::ContactRow& row : problem_.contacts) {
    const contact::Contact& contact = contacts_[static_cast<std::size_t>(row.source)];
    const double hop = hopping_->hop_speed(contact.a, contact.b, contact.at.normal);
    fastest_hop = std::max(fastest_hop, hop);
    const double approach = -row.rate.x();
    row.restitution = impact::hop_restitution(approach, row.restitution, hop);
    if (approach > 0 && approach < impact::kLiftedBelow * hop) row.rate.x() -= 0.5 * hop;
  }
  const impact::ImpactResult result = resolve(law, problem_, impact_work_, impulses_);
  before_ = state;
  contact::apply_impulses(problem_, impulses_, state);
  const double gained = dynamics::compute_energy(scene_, state).kinetic -
                        dynamics::compute_energy(scene_, before_).kinetic;
  hop_memory_.vibration.energy_in += std::max(0.0, gained);
  record_impact(before_, state, result, fastest_hop);
  if (result.status != impact::ImpactStatus::Resolved) return {AdvanceStatus::ImpactDidNotEnd};
  return {};
}

}  // namespace carom::methods
