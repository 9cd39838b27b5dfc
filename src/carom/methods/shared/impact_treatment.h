// treat-impacts of Drumwright's algorithms, for every method in which velocities jump: assemble the
// contacts, let the impact law resolve them, apply the impulses, tell the log.
//
// A bouncing ball with 0 < e < 1 bounces infinitely often in finite time. Where nothing in an
// island approaches faster than the rest speed, restitution is taken as zero, which ends the
// sequence, and the forces that will hold the island also bring it to rest. So do the
// crowds that the caller knows of.
#pragma once

#include "carom/contact/step_rates.h"
#include "carom/impact/laws/table.h"
#include "carom/methods/shared/contact_log.h"
#include "carom/methods/shared/crowd.h"
#include "carom/methods/shared/squeeze_check.h"

namespace carom::methods {

class ImpactTreatment {
 public:
  ImpactTreatment(StepContext& context, ContactLog& log);

  AdvanceResult treat(const impact::Law& law, const contact::ContactSet& contacts, State& state,
                      const Crowd* crowd = nullptr);

  // The impact without collision that stops contacts which slide and which no force can hold
  // (Painlevé's paradox), by the frictional law.
  AdvanceResult treat_jam(const contact::ContactSet& contacts, State& state);

  // Restitution and approach as a rule of the caller's makes them; `change` gets a row and the
  // contact it is of.
  template <typename Change>
  AdvanceResult treat_changed(const impact::Law& law, const contact::ContactSet& contacts,
                              const Change& change, double micro_below, State& state) {
    assemble(contacts, state);
    for (contact::ContactRow& row : problem_.contacts)
      change(row, contacts[static_cast<std::size_t>(row.source)]);
    settled_.assign(problem_.islands.size(), 0);
    return apply(resolve_by(law), contacts, micro_below, state);
  }

 private:
  void assemble(const contact::ContactSet& contacts, const State& state);
  void settle_slow_islands();
  void settle_crowds(const Crowd& crowd, const contact::ContactSet& contacts);
  std::span<const contact::ContactRow> rows_of(const contact::Island& island) const {
    return std::span(problem_.contacts)
        .subspan(static_cast<std::size_t>(island.first_contact),
                 static_cast<std::size_t>(island.contacts));
  }
  void take_restitution(const contact::Island& island);
  impact::ImpactResult resolve(const impact::Law& law);
  impact::ImpactResult resolve_by(const impact::Law& law);
  bool bring_to_rest();
  AdvanceResult apply(const impact::ImpactResult& result, const contact::ContactSet& contacts,
                      double micro_below, State& state);

  StepContext& context_;
  ContactLog& log_;
  contact::StepRates step_rates_;
  SqueezeCheck squeeze_;
  impact::ImpactWorkspace work_;
  std::vector<dynamics::JointRow> joint_rows_;
  contact::ContactProblem problem_;
  contact::Impulses impulses_, at_rest_;
  std::vector<char> settled_;        // per island: to be brought to rest
  std::vector<double> restitution_;  // per contact: none
  State before_;
};

}  // namespace carom::methods
