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
                                     State& state) {
  assemble(contacts, state);
  settle_slow_islands();
  const impact::ImpactResult result = bring_to_rest()
                                          ? impact::ImpactResult{.iterations = 1}
                                          : impact::resolve(law, problem_, work_, impulses_);
  AdvanceResult applied = apply(result, contacts, 0, state);
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
    const auto rows = std::span(problem_.contacts)
                          .subspan(static_cast<std::size_t>(island.first_contact),
                                   static_cast<std::size_t>(island.contacts));
    const double slow = rows.size() > 1 ? tolerances.rocking : tolerances.rest_speed;
    const bool settled = std::all_of(rows.begin(), rows.end(),
                                     [&](const ContactRow& row) { return row.rate.x() >= -slow; });
    if (!settled) continue;
    settled_[i] = 1;
    for (ContactRow& row : rows) row.restitution = 0;
  }
}

// Normal and friction impulses together: a law that adds friction after the normal response lifts
// what it has just stopped, by a part of the speed, and the sequence would go on. Friction opposes
// the slip that is left at the end, whatever it was before: against the slip of the start it would
// go on pushing what it has reversed, and put energy in.
bool ImpactTreatment::bring_to_rest() {
  if (!std::all_of(settled_.begin(), settled_.end(), [](char settled) { return settled != 0; }))
    return false;
  impulses_.contacts.assign(problem_.contacts.size(), Vec3::Zero());
  return context_.carrier.carry(problem_, step_rates_.present(problem_), HUGE_VAL, {}, impulses_)
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
