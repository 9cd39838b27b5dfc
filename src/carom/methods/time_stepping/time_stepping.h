// One complementarity problem a step, friction included, and no event location (Anitescu & Potra
// 1997, the implicit method that Drumwright's is measured against). docs/methods/time-stepping.md
// tells the scheme:
//
//   1. contacts that may close within the step are found with their gaps
//   2. those that would close too fast are stopped at the start of the step, by Poisson's
//      compression and decompression; what that makes faster is looked at again
//   3. contact and joint forces of the step follow from the velocities at its end, constrained by
//      the gaps:  0 <= p_n ⟂ gap + h n·v⁺ >= 0
//   4. bodies move under these forces, held constant
#pragma once

#include "carom/methods/shared/closing_impacts.h"
#include "carom/methods/shared/method_traits.h"

namespace carom::methods {

struct TimeStepping {
  ClosingOptions closing;
};
MethodTraits describe_time_stepping();
TimeStepping make_time_stepping(const Scene& scene, double step);

class TimeSteppingStepper {
 public:
  TimeSteppingStepper(StepContext& context, const TimeStepping& options);

  void set_options(const TimeStepping& options) { options_ = options; }

  // One step from state.t to t_end.
  AdvanceResult advance(State& state, double t_end);

  void forces_changed(const State&) {}
  void report(record::Summary& summary) const { summary.force_residual = forces_.residual(); }
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

 private:
  StepContext& context_;
  TimeStepping options_;
  ContactLog log_;
  ClosingImpacts impacts_;
  RestingForces forces_;
  contact::ContactSet contacts_, pushing_;
  Flight flight_;
};

}  // namespace carom::methods
