#include "recording_page.h"

#include "carom/audit/recorded.h"
#include "carom/io/page.h"
#include "carom/methods/registry.h"

namespace carom::cli {

namespace {

void tell_forces(const record::Trace& trace, double t, std::size_t& next, record::Sink& sink) {
  std::vector<record::CarriedForce> forces;
  for (; next < trace.forces.size() && trace.forces[next].t <= t; ++next)
    forces.push_back(trace.forces[next].force);
  sink.forces(t, forces);
}

// As the run told it.
void tell(const record::Trace& trace, record::Sink& sink) {
  std::size_t event = 0, force = 0;
  for (std::size_t k = 0; k < trace.outputs.size(); ++k) {
    while (event < trace.events_before[k]) sink.event(trace.events[event++]);
    sink.output(trace.outputs[k]);
    tell_forces(trace, trace.outputs[k].t, force, sink);
  }
  while (event < trace.events.size()) sink.event(trace.events[event++]);
}

record::Summary summarise(const Scene& scene, const record::Trace& trace) {
  record::Summary summary;
  summary.version = trace.version;
  summary.scene = scene.name;
  summary.method = scene.method.name;
  summary.impact = methods::impact_of(scene);
  summary.simulated_seconds = trace.outputs.empty() ? 0 : trace.outputs.back().t;
  summary.finished = summary.simulated_seconds >= scene.duration;
  if (!summary.finished) summary.reason = "the recording ends before the scene's duration";
  summary.notes = {"The verdict is on what the recording tells: states at outputs, and events."};
  if (trace.checkpoint) summary.counters = trace.checkpoint->counters;
  summary.audit = audit::audit_recording(scene, trace);
  return summary;
}

}  // namespace

std::string make_recording_page(const io::LoadedScene& loaded, const record::Trace& trace) {
  io::PageData data;
  data.begin(loaded.scene);
  tell(trace, data);
  return io::make_page(data, summarise(loaded.scene, trace));
}

}  // namespace carom::cli
