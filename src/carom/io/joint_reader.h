// Joints, from a scene file's JSON to specifications.
#pragma once

#include "carom/io/object_reader.h"

namespace carom::io {

model::JointSpec read_joint(const JsonValue& value, const std::string& place,
                            model::SceneBuilder& problems);

}  // namespace carom::io
