// Forces, from a scene file's JSON to specifications.
#pragma once

#include "carom/io/object_reader.h"

namespace carom::io {

std::optional<model::ForceSpec> read_force(const JsonValue& value, const std::string& place,
                                           model::SceneBuilder& problems);

}  // namespace carom::io
