// One shape of a body, from a scene file's JSON to its specification.
#pragma once

#include <optional>

#include "carom/io/body_reader.h"

namespace carom::io {

// Nothing when the shape cannot be made; why is reported.
std::optional<model::ShapeSpec> read_shape(const JsonValue& value, const std::string& place,
                                           const ReadContext& context);

}  // namespace carom::io
