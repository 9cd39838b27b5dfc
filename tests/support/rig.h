// A method at work on one scene, step by step, with a sink that keeps what it is told.
#pragma once

#include "carom/methods/stepper.h"
#include "carom/methods/stop_reasons.h"
#include "support/scenes.h"

namespace carom::support {

struct Impact {
  double t = 0;
  std::vector<record::ContactEvent> contacts;
  int iterations = 0;

  Vec3 total_impulse() const {
    Vec3 total = Vec3::Zero();
    for (const record::ContactEvent& contact : contacts) total += contact.impulse;
    return total;
  }
};

class Witness : public record::Sink {
 public:
  void impact(const record::ResolvedImpact& impact) override {
    impacts.push_back(
        {impact.before.t, {impact.contacts.begin(), impact.contacts.end()}, impact.iterations});
  }
  void event(const record::ContactEvent& event) override { events.push_back(event); }

  std::size_t count(record::EventKind kind) const {
    std::size_t found = 0;
    for (const record::ContactEvent& event : events) found += event.kind == kind ? 1 : 0;
    return found;
  }

  std::vector<Impact> impacts;
  std::vector<record::ContactEvent> events;
};

struct Rig {
  explicit Rig(const SceneParts& parts)
      : scene(build(parts)),
        workers(1),
        recorder(scene),
        stepper(scene, workers, recorder),
        state(dynamics::make_initial_state(scene)) {
    recorder.add(witness);
  }

  methods::AdvanceResult advance_to(double t_end) { return stepper.advance(state, t_end); }

  // Whole steps of the scene's own length.
  methods::AdvanceResult advance_steps(int count) {
    methods::AdvanceResult result;
    for (int i = 0; i < count && result.ok(); ++i) {
      result = advance_to(static_cast<double>(++steps) * methods::step_of(scene));
    }
    return result;
  }

  Scene scene;
  base::Workers workers;
  record::Recorder recorder;
  Witness witness;
  methods::Stepper stepper;
  State state;
  int steps = 0;
};

}  // namespace carom::support
