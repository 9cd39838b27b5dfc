// The summary of a run as JSON, as docs/outputs.md describes it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/record/sink.h"

namespace carom::io {

// What exceeds its limit, one text for each: "max_penetration 0.00109 m, more than 1e-09 m".
std::vector<std::string> describe_failures(const record::AuditResult& audit);

std::string to_json(const record::Summary& summary);
void write_summary(const std::filesystem::path& path, const record::Summary& summary);

}  // namespace carom::io
