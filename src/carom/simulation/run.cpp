#include "carom/simulation/run.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <set>
#include <sstream>

#include "carom/base/diagnostics.h"
#include "carom/methods/notes.h"
#include "carom/methods/stop_reasons.h"

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

record::AuditCoverage coverage_of(const RunOptions& options) {
  using enum record::AuditCoverage;
  if (!options.audit) return Off;
  return options.samples_audit ? Sampled : Full;
}

}  // namespace

Run::Run(Scene scene, const RunOptions& options)
    : scene_(methods::with_tolerances(std::move(scene))),
      notes_(options.notes),
      judges_step_(options.step_error || methods::has_automatic_step(scene_)),
      workers_(options.threads, base::Watched(options.watch)),
      recorder_(scene_),
      audit_(coverage_of(options)),
      tolerated_(options.tolerated),
      program_(scene_),
      stepper_(std::in_place, scene_, workers_, recorder_, &program_),
      step_error_(scene_, workers_, program_),
      last_call_(scene_),
      state_(dynamics::make_initial_state(scene_)) {
  refuse_overlap(state_);
  recorder_.watch(workers_.watched());
  std::ranges::move(methods::notes_on(scene_), std::back_inserter(notes_));
  if (options.audit) recorder_.add(audit_);
}

// Each two bodies once, as deep as they are anywhere, the deepest first; unless they are as deep
// already, as bodies are that methods let sink in.
void Run::refuse_overlap(const State& state, const State* now) {
  contact::Pairs pairs(scene_, workers_);
  std::map<std::pair<BodyId, BodyId>, double> allowed;
  if (now != nullptr)
    for (const auto& overlap : pairs.find_overlaps(*now))
      allowed.try_emplace(std::minmax(overlap.a, overlap.b), overlap.depth);
  std::vector<base::Diagnostic> problems;
  std::set<std::pair<BodyId, BodyId>> told;
  for (const auto& overlap : pairs.find_overlaps(state)) {
    if (overlap.depth <= scene_.tolerances.initial_overlap) break;
    const auto pair = std::minmax(overlap.a, overlap.b);
    const auto known = allowed.find(pair);
    if (known != allowed.end() && overlap.depth <= known->second) continue;
    if (!told.insert(pair).second) continue;
    std::ostringstream found;
    found << '"' << scene_.body(overlap.a).name << "\" and \"" << scene_.body(overlap.b).name
          << "\" overlapping by " << overlap.depth << " m at t = " << state.t;
    problems.push_back(
        {.place = "/bodies",
         .found = found.str(),
         .expected = "bodies that are apart or touch (carom check SCENE --separate)"});
  }
  if (!problems.empty()) throw base::BadInput(std::move(problems));
}

record::Summary Run::run() {
  begin();
  return advance_to_end();
}

void Run::begin() {
  if (std::exchange(begun_, true)) return;
  recorder_.begin(state_);
  started_ = stepper_->begin(state_);
}

record::Summary Run::advance_to_end() {
  methods::AdvanceResult result = started_;
  while (result.ok() && state_.t < scene_.duration && !workers_.watched().stopped())
    result = advance_one_step(scene_.duration);
  if (result.ok() && recorder_.reads_outputs())  // to go on from; the next due takes its place
    recorder_.checkpoint(make_checkpoint(checkpoints_ + 1));
  const record::Summary summary = summarise(result);
  recorder_.end(state_, summary);
  return summary;
}

bool Run::is_checkpoint_due() const {
  if (!recorder_.reads_outputs()) return false;
  const std::int64_t outputs = recorder_.next_output();
  return outputs - outputs_at_checkpoint_ >= outputs_between_checkpoints(outputs);
}

double Run::end_of_automatic_step() const {
  return automatic_.from + static_cast<double>(automatic_.count + 1) * automatic_.length;
}

double Run::end_of_step(double horizon) const {
  if (automatic_.length > 0) return std::min(end_of_automatic_step(), horizon);
  return methods::end_of_step(scene_, state_.t, recorder_.next_output_time(), horizon);
}

// Before a step: its error is judged now and then, and its length may follow from that.
void Run::choose_step() {
  const std::int64_t number = recorder_.counters().steps + 1;
  const bool automatic = methods::has_automatic_step(scene_);
  const bool first = automatic && automatic_.length == 0;
  if (!judges_step_ || !(first || step_error_.is_due(number))) return;
  memory_.clear();
  stepper_->save(memory_);
  double length = automatic ? automatic_.length : methods::step_of(scene_);
  if (first) length = step_error_.choose_first(state_, memory_);
  step_error_.sample(number, state_, memory_, length);
  if (!automatic) return;
  length = step_error_.adapt(length);
  if (length == automatic_.length) return;
  automatic_ = {length, state_.t, 0};
  set_step(length);
}

void Run::set_step(double length) {
  stepper_->set_step(length);
  step_error_.set_step(length);
}

methods::AdvanceResult Run::advance_one_step(double horizon, bool pauses) {
  const auto start = std::chrono::steady_clock::now();
  choose_step();
  double t_end = end_of_step(horizon);
  if (pauses && !methods::pauses_at_events(scene_)) t_end = find_event(t_end);
  recorder_.extend(t_end);
  last_good_ = state_;
  methods::AdvanceResult result = stepper_->advance(state_, t_end, pauses);
  if (!dynamics::is_finite(state_)) {
    state_ = last_good_;
    result = {methods::AdvanceStatus::NotFinite};
  }
  if (result.ok()) {
    recorder_.step_done();
    if (state_.t >= end_of_automatic_step()) ++automatic_.count;
    result = stepper_->check_joints(state_);
  } else {
    result = stepper_->explain(result, state_);
    // Stopped among its outputs a step counts from where they are all there.
    const bool is_stopped = result.status == methods::AdvanceStatus::Stopped;
    if (is_stopped && recorder_.next_output_time() < state_.t) state_ = last_good_;
  }
  if (result.ok() && is_checkpoint_due()) {
    outputs_at_checkpoint_ = recorder_.next_output();
    ++checkpoints_;
    recorder_.checkpoint(make_checkpoint(checkpoints_));
  }
  wall_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

record::Summary Run::summarise(const methods::AdvanceResult& last) const {
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
  stepper_->report(summary);
  summary.carried = recorder_.carried();
  summary.step_error = step_error_.result();
  summary.counters = recorder_.counters();
  summary.fallbacks = recorder_.fallbacks();
  summary.audit = audit_.result(tolerated_);
  return summary;
}

}  // namespace carom::simulation
