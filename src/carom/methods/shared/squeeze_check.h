// Bodies between others that nothing stops, such as a press and the floor: found, and told by their
// names, instead of an impulse that cannot exist.
#pragma once

#include <cmath>

#include "carom/methods/shared/step_context.h"
#include "carom/resting/squeeze.h"

namespace carom::methods {

class SqueezeCheck {
 public:
  // After impulses on `problem`, which was assembled from `contacts`, have led to `after`: what
  // still approaches beyond what its gap lets it close within `duration`, and why.
  AdvanceResult check(const Scene& scene, const contact::ContactSet& contacts,
                      contact::ContactProblem& problem, const State& after,
                      double duration = HUGE_VAL);

  // Among all that touches at `state`, or as good as.
  AdvanceResult find(StepContext& context, const State& state);

 private:
  resting::Squeeze squeeze_;
};

}  // namespace carom::methods
