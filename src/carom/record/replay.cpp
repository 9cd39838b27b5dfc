#include "carom/record/replay.h"

namespace carom::record {

void replay(const Trace& trace, Sink& sink) {
  std::size_t event = 0;
  auto force = trace.forces.begin();
  std::vector<CarriedForce> forces;
  for (std::size_t k = 0; k < trace.outputs.size(); ++k) {
    const State& output = trace.outputs[k];
    while (event < trace.events_before[k]) sink.event(trace.events[event++]);
    sink.output(output);
    forces.clear();
    for (; force != trace.forces.end() && force->t <= output.t; ++force)
      forces.push_back(force->force);
    sink.forces(output.t, forces);
  }
  while (event < trace.events.size()) sink.event(trace.events[event++]);
}

}  // namespace carom::record
