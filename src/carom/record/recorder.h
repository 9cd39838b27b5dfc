// Where methods report what happens. The recorder keeps the counters, samples flights at the output
// times and passes everything on to its sinks, in the order of time.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/watch.h"
#include "carom/dynamics/flight.h"
#include "carom/record/carried_impulses.h"
#include "carom/record/frame.h"
#include "carom/record/frame_sampler.h"
#include "carom/record/mean_forces.h"
#include "carom/record/sink.h"

namespace carom::record {

class Recorder {
 public:
  explicit Recorder(const Scene& scene) : scene_(scene), until_(scene.duration) {}

  // Outputs, of which a step may have any number, poll it.
  void watch(const base::Watched& watched) { watched_ = watched; }
  void add(Sink& sink) { sinks_.push_back(&sink); }
  bool has_sinks() const { return !sinks_.empty(); }
  bool reads_outputs() const;  // any of them

  void begin(const State& initial);           // tells the sinks the scene and the first output
  void resume(const Checkpoint& checkpoint);  // instead of begin(): counters and next output

  // The bodies have flown the first `duration` seconds of `flight`; outputs that fall in are
  // written.
  void flown(Flight& flight, double duration, const Forces& forces);
  // The same for bodies that kept their own clocks. Their collisions are told as events, each an
  // impact of one iteration; the forces of an output are the mean ones since the output before, or
  // those at the end of segments. Without sinks events are only counted.
  void flown(const Frame& frame);
  void output(const State& state);
  void set(const State& before, const State& after);       // by the program, at one time
  void extend(double t) { until_ = std::max(until_, t); }  // s; outputs are due until then
  void forces(double t, std::span<const CarriedForce> forces);
  void event(const ContactEvent& event);
  void impact(const ResolvedImpact& impact);
  void step_done() { ++counters_.steps; }
  void fallback(Rung rung, double error) { fallbacks_.note(rung, error); }
  void checkpoint(const Checkpoint& checkpoint);
  void end(const State& last, const Summary& summary);

  const Counters& counters() const { return counters_; }
  std::int64_t event_count() const;  // of all kinds
  const Fallbacks& fallbacks() const { return fallbacks_; }
  std::int64_t next_output() const { return next_output_; }
  double next_output_time() const;

  std::vector<CarriedImpulse> carried() const { return carried_.all(); }

  void save(std::string& bytes) const;  // what a checkpoint lacks
  void restore(std::string_view& bytes);

 private:
  bool is_output_due(double end) const;
  void sample(const Flight& flight, double s, const Forces& forces);
  void compute_forces(const Frame& frame, const State& at);
  void tell_first_forces(const Flight& flight, const Forces& forces);
  void tell_first_forces(const Frame& frame);
  void record_collision(const Collision& collision);
  void record_and_average(const Collision& collision);  // and adds it to the mean forces
  void pass_outputs(double end);                        // counts outputs that nobody reads
  void sample(const Frame& frame, std::size_t passed, double t);

  const Scene& scene_;
  base::Watched watched_;
  std::vector<Sink*> sinks_;
  Counters counters_;
  Fallbacks fallbacks_;
  std::int64_t next_output_ = 0;
  double last_output_ = -1;
  double until_;                    // s; no output is due later
  bool first_forces_told_ = false;  // whether the forces at t = 0 have been
  State sample_;
  FrameSampler sampler_;
  CarriedImpulses carried_;
  MeanForces mean_forces_;  // of collisions since the last output
  std::vector<CarriedForce> acting_;
};

}  // namespace carom::record
