// Microcollisions of bodies that joints connect or forces push: they move together, under forces
// that are constant for a while, and all others with them, on one clock.
#pragma once

#include "carom/methods/microcollision/collision_law.h"
#include "carom/methods/shared/impact_treatment.h"
#include "carom/methods/shared/resting_forces.h"

namespace carom::methods {

class JointedMicrocollisions {
 public:
  JointedMicrocollisions(StepContext& context, ImpactTreatment& impacts,
                         const ClockOptions& options, MicrocollisionMemory& memory);

  AdvanceResult advance(const impact::Law& law, State& state, double t_end);

 private:
  AdvanceResult fly(const State& state, double dt, TimeOfContact& toc);
  AdvanceResult collide(const impact::Law& law, State& state);

  StepContext& context_;
  ImpactTreatment& impacts_;
  ClockOptions options_;
  HopRule rule_;
  MicrocollisionMemory& memory_;
  RestingForces joints_;
  FeatureContacts contacts_;
  const FeatureContacts none_;
  Flight flight_;
};

}  // namespace carom::methods
