// What a recording tells of its run; the audit judges it anew, by states at outputs and events
// alone.
#pragma once

#include "carom/record/trace.h"

namespace carom::simulation {

record::Summary summarise_recording(const Scene& scene, const record::Trace& trace);

}  // namespace carom::simulation
