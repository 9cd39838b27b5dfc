// Joints that ask for the impossible: where a run begins, after a step, and after one that failed.
#pragma once

#include "carom/methods/shared/joint_fit.h"
#include "carom/methods/shared/joint_forces.h"
#include "carom/methods/shared/squeeze_check.h"

namespace carom::methods {

class JointCheck {
 public:
  explicit JointCheck(StepContext& context)
      : context_(context), scene_(context.scene), fit_(context.scene, context.workers) {}

  // Where a run begins: the impulse after which velocities fit the joints, recorded as an impact.
  AdvanceResult begin(State& state);
  // After a step: joints that have opened, if nothing closes them.
  AdvanceResult check(const State& state);
  // After a step that failed: why, if what joints or driven bodies ask for is impossible.
  AdvanceResult explain(const AdvanceResult& failure, const State& state);

 private:
  AdvanceResult check_accelerations(const State& state);
  void record_jerk(const State& before, const State& after);

  StepContext& context_;
  const Scene& scene_;
  JointFit fit_;
  SqueezeCheck squeeze_;
  State scratch_;
};

}  // namespace carom::methods
