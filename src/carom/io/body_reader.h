// Bodies and their shapes, from a scene file's JSON to specifications.
#pragma once

#include <filesystem>

#include "carom/io/object_reader.h"

namespace carom::io {

// Where to report, and the folder that file names in the scene are relative to.
struct ReadContext {
  model::SceneBuilder& problems;
  const std::filesystem::path& directory;
};

model::BodySpec read_body(const JsonValue& value, const std::string& place,
                          const ReadContext& context);

}  // namespace carom::io
