// The inside of a simulation: the method at work, the audit and the recorder, and what a checkpoint
// remembers of them.
#pragma once

#include <optional>

#include "carom/audit/audit.h"
#include "carom/base/workers.h"
#include "carom/methods/stepper.h"
#include "carom/record/recorder.h"
#include "carom/simulation/last_call.h"
#include "carom/simulation/simulation.h"
#include "carom/simulation/step_error.h"

namespace carom::simulation {

class Run {
 public:
  Run(Scene scene, const RunOptions& options);

  const Scene& scene() const { return scene_; }
  const State& state() const { return state_; }
  void add(record::Sink& sink) { recorder_.add(sink); }

  record::Summary run();
  record::Summary resume(const record::Trace& past);

  Progress step();
  Progress advance_to(double t);
  Progress advance_to_next_event(double latest);
  void set_state(const State& state);
  void apply_wrench(BodyId body, const AppliedWrench& wrench, Lasting lasting);
  void set_force_law(std::vector<BodyId> bodies, dynamics::ForceLaw law);
  const LastCall& last_call() const { return last_call_; }
  std::span<const record::CarriedForce> forces();  // at the end of that
  const contact::ContactSet& contacts();
  record::Summary summarise(const methods::AdvanceResult& last = {}) const;

  std::string save();
  void restore(std::string_view bytes);

 private:
  void refuse_overlap(const State& state, const State* now = nullptr);
  void begin();
  void begin_call();  // of step() and its like
  Progress end_call(const methods::AdvanceResult& result);
  void check_pushed(BodyId body, std::string_view by) const;
  Progress progress_of(const methods::AdvanceResult& result) const;
  record::Summary advance_to_end();
  // To the end of a step, at the furthest to `horizon`; and at the furthest to the next event.
  methods::AdvanceResult advance_one_step(double horizon, bool pauses = false);
  double end_of_automatic_step() const;
  double end_of_step(double horizon) const;
  double find_event(double t_end);  // the time just after the first, or t_end
  void choose_step();
  void set_step(double length);
  bool is_checkpoint_due() const;

  // run_checkpoints.cpp
  void replay(const record::Trace& past);
  void replay_forces(const record::Trace& past, double t, std::size_t& next);
  record::Checkpoint make_checkpoint(std::int64_t sequence) const;
  std::string remember() const;
  void recall(std::string_view bytes);
  void refuse_coverage(record::AuditCoverage recorded) const;

  Scene scene_;
  std::vector<std::string> notes_;
  bool judges_step_;
  base::Workers workers_;
  record::Recorder recorder_;
  audit::Audit audit_;
  record::JudgedNumbers tolerated_;
  dynamics::ProgramForces program_;
  std::optional<methods::Stepper> stepper_;
  StepError step_error_;
  std::optional<contact::Pairs> pairs_;  // for contacts(), which must not touch the method's
  contact::ContactSet contacts_;
  struct {              // automatic steps: number `count` ends at from + count · length
    double length = 0;  // s; 0: not yet chosen
    double from = 0;    // s
    std::int64_t count = 0;
  } automatic_;
  bool begun_ = false;
  bool is_stepped_ = false;         // by a program that may ask for last_call_
  methods::AdvanceResult started_;  // how the first moment went
  LastCall last_call_;
  State state_, last_good_;
  std::string memory_;  // the stepper's, before a step
  std::int64_t checkpoints_ = 0;
  std::int64_t outputs_at_checkpoint_ = 0;
  double wall_seconds_ = 0;
};

}  // namespace carom::simulation
