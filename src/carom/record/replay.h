// A run in memory, told to a sink as the run told it: outputs, each after its events and before its
// forces. Without begin(), checkpoints and end(), which are the caller's.
#pragma once

#include "carom/record/trace.h"

namespace carom::record {

void replay(const Trace& trace, Sink& sink);

}  // namespace carom::record
