// The verdict on a recording: what the states at its outputs and its events tell by themselves.
// Motion between outputs is not recorded, so that overlap and open joints are found at outputs
// alone, and energy is compared from output to output.
//
// Momentum: bodies are put together that a joint, a force at either end of an interval or an event
// in it connects. What such a group gets from bodies that do not give way is known where that is
// impulses of impacts alone; then its momentum, and its angular momentum about its own centre, must
// come out. Groups that a lasting force or a joint holds to such a body are not judged, nor is the
// last interval where it is shorter than the others: it ends without forces.
#pragma once

#include "carom/record/trace.h"

namespace carom::audit {

// What could not be judged has no limit: the energy ledger; gains of energy where a driven body or
// a motor or a force may work; momentum where forces of the scene act, and under `time-stepping`,
// which may push for one step without an event.
record::AuditResult audit_recording(const Scene& scene, const record::Trace& trace,
                                    const record::JudgedNumbers& tolerated = record::kAsPromised);

}  // namespace carom::audit
