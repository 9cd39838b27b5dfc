// The scene's `method`, checked against the catalog of the methods that exist.
#pragma once

#include "carom/io/object_reader.h"

namespace carom::io {

model::MethodSettings read_method(const JsonValue& value, const std::string& place,
                                  const model::MethodCatalog& catalog,
                                  model::SceneBuilder& problems);

}  // namespace carom::io
