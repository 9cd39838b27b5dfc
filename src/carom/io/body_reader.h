// Bodies and their shapes, from a scene file's JSON to specifications.
#pragma once

#include "carom/io/object_reader.h"
#include "carom/io/scene_files.h"

namespace carom::io {

// Where to report, and the files that the scene names.
struct ReadContext {
  model::SceneBuilder& problems;
  SceneFiles& files;
};

model::BodySpec read_body(const JsonValue& value, const std::string& place,
                          const ReadContext& context);

}  // namespace carom::io
