// Contact forces in closed form between located collisions (Baraff). Bodies at rest on one another
// move under the forces that keep them from sinking into each other, found anew at every evaluation
// of an integrator with error control (force_integrator.h); collisions end the step and are
// resolved by the impact law. docs/methods/analytic.md tells the scheme and its departures.
#pragma once

#include "carom/methods/analytic/force_integrator.h"
#include "carom/methods/shared/impact_treatment.h"
#include "carom/methods/shared/method_traits.h"
#include "carom/methods/shared/resting_forces.h"

namespace carom::methods {

struct Analytic {
  impact::Law impact = impact::Simultaneous{};
  IntegratorOptions motion{};
  int max_impacts_per_step = 100'000;
};
MethodTraits describe_analytic();
Analytic make_analytic(const model::MethodSettings& settings, const impact::Law& law);

class AnalyticStepper {
 public:
  AnalyticStepper(StepContext& context, const Analytic& options);

  // One step, as long as its error and the next event allow, impacts at its start included; not
  // beyond t_end. On failure `state` is the last good one.
  AdvanceResult advance(State& state, double t_end);

  void forces_changed(const State&) { integrator_.restart(); }
  void report(record::Summary& summary) const { summary.forces = integrator_.counts(); }
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  AdvanceResult treat_impacts(State& state);
  AdvanceResult move(State& state, double t_end);
  AdvanceResult integrate(State& state, double t_end);
  double longest_instead(const TimeOfContact& toc, bool once_more) const;
  AdvanceResult carry(State& state, double t_end);
  void stop_opening(State& state);

  StepContext& context_;
  Analytic options_;
  ContactLog log_;
  ImpactTreatment impacts_;
  ForceIntegrator integrator_;
  RestingForces carried_;
  FeatureContacts contacts_, resting_;
  Flight flight_;
  State before_;
  double crowded_from_ = -HUGE_VAL;  // s
  int steps_ = 0;                    // steps since then
};

}  // namespace carom::methods
