// A method at work on one scene: it advances a state, says what it has to report, and is saved and
// restored bit for bit. Each method keeps its own state and memory; nothing here knows what that
// is.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "carom/methods/microcollision_frames.h"
#include "carom/methods/registry.h"
#include "carom/methods/shared/joint_check.h"

namespace carom::methods {

class Stepper {
 public:
  // The scene's method (make_method), for steps of the scene's length. All must outlive this.
  Stepper(const Scene& scene, base::Workers& workers, record::Recorder& recorder,
          const dynamics::ProgramForces* program = nullptr);

  // From state.t, at the furthest to t_end (end_of_step). On failure `state` is the last good one.
  // Where it pauses, methods that can (pauses_at_events) go no further than to just after the first
  // event.
  AdvanceResult advance(State& state, double t_end, bool pauses = false);

  // Where a run begins, after a step, and after one that failed (shared/joint_check.h).
  AdvanceResult begin(State& state) { return joints_.begin(state); }
  AdvanceResult check_joints(const State& state) { return joints_.check(state); }
  AdvanceResult explain(const AdvanceResult& failure, const State& state) {
    return joints_.explain(failure, state);
  }

  // What the program applies is another from `state` on.
  void forces_changed(const State& state);

  void set_step(double step);  // of methods with automatic steps

  void report(record::Summary& summary) const;

  // What is kept from step to step, as bytes, behind the method's name and a version.
  void save(std::string& bytes) const;
  void restore(std::string_view& bytes);

  template <typename Of>
  const Of* find() const {  // the method's own stepper, if it is of this type
    const auto* held = std::get_if<std::unique_ptr<Of>>(&method_);
    return held ? held->get() : nullptr;
  }

 private:
  StepContext context_;
  JointCheck joints_;
  std::variant<std::unique_ptr<ZenoFreeStepper>, std::unique_ptr<NaiveStepper>,
               std::unique_ptr<TimeSteppingStepper>, std::unique_ptr<AnalyticStepper>,
               std::unique_ptr<MicrocollisionFrames>, std::unique_ptr<ElasticStepper>>
      method_;
};

}  // namespace carom::methods
