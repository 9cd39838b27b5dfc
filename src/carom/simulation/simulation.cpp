#include "carom/simulation/simulation.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <set>
#include <sstream>

#include "carom/audit/audit.h"
#include "carom/base/bytes.h"
#include "carom/base/check.h"
#include "carom/base/diagnostics.h"
#include "carom/base/workers.h"
#include "carom/methods/notes.h"
#include "carom/methods/stepper.h"
#include "carom/methods/stop_reasons.h"
#include "carom/record/recorder.h"
#include "carom/simulation/step_error.h"

namespace carom::simulation {

namespace {

// Checkpoints stand at every output at first and are spaced out as a run grows, so that there are
// never more than about a thousand and none is lost for long. When one is due depends on the
// outputs so far alone: a longer run has the same.
std::int64_t outputs_between_checkpoints(std::int64_t outputs) {
  constexpr std::int64_t kSpread = 512;
  return static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, outputs / kSpread))));
}

std::string format_time(double t) {
  std::ostringstream text;
  text.precision(12);
  text << t << " s";
  return text.str();
}

}  // namespace

std::string version() { return CAROM_VERSION; }

const model::MethodCatalog& catalog() { return methods::catalog(); }

class Simulation::Run {
 public:
  Run(const Scene& scene, const RunOptions& options);

  void add(record::Sink& sink) { recorder_.add(sink); }
  record::Summary run();
  record::Summary resume(const record::Trace& past);

 private:
  void refuse_overlap();
  void replay(const record::Trace& past);
  void replay_forces(const record::Trace& past, double t, std::size_t& next);
  record::Summary advance_to_end();
  methods::AdvanceResult advance_one_step();
  double end_of_step() const;
  void choose_step();
  void set_step(double length);
  bool is_checkpoint_due() const;
  void write_checkpoint(std::int64_t sequence);
  std::string remember() const;
  void recall(std::string_view bytes);
  void refuse_coverage(record::AuditCoverage recorded) const;
  record::Summary summarise(const methods::AdvanceResult& last) const;

  const Scene& scene_;
  std::vector<std::string> notes_;
  bool judges_step_;
  base::Workers workers_;
  record::Recorder recorder_;
  audit::Audit audit_;
  record::JudgedNumbers tolerated_;
  methods::Stepper stepper_;
  StepError step_error_;
  struct {              // automatic steps: number `count` ends at from + count · length
    double length = 0;  // s; 0: not yet chosen
    double from = 0;    // s
    std::int64_t count = 0;
  } automatic_;
  State state_, last_good_;
  std::string memory_;  // the stepper's, before a step
  std::int64_t checkpoints_ = 0;
  std::int64_t outputs_at_checkpoint_ = 0;
  double wall_seconds_ = 0;
};

namespace {

record::AuditCoverage coverage_of(const RunOptions& options) {
  using enum record::AuditCoverage;
  if (!options.audit) return Off;
  return options.samples_audit ? Sampled : Full;
}

}  // namespace

Simulation::Run::Run(const Scene& scene, const RunOptions& options)
    : scene_(scene),
      notes_(options.notes),
      judges_step_(options.step_error || methods::has_automatic_step(scene)),
      workers_(options.threads, base::Watched(options.watch)),
      recorder_(scene),
      audit_(coverage_of(options)),
      tolerated_(options.tolerated),
      stepper_(scene, workers_, recorder_),
      step_error_(scene, workers_),
      state_(dynamics::make_initial_state(scene)) {
  refuse_overlap();
  std::ranges::move(methods::notes_on(scene), std::back_inserter(notes_));
  if (options.audit) recorder_.add(audit_);
}

// Each two bodies once, as deep as they are anywhere, the deepest first.
void Simulation::Run::refuse_overlap() {
  contact::Pairs pairs(scene_, workers_);
  std::vector<base::Diagnostic> problems;
  std::set<std::pair<BodyId, BodyId>> told;
  for (const auto& overlap : pairs.find_overlaps(state_)) {
    if (overlap.depth <= scene_.tolerances.initial_overlap) break;
    if (!told.insert(std::minmax(overlap.a, overlap.b)).second) continue;
    std::ostringstream found;
    found << '"' << scene_.body(overlap.a).name << "\" and \"" << scene_.body(overlap.b).name
          << "\" overlapping by " << overlap.depth << " m at t = 0";
    problems.push_back(
        {.place = "/bodies",
         .found = found.str(),
         .expected = "bodies that are apart or touch (carom check SCENE --separate)"});
  }
  if (!problems.empty()) throw base::BadInput(std::move(problems));
}

record::Summary Simulation::Run::run() {
  recorder_.begin(state_);
  return advance_to_end();
}

record::Summary Simulation::Run::resume(const record::Trace& past) {
  if (!past.checkpoint) return run();  // stopped before the first
  const record::Checkpoint& from = *past.checkpoint;
  replay(past);
  state_ = from.state;
  recall(from.memory);
  recorder_.resume(from);
  return advance_to_end();
}

// Those of one output, from number `next` on.
void Simulation::Run::replay_forces(const record::Trace& past, double t, std::size_t& next) {
  std::vector<record::CarriedForce> forces;
  for (; next < past.forces.size() && past.forces[next].t <= t; ++next)
    forces.push_back(past.forces[next].force);
  recorder_.forces(t, forces);
}

