#pragma once

#include "carom/record/trace.h"

namespace carom::cli {

// What a run did, for a person, on stdout.
void print_summary(const record::Summary& summary);

// The same of a recording that was judged by itself.
void print_audit(const Scene& scene, const record::Trace& past, const record::AuditResult& audit);

}  // namespace carom::cli
