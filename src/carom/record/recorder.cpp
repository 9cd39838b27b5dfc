#include "carom/record/recorder.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "carom/base/bytes.h"
#include "carom/record/acting_forces.h"

namespace carom::record {

namespace {

// An output time that a step's end misses by round-off still belongs to that step.
constexpr double kOutputSlack = 1e-9;

}  // namespace

bool Recorder::reads_outputs() const { return std::ranges::any_of(sinks_, &Sink::reads_outputs); }

void Recorder::begin(const State& initial) {
  for (Sink* sink : sinks_) sink->begin(scene_);
  next_output_ = 1;
  output(initial);
}

void Recorder::resume(const Checkpoint& checkpoint) {
  counters_ = checkpoint.counters;
  next_output_ = checkpoint.next_output;
  last_output_ = static_cast<double>(next_output_ - 1) * scene_.output_every;
  first_forces_told_ = true;
}

void Recorder::output(const State& state) {
  last_output_ = state.t;
  for (Sink* sink : sinks_) sink->output(state);
}

void Recorder::set(const State& before, const State& after) {
  for (Sink* sink : sinks_) sink->set(before, after);
}

void Recorder::forces(double t, std::span<const CarriedForce> forces) {
  for (Sink* sink : sinks_) sink->forces(t, forces);
}

void Recorder::sample(const Flight& flight, double s, const Forces& forces) {
  flight.state_at(s, sample_);
  const double fraction = flight.duration > 0 ? s / flight.duration : 0;
  acting_.clear();
  append_acting_forces(scene_, forces, fraction, sample_, acting_);
}

// What acts at the frame's start, or at its end.
void Recorder::compute_forces(const Frame& frame, const State& at) {
  acting_.clear();
  for (const ClusterSegment& segment : frame.segments) {
    if (segment.t0 == at.t) append_acting_forces(scene_, segment.forces, 0, at, acting_);
    if (segment.t1 == at.t) append_acting_forces(scene_, segment.forces, 1, at, acting_);
  }
  std::ranges::stable_sort(acting_, {}, [](const CarriedForce& force) {
    return std::tuple(force.joint, force.a, force.b);
  });
}

// What acts from the start on is known when time first moves on.
void Recorder::tell_first_forces(const Flight& flight, const Forces& forces) {
  if (first_forces_told_ || flight.duration <= 0) return;
  first_forces_told_ = true;
  sample(flight, 0, forces);
  this->forces(flight.t0, acting_);
}

void Recorder::tell_first_forces(const Frame& frame) {
  if (first_forces_told_ || frame.duration() <= 0) return;
  first_forces_told_ = true;
  compute_forces(frame, frame.start);
  forces(frame.start.t, acting_);
}

double Recorder::next_output_time() const {
  return static_cast<double>(next_output_) * scene_.output_every;
}

bool Recorder::is_output_due(double end) const {
  const double t = next_output_time();
  return t <= end + kOutputSlack * scene_.output_every && t <= until_ * (1 + kOutputSlack);
}

void Recorder::flown(Flight& flight, double duration, const Forces& forces) {
  flight.duration = duration;
  for (Sink* sink : sinks_) sink->segment({flight, forces});
  if (!sinks_.empty()) carried_.add(flight.t0, duration, forces);
  if (!reads_outputs()) return pass_outputs(flight.t0 + duration);
  tell_first_forces(flight, forces);
  for (; is_output_due(flight.t0 + duration); ++next_output_) {
    const double t = next_output_time();
    watched_.poll(t);
    sample(flight, std::clamp(t - flight.t0, 0.0, duration), forces);
    sample_.t = t;
    output(sample_);
    this->forces(t, acting_);
  }
}

void Recorder::pass_outputs(double end) {
  for (; is_output_due(end); ++next_output_) {
    watched_.poll();
    last_output_ = next_output_time();
  }
}

void Recorder::flown(const Frame& frame) {
  for (Sink* sink : sinks_) sink->frame(frame);
  const bool samples = reads_outputs();
  if (!sinks_.empty())
    for (const ClusterSegment& segment : frame.segments)
      carried_.add(segment.t0, segment.duration(), segment.forces);
  if (samples) tell_first_forces(frame);
  for (const ContactEvent& event : frame.events) this->event(event);
  if (!samples) {
    for (const Collision& collision : frame.collisions) record_collision(collision);
    return pass_outputs(frame.end.t);
  }
  sampler_.begin();
  std::size_t told = 0;
  for (; is_output_due(frame.end.t); ++next_output_) {
    const double t = next_output_time();
    watched_.poll(t);
    while (told < frame.collisions.size() && frame.collisions[told].event.t <= t)
      record_and_average(frame.collisions[told++]);
    sample(frame, told, t);
  }
  while (told < frame.collisions.size()) record_and_average(frame.collisions[told++]);
}

void Recorder::record_and_average(const Collision& collision) {
  record_collision(collision);
  mean_forces_.add(collision);
}

void Recorder::record_collision(const Collision& collision) {
  event(collision.event);
  ++counters_.impact_iterations_total;
  counters_.impact_iterations_max = std::max<std::int64_t>(counters_.impact_iterations_max, 1);
}

// One that falls onto the frame's end is that end, also where it misses it by round-off.
void Recorder::sample(const Frame& frame, std::size_t passed, double t) {
  const double since = last_output_;
  if (t < frame.end.t - kOutputSlack * scene_.output_every) {
    sampler_.sample(scene_, frame, passed, t, sample_);
    output(sample_);
  } else if (t == frame.end.t) {
    output(frame.end);
  } else {
    sample_ = frame.end;
    sample_.t = t;
    output(sample_);
  }
  if (frame.segments.empty())
    mean_forces_.compute(t - since, acting_);
  else
    compute_forces(frame, frame.end);
  forces(t, acting_);
  mean_forces_.clear();
}

void Recorder::event(const ContactEvent& event) {
  ++counters_.events[static_cast<std::size_t>(event.kind)];
  for (Sink* sink : sinks_) sink->event(event);
}

std::int64_t Recorder::event_count() const {
  return std::accumulate(counters_.events.begin(), counters_.events.end(), std::int64_t{0});
}

void Recorder::impact(const ResolvedImpact& impact) {
  counters_.impact_iterations_total += impact.iterations;
  counters_.impact_iterations_max =
      std::max<std::int64_t>(counters_.impact_iterations_max, impact.iterations);
  counters_.lineality_detected += impact.lineality > 0 ? 1 : 0;
  counters_.lineality_dimension_max =
      std::max<std::int64_t>(counters_.lineality_dimension_max, impact.lineality);
  for (Sink* sink : sinks_) sink->impact(impact);
}

void Recorder::save(std::string& bytes) const {
  mean_forces_.save(bytes);
  carried_.save(bytes);
  base::append_bytes(bytes, fallbacks_);
}

void Recorder::restore(std::string_view& bytes) {
  mean_forces_.restore(bytes);
  carried_.restore(bytes);
  base::take_bytes(bytes, fallbacks_);
}

void Recorder::checkpoint(const Checkpoint& checkpoint) {
  for (Sink* sink : sinks_) sink->checkpoint(checkpoint);
}

void Recorder::end(const State& last, const Summary& summary) {
  if (last.t > last_output_ + kOutputSlack * scene_.output_every) output(last);
  for (Sink* sink : sinks_) sink->end(summary);
}

}  // namespace carom::record