// The sinks see the same sequence as in the run that was interrupted, but for earlier checkpoints.
void Simulation::Run::replay(const record::Trace& past) {
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

record::Summary Simulation::Run::advance_to_end() {
  const auto start = std::chrono::steady_clock::now();
  methods::AdvanceResult result = state_.t == 0 ? stepper_.begin(state_) : methods::AdvanceResult{};
  while (result.ok() && state_.t < scene_.duration) {
    if (workers_.watched().stopped()) break;
    result = advance_one_step();
    if (result.ok() && is_checkpoint_due()) {
      ++checkpoints_;
      outputs_at_checkpoint_ = recorder_.next_output();
      write_checkpoint(checkpoints_);
    }
  }
  if (result.ok() && recorder_.reads_outputs())
    write_checkpoint(checkpoints_ + 1);  // to go on from; the next due takes its place
  wall_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const record::Summary summary = summarise(result);
  recorder_.end(state_, summary);
  return summary;
}

bool Simulation::Run::is_checkpoint_due() const {
  if (!recorder_.reads_outputs()) return false;
  const std::int64_t outputs = recorder_.next_output();
  return outputs - outputs_at_checkpoint_ >= outputs_between_checkpoints(outputs);
}

double Simulation::Run::end_of_step() const {
  if (automatic_.length > 0) {
    const double t =
        automatic_.from + static_cast<double>(automatic_.count + 1) * automatic_.length;
    return std::min(t, scene_.duration);
  }
  return methods::end_of_step(scene_, state_.t, recorder_.next_output_time());
}

// Before a step: its error is judged now and then, and its length may follow from that.
void Simulation::Run::choose_step() {
  const std::int64_t number = recorder_.counters().steps + 1;
  const bool automatic = methods::has_automatic_step(scene_);
  const bool first = automatic && automatic_.length == 0;
  if (!judges_step_ || !(first || step_error_.is_due(number))) return;
  memory_.clear();
  stepper_.save(memory_);
  double length = automatic ? automatic_.length : methods::step_of(scene_);
  if (first) length = step_error_.choose_first(state_, memory_);
  step_error_.sample(number, state_, memory_, length);
  if (!automatic) return;
  length = step_error_.adapt(length);
  if (length == automatic_.length) return;
  automatic_ = {length, state_.t, 0};
  set_step(length);
}

void Simulation::Run::set_step(double length) {
  stepper_.set_step(length);
  step_error_.set_step(length);
}

methods::AdvanceResult Simulation::Run::advance_one_step() {
  choose_step();
  const double t_end = end_of_step();
  last_good_ = state_;
  methods::AdvanceResult result = stepper_.advance(state_, t_end);
  if (!dynamics::is_finite(state_)) {
    state_ = last_good_;
    result = {methods::AdvanceStatus::NotFinite};
  }
  if (!result.ok()) return stepper_.explain(result, state_);
  recorder_.step_done();
  ++automatic_.count;
  return stepper_.check_joints(state_);
}

void Simulation::Run::write_checkpoint(std::int64_t sequence) {
  recorder_.checkpoint(
      {state_, recorder_.counters(), recorder_.next_output(), remember(), sequence});
}

// What a checkpoint remembers beside the state: when checkpoints were due, what the recorder and
// the method keep between steps, and the audit's accumulators.
std::string Simulation::Run::remember() const {
  std::string bytes;
  base::append_bytes(bytes, checkpoints_);
  base::append_bytes(bytes, outputs_at_checkpoint_);
  recorder_.save(bytes);
  stepper_.save(bytes);
  base::append_bytes(bytes, automatic_.length);
  base::append_bytes(bytes, automatic_.from);
  base::append_bytes(bytes, automatic_.count);
  step_error_.save(bytes);
  return bytes + audit_.save();
}

void Simulation::Run::recall(std::string_view bytes) {
  base::take_bytes(bytes, checkpoints_);
  base::take_bytes(bytes, outputs_at_checkpoint_);
  recorder_.restore(bytes);
  stepper_.restore(bytes);
  base::take_bytes(bytes, automatic_.length);
  base::take_bytes(bytes, automatic_.from);
  base::take_bytes(bytes, automatic_.count);
  if (automatic_.length > 0) set_step(automatic_.length);
  step_error_.restore(bytes);
  refuse_coverage(audit_.find_coverage(bytes));
  audit_.restore(std::string(bytes));
}

// What was not judged is not known later; but to judge no more is always possible.
void Simulation::Run::refuse_coverage(record::AuditCoverage recorded) const {
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

record::Summary Simulation::Run::summarise(const methods::AdvanceResult& last) const {
  record::Summary summary;
  summary.version = version();
  summary.scene = scene_.name;
  summary.method = scene_.method.name;
  summary.impact = methods::impact_of(scene_);
  const bool asked = last.ok() || last.status == methods::AdvanceStatus::Stopped;
  summary.finished = last.ok() && state_.t >= scene_.duration;
  if (!summary.finished) {
    summary.reason = asked ? "on request at t = " + format_time(state_.t)
                           : methods::describe(last, scene_, state_.t);
  }
  summary.notes = notes_;
  summary.simulated_seconds = state_.t;
  summary.wall_seconds = wall_seconds_;
  stepper_.report(summary);
  summary.carried = recorder_.carried();
  summary.step_error = step_error_.result();
  summary.counters = recorder_.counters();
  summary.audit = audit_.result(tolerated_);
  return summary;
}

Simulation::Simulation(const Scene& scene, const RunOptions& options)
    : run_(std::make_unique<Run>(scene, options)) {}
Simulation::~Simulation() = default;

void Simulation::add(record::Sink& sink) { run_->add(sink); }

record::Summary Simulation::run() { return run_->run(); }

record::Summary Simulation::resume(const record::Trace& past) { return run_->resume(past); }

}  // namespace carom::simulation
