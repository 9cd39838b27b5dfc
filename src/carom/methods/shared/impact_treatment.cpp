#include "carom/methods/shared/impact_treatment.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

using contact::ContactRow;

ImpactTreatment::ImpactTreatment(StepContext& context, ContactLog& log)
    : context_(context), log_(log), step_rates_(context.scene) {
  work_.watch(context.workers.watched());
}

AdvanceResult ImpactTreatment::treat(const impact::Law& law, const contact::ContactSet& contacts,
                                     State& state, const Crowd* crowd) {
  assemble(contacts, state);
  settle_slow_islands();
  if (crowd != nullptr) settle_crowds(*crowd, contacts);
  AdvanceResult applied = apply(resolve(law), contacts, 0, state);
  AdvanceResult squeezed = squeeze_.check(context_.scene, contacts, problem_, state);
  return squeezed.ok() ? applied : squeezed;
}

AdvanceResult ImpactTreatment::treat_jam(const contact::ContactSet& contacts, State& state) {
  const auto as_weight_will = [&](ContactRow& row, const contact::Contact&) {
    row.rate.x() = std::min(row.rate.x(), -2 * context_.scene.tolerances.velocity);
    row.restitution = 0;
  };
  return treat_changed(impact::Frictional{}, contacts, as_weight_will, 0, state);
}

void ImpactTreatment::assemble(const contact::ContactSet& contacts, const State& state) {
  dynamics::compute_joint_rows(context_.scene, state, joint_rows_);
  context_.assembler.assemble(contacts, joint_rows_, state, problem_);
}

void ImpactTreatment::settle_slow_islands() {
  const base::Tolerances& tolerances = context_.scene.tolerances;
  settled_.assign(problem_.islands.size(), 0);
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    const contact::Island& island = problem_.islands[i];
    const auto rows = rows_of(island);
    const double slow = rows.size() > 1 ? tolerances.rocking : tolerances.rest_speed;
    const bool settled = std::all_of(rows.begin(), rows.end(),
                                     [&](const ContactRow& row) { return row.rate.x() >= -slow; });
    if (!settled) continue;
    settled_[i] = 1;
    take_restitution(island);
  }
}

void ImpactTreatment::take_restitution(const contact::Island& island) {
  for (std::int32_t k = 0; k < island.contacts; ++k)
    problem_.contacts[island.contact(k)].restitution = 0;
}

void ImpactTreatment::settle_crowds(const Crowd& crowd, const contact::ContactSet& contacts) {
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    bool crowded = false, two_move = false;
    double fastest = 0, bounce = 0;  // m/s
    for (const ContactRow& row : rows_of(problem_.islands[i])) {
      const double approach = -row.rate.x();
      crowded |= approach > 0 && crowd.is_hit_often(contacts[static_cast<std::size_t>(row.source)]);
      two_move |= row.a.block >= 0 && row.b.block >= 0;
      fastest = std::max(fastest, approach);
      bounce = std::max(bounce, row.restitution * approach);
    }
    if (settled_[i] != 0 || !crowded || !two_move || fastest > crowd.fast()) continue;
    context_.recorder.fallback(record::Rung::InelasticCrowd, bounce);
    settled_[i] = 1;
    take_restitution(problem_.islands[i]);
  }
}

// Islands that settle, if they can be brought to rest; the others, and all where that fails, by the
// law.
impact::ImpactResult ImpactTreatment::resolve(const impact::Law& law) {
  const bool rested = bring_to_rest();
  const bool all =
      std::all_of(settled_.begin(), settled_.end(), [](char settled) { return settled != 0; });
  if (rested && all) {
    std::swap(impulses_, at_rest_);
    return {.iterations = 1};
  }
  const impact::ImpactResult result = resolve_by(law);
  if (!rested) return result;
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    if (settled_[i] == 0) continue;
    const contact::Island& island = problem_.islands[i];
    for (std::int32_t k = 0; k < island.contacts; ++k)
      impulses_.contacts[island.contact(k)] = at_rest_.contacts[island.contact(k)];
    for (std::int32_t k = 0; k < island.contacts && !impulses_.couples.empty(); ++k)
      impulses_.couples[island.contact(k)] = at_rest_.couples[island.contact(k)];
    for (std::int32_t k = 0; k < island.equalities; ++k)
      impulses_.equalities[island.equality(k)] = at_rest_.equalities[island.equality(k)];
  }
  return result;
}

// Laws know of points alone; couples follow on what they have found.
impact::ImpactResult ImpactTreatment::resolve_by(const impact::Law& law) {
  const impact::ImpactResult result = impact::resolve(law, problem_, work_, impulses_);
  context_.carrier.resist_turning(problem_, step_rates_.present(problem_), impulses_);
  return result;
}

// Normal and friction impulses together: a law that adds friction after the normal response lifts
// what it has just stopped, by a part of the speed, and the sequence would go on. Friction opposes
// the slip that is left at the end, whatever it was before: against the slip of the start it would
// go on pushing what it has reversed, and put energy in.
bool ImpactTreatment::bring_to_rest() {
  if (std::find(settled_.begin(), settled_.end(), 1) == settled_.end()) return false;
  at_rest_.contacts.assign(problem_.contacts.size(), Vec3::Zero());
  restitution_.assign(problem_.contacts.size(), 0);
  return context_.carrier
             .collide(problem_, step_rates_.present(problem_), settled_, restitution_, {}, at_rest_)
             .residual <= context_.scene.tolerances.velocity;
}

AdvanceResult ImpactTreatment::apply(const impact::ImpactResult& result,
                                     const contact::ContactSet& contacts, double micro_below,
                                     State& state) {
  before_ = state;
  contact::apply_impulses(problem_, impulses_, state);
  log_.record_impact({contacts,
                      {joint_rows_, problem_, impulses_},
                      before_,
                      state,
                      result,
                      settled_,
                      micro_below});
  if (result.status == impact::ImpactStatus::Resolved) return {};
  return {AdvanceStatus::ImpactDidNotEnd, contacts.front().a, contacts.front().b};
}

}  // namespace carom::methods
