#include "carom/simulation/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <sstream>

#include "carom/base/check.h"
#include "carom/base/diagnostics.h"

namespace carom::simulation {

namespace {

// A recording holds about this many checkpoints over its length, at output times.
constexpr double kCheckpoints = 1000;

std::int64_t outputs_per_checkpoint(const Scene& scene) {
  const double outputs = scene.duration / scene.output_every;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(outputs / kCheckpoints)));
}

// The resting pairs and the audit's accumulators as bytes.
std::string pack(const methods::RestingPairs& resting, const std::string& audit) {
  const std::uint64_t count = resting.size();
  std::string bytes(sizeof(count) + count * sizeof(methods::BodyPair), '\0');
  std::memcpy(bytes.data(), &count, sizeof(count));
  if (count > 0)
    std::memcpy(bytes.data() + sizeof(count), resting.data(), bytes.size() - sizeof(count));
  return bytes + audit;
}

void unpack(const std::string& bytes, methods::RestingPairs& resting, audit::Audit& audit) {
  std::uint64_t count = 0;
  std::memcpy(&count, bytes.data(), sizeof(count));
  const std::size_t pairs = count * sizeof(methods::BodyPair);
  resting.resize(count);
  if (count > 0) std::memcpy(resting.data(), bytes.data() + sizeof(count), pairs);
  audit.restore(bytes.substr(sizeof(count) + pairs));
}

}  // namespace

std::string version() { return CAROM_VERSION; }

Simulation::Simulation(const Scene& scene, const RunOptions& options)
    : scene_(scene),
      options_(options),
      workers_(options.threads),
      recorder_(scene),
      method_(methods::make_method(scene)),
      bench_(scene, workers_, recorder_),
      state_(dynamics::make_initial_state(scene)) {
  refuse_overlap();
  recorder_.add(audit_);
}

void Simulation::refuse_overlap() {
  contact::Pairs pairs(scene_, workers_);
  const auto overlap = pairs.find_deepest_overlap(state_);
  if (overlap.depth <= scene_.tolerances.initial_overlap) return;
  std::ostringstream found;
  found << '"' << scene_.body(overlap.a).name << "\" and \"" << scene_.body(overlap.b).name
        << "\" overlapping by " << overlap.depth << " m at t = 0";
  throw base::BadInput(
      {{.place = "/bodies", .found = found.str(), .expected = "bodies that are apart or touch"}});
}

record::Summary Simulation::run() {
  recorder_.begin(state_);
  return advance_to_end();
}

record::Summary Simulation::resume(const record::Trace& past) {
  base::check(past.checkpoint.has_value(), "a run can only go on from a checkpoint");
  const record::Checkpoint& from = *past.checkpoint;
  replay(past);
  state_ = from.state;
  checkpoints_ = from.sequence;
  outputs_at_checkpoint_ = from.next_output;
  unpack(from.memory, bench_.resting(), audit_);
  recorder_.resume(from);
  return advance_to_end();
}

// The sinks see the same sequence as in the run that was interrupted. Only the last checkpoint is
// known; it stands in for the earlier ones, which later ones have overwritten anyway.
void Simulation::replay(const record::Trace& past) {
  recorder_.begin(past.outputs.front());
  for (std::int64_t i = 1; i < past.checkpoint->sequence; ++i)
    recorder_.checkpoint(*past.checkpoint);
  std::size_t event = 0;
  for (std::size_t i = 1; i < past.outputs_at_checkpoint; ++i) {
    while (event < past.events_before[i]) recorder_.event(past.events[event++]);
    recorder_.output(past.outputs[i]);
  }
  while (event < past.events_at_checkpoint) recorder_.event(past.events[event++]);
  recorder_.checkpoint(*past.checkpoint);
}

record::Summary Simulation::advance_to_end() {
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t interval = outputs_per_checkpoint(scene_);
  methods::AdvanceResult result;
  while (result.ok() && state_.t < scene_.duration) {
    if (options_.stop != nullptr && options_.stop->load()) break;
    result = advance_one_step();
    if (result.ok() && recorder_.next_output() - outputs_at_checkpoint_ >= interval)
      write_checkpoint();
  }
  if (result.ok()) write_checkpoint();
  wall_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const record::Summary summary = summarise(result);
  recorder_.end(state_, summary);
  return summary;
}

methods::AdvanceResult Simulation::advance_one_step() {
  const auto step = static_cast<double>(recorder_.counters().steps + 1);
  const double t_end = std::min(step * methods::step_of(scene_), scene_.duration);
  last_good_ = state_;
  methods::AdvanceResult result = methods::advance(method_, bench_, state_, t_end);
  if (!dynamics::is_finite(state_)) {
    state_ = last_good_;
    return {methods::AdvanceStatus::NotFinite};
  }
  if (result.ok()) recorder_.step_done();
  return result;
}

void Simulation::write_checkpoint() {
  outputs_at_checkpoint_ = recorder_.next_output();
  recorder_.checkpoint({state_, recorder_.counters(), recorder_.next_output(),
                        pack(bench_.resting(), audit_.save()), ++checkpoints_});
}

record::Summary Simulation::summarise(const methods::AdvanceResult& last) const {
  record::Summary summary;
  summary.version = version();
  summary.scene = scene_.name;
  summary.method = scene_.method.name;
  summary.impact = scene_.method.text("impact", methods::impact_law_names().front());
  summary.finished = last.ok() && state_.t >= scene_.duration;
  if (!last.ok()) summary.reason = methods::describe(last, scene_, state_.t);
  if (last.ok() && !summary.finished) summary.reason = "stopped on request";
  summary.simulated_seconds = state_.t;
  summary.wall_seconds = wall_seconds_;
  summary.counters = recorder_.counters();
  summary.audit = audit_.result();
  return summary;
}

}  // namespace carom::simulation
