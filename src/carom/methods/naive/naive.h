// The baseline that freezes (Drumwright, algorithm 1): every contact stops the step, resting ones
// too. At a Zeno point time no longer advances; the method notices, says where and stops: at
// what time, between which bodies, at which point and normal.
#pragma once

#include "carom/methods/shared/impact_treatment.h"
#include "carom/methods/shared/method_traits.h"
#include "carom/methods/shared/resting_forces.h"

namespace carom::methods {

struct Naive {
  impact::Law impact = impact::Sequential{};
  int max_treatments = 100'000;  // of contacts within one step, before it counts as a Zeno point
};
MethodTraits describe_naive();
Naive make_naive(const model::MethodSettings& settings, const impact::Law& law);

class NaiveStepper {
 public:
  NaiveStepper(StepContext& context, const Naive& options);

  AdvanceResult advance(State& state, double t_end);

  void forces_changed(const State&) {}
  void report(record::Summary&) const {}
  void save(std::string&) const {}  // nothing lasts from step to step
  void restore(std::string_view&) {}

 private:
  StepContext& context_;
  Naive options_;
  ContactLog log_;
  ImpactTreatment impacts_;
  RestingForces none_;
  FeatureContacts contacts_;
  Flight flight_;
};

}  // namespace carom::methods
