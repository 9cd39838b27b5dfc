#pragma once

#include "carom/record/sink.h"

namespace carom::cli {

// What a run did, for a person, on stdout.
void print_summary(const record::Summary& summary);

}  // namespace carom::cli
