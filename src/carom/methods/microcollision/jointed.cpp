#include "carom/methods/microcollision/jointed.h"

#include <algorithm>

#include "carom/dynamics/energy.h"

namespace carom::methods {

namespace {

constexpr double kJointStep = 1e-3;  // s; joint forces are constant for so long
constexpr int kMaxShortenings = 8;   // of a flight in which motors reach their speeds
constexpr int kMaxCuts = 4;

}  // namespace

JointedMicrocollisions::JointedMicrocollisions(StepContext& context, ImpactTreatment& impacts,
                                               const ClockOptions& options,
                                               MicrocollisionMemory& memory)
    : context_(context),
      impacts_(impacts),
      options_(options),
      rule_(make_hop_rule(context.scene, options)),
      memory_(memory),
      joints_(context) {
  joints_.begin_step(kJointStep);
}

AdvanceResult JointedMicrocollisions::advance(const impact::Law& law, State& state, double t_end) {
  const auto most =
      options_.max_collisions_per_body * static_cast<std::int64_t>(state.bodies.size());
  for (std::int64_t collisions = 0; state.t < t_end;) {
    find_contacts(context_, state, contacts_);
    if (const contact::Contact* contact = first_approaching(contacts_.set, context_.scene)) {
      if (++collisions > most)
        return {AdvanceStatus::TooManyCollisions, contact->a, contact->b, contact->at};
      const AdvanceResult treated = collide(law, state);
      if (!treated.ok()) return treated;
      continue;
    }
    const double dt = std::min(t_end - state.t, kJointStep);
    TimeOfContact toc;
    if (const AdvanceResult flown = fly(state, dt, toc); !flown.ok()) return flown;
    const bool last = !toc.found && toc.s == dt && dt < kJointStep;
    joints_.follow(toc.s, flight_, state);
    if (last) state.t = t_end;
  }
  return {};
}

// Under forces of joints that are constant, found again for the part that is flown where an impact
// ends it early: their levers are those of another duration, as forces that are applied are.
AdvanceResult JointedMicrocollisions::fly(const State& state, double dt, TimeOfContact& toc) {
  for (int cuts = 0;; ++cuts) {
    HeldStep held = joints_.solve(state, none_, dt);
    for (int i = 0; i < kMaxShortenings && held.result.ok() && held.sliding_ends_at < 1; ++i)
      held = joints_.solve(state, none_, dt *= held.sliding_ends_at);
    if (!held.result.ok()) return held.result;
    joints_.fly(state, dt, flight_);
    toc = find_toc(context_, flight_);
    if (!toc.result.ok()) return toc.result;
    const bool depends = joints_.are_applied() || joints_.holds_moving();
    if (!depends || !is_cut_short(toc.s, dt) || cuts == kMaxCuts) return {};
    dt = toc.s;
  }
}

// One impact of all contacts that touch, each with the restitution of its approach. What hardly
// approaches is lifted: it counts as approaching by half the hop speed more, elastically.
AdvanceResult JointedMicrocollisions::collide(const impact::Law& law, State& state) {
  const Scene& scene = context_.scene;
  const auto hop_speed = [&](const contact::Contact& contact) {
    return rule_.speed(std::min(scene.body(contact.a).radius, scene.body(contact.b).radius),
                       contact.at.normal);
  };
  double fastest = 0;
  for (const contact::Contact& contact : contacts_.set)
    fastest = std::max(fastest, hop_speed(contact));
  const auto lift = [&](contact::ContactRow& row, const contact::Contact& contact) {
    const double approach = -row.rate.x(), hop = hop_speed(contact);
    row.restitution = impact::hop_restitution(approach, row.restitution, hop);
    if (approach > 0 && approach < impact::kLiftedBelow * hop) row.rate.x() -= 0.5 * hop;
  };
  const double before = dynamics::compute_energy(scene, state).kinetic;
  const AdvanceResult result = impacts_.treat_changed(law, contacts_.set, lift, fastest, state);
  const double gained = dynamics::compute_energy(scene, state).kinetic - before;
  memory_.vibration.energy_in += std::max(0.0, gained);
  return result;
}

}  // namespace carom::methods
