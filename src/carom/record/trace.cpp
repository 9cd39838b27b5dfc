#include "carom/record/trace.h"

namespace carom::record {

void TraceSink::output(const State& state) {
  trace_.outputs.push_back(state);
  trace_.events_before.push_back(trace_.events.size());
}

void TraceSink::event(const ContactEvent& event) { trace_.events.push_back(event); }

void TraceSink::forces(double t, std::span<const CarriedForce> forces) {
  for (const CarriedForce& force : forces) trace_.forces.push_back({t, force});
}

void TraceSink::checkpoint(const Checkpoint& checkpoint) {
  trace_.checkpoint = checkpoint;
  trace_.outputs_at_checkpoint = trace_.outputs.size();
  trace_.events_at_checkpoint = trace_.events.size();
}

void TraceSink::end(const Summary& summary) { summary_ = summary; }

}  // namespace carom::record
