// The summary of a run as JSON, as docs/outputs.md describes it.
#pragma once

#include <filesystem>
#include <string>

#include "carom/record/sink.h"

namespace carom::io {

std::string to_json(const record::Summary& summary);
void write_summary(const std::filesystem::path& path, const record::Summary& summary);

}  // namespace carom::io
