// Impacts at the start of a step of what would close by more than its gap within it, found together
// and ahead of their times: by compression and decompression where contacts bounce (Poisson), and
// so that gaps at most close where they do not.
#pragma once

#include "carom/methods/shared/contact_log.h"
#include "carom/methods/shared/resting_forces.h"
#include "carom/methods/shared/squeeze_check.h"

namespace carom::methods {

// Thresholds and rates go by the step that was asked for, so that one cut short by the end of a run
// differs in its length alone.
struct ClosingOptions {
  resting::ForceOptions forces = {};
  double step = 0;                 // s; as asked for
  double impact_speed = 0;         // m/s; slower contacts do not bounce
  std::span<const char> marked{};  // these two: contact::NearOptions'
  double fastest = HUGE_VAL;
  double room = 0;  // m; gaps of bodies that are marked are taken to be less by this
};

class ClosingImpacts {
 public:
  ClosingImpacts(StepContext& context, ContactLog& log)
      : context_(context), log_(log), step_rates_(context.scene) {}

  // All that may come to touch; `forces` tell what else acts.
  void find_near(const ClosingOptions& options, double duration, RestingForces& forces,
                 const State& state, contact::ContactSet& contacts);

  // Of what closes within `duration` from `state`, which gets the impulses. `contacts` are then all
  // that may come to touch; `forces` tell what else acts.
  AdvanceResult stop_closing(const ClosingOptions& options, double duration, RestingForces& forces,
                             State& state, contact::ContactSet& contacts);

 private:
  double made_faster(double duration, const State& state) const;
  bool select_closing(const ClosingOptions& options, double duration);
  AdvanceResult stop_once(const ClosingOptions& options, double duration, RestingForces& forces,
                          State& state, contact::ContactSet& contacts);

  StepContext& context_;
  ContactLog& log_;
  SqueezeCheck squeeze_;
  contact::StepRates step_rates_;
  std::vector<dynamics::JointRow> joint_rows_;
  contact::ContactProblem problem_;
  contact::Impulses impulses_;
  std::vector<char> closing_, settled_;  // per island
  std::vector<double> restitution_;      // per contact
  State before_;
};

}  // namespace carom::methods
