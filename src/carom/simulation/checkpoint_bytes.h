// A checkpoint as a sequence of bytes, for programs that keep it themselves.
#pragma once

#include <string>
#include <string_view>

#include "carom/record/sink.h"

namespace carom::simulation {

// Behind a checksum, with what tells which scene it is of.
std::string to_bytes(const record::Checkpoint& checkpoint, const Scene& scene);
// Throws base::BadInput for bytes that are damaged or of another scene, method or version.
record::Checkpoint from_bytes(std::string_view bytes, const Scene& scene);

}  // namespace carom::simulation
