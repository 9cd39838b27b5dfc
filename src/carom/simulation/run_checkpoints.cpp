// What a run remembers in its checkpoints, and how it goes on from one.
#include "carom/base/bytes.h"
#include "carom/base/diagnostics.h"
#include "carom/simulation/run.h"

namespace carom::simulation {

record::Summary Run::resume(const record::Trace& past) {
  if (!past.checkpoint) return run();  // stopped before the first
  const record::Checkpoint& from = *past.checkpoint;
  replay(past);
  state_ = from.state;
  recall(from.memory);
  recorder_.resume(from);
  begun_ = true;
  if (state_.t == 0) started_ = stepper_->begin(state_);
  return advance_to_end();
}

// Those of one output, from number `next` on.
void Run::replay_forces(const record::Trace& past, double t, std::size_t& next) {
  std::vector<record::CarriedForce> forces;
  for (; next < past.forces.size() && past.forces[next].t <= t; ++next)
    forces.push_back(past.forces[next].force);
  recorder_.forces(t, forces);
}

// The sinks see the same sequence as in the run that was interrupted, but for earlier checkpoints.
void Run::replay(const record::Trace& past) {
  recorder_.begin(past.outputs.front());
  const double start = past.outputs.front().t;
  std::size_t event = 0, force = 0;
  while (event < past.events_at_checkpoint && past.events[event].t <= start)
    recorder_.event(past.events[event++]);
  replay_forces(past, start, force);
  for (std::size_t i = 1; i < past.outputs_at_checkpoint; ++i) {
    workers_.watched().poll(past.outputs[i].t);
    while (event < past.events_before[i]) recorder_.event(past.events[event++]);
    recorder_.output(past.outputs[i]);
    replay_forces(past, past.outputs[i].t, force);
  }
  while (event < past.events_at_checkpoint) recorder_.event(past.events[event++]);
  recorder_.checkpoint(*past.checkpoint);
}

record::Checkpoint Run::make_checkpoint(std::int64_t sequence) const {
  return {state_, recorder_.counters(), recorder_.next_output(), remember(), sequence};
}

// What a checkpoint remembers beside the state: when checkpoints were due, what the recorder and
// the method keep between steps, and the audit's accumulators.
std::string Run::remember() const {
  std::string bytes;
  base::append_bytes(bytes, checkpoints_);
  base::append_bytes(bytes, outputs_at_checkpoint_);
  recorder_.save(bytes);
  program_.save(bytes);
  stepper_->save(bytes);
  base::append_bytes(bytes, automatic_.length);
  base::append_bytes(bytes, automatic_.from);
  base::append_bytes(bytes, automatic_.count);
  step_error_.save(bytes);
  return bytes + audit_.save();
}

void Run::recall(std::string_view bytes) {
  base::take_bytes(bytes, checkpoints_);
  base::take_bytes(bytes, outputs_at_checkpoint_);
  recorder_.restore(bytes);
  program_.restore(bytes);
  stepper_->restore(bytes);
  base::take_bytes(bytes, automatic_.length);
  base::take_bytes(bytes, automatic_.from);
  base::take_bytes(bytes, automatic_.count);
  if (automatic_.length > 0) set_step(automatic_.length);
  step_error_.restore(bytes);
  refuse_coverage(audit_.find_coverage(bytes));
  audit_.restore(std::string(bytes));
}

// What was not judged is not known later; but to judge no more is always possible.
void Run::refuse_coverage(record::AuditCoverage recorded) const {
  const auto name = [](record::AuditCoverage coverage) {
    return std::string(record::kAuditCoverageNames[static_cast<std::size_t>(coverage)]);
  };
  const record::AuditCoverage wanted = audit_.coverage();
  if (wanted == recorded || wanted == record::AuditCoverage::Off) return;
  throw base::BadInput({{.place = "--audit",
                         .found = name(wanted),
                         .expected = name(recorded) + ", as in the recording" +
                                     (recorded == record::AuditCoverage::Off ? "" : ", or off")}});
}

}  // namespace carom::simulation
