#include "carom/simulation/recorded.h"

#include "carom/audit/recorded.h"
#include "carom/methods/registry.h"

namespace carom::simulation {

record::Summary summarise_recording(const Scene& scene, const record::Trace& trace) {
  record::Summary summary;
  summary.version = trace.version;
  summary.scene = scene.name;
  summary.method = scene.method.name;
  summary.impact = methods::impact_of(scene);
  summary.simulated_seconds = trace.outputs.empty() ? 0 : trace.outputs.back().t;
  summary.finished = summary.simulated_seconds >= scene.duration;
  if (!summary.finished) summary.reason = "the recording ends before the scene's duration";
  if (trace.checkpoint) summary.counters = trace.checkpoint->counters;
  summary.audit = audit::audit_recording(scene, trace);
  return summary;
}

}  // namespace carom::simulation
