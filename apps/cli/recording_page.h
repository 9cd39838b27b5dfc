// The viewer's page of a recording that was made before.
#pragma once

#include <string>

#include "carom/io/scene_file.h"
#include "carom/record/trace.h"

namespace carom::cli {

// Its verdict is the one that `carom run --audit-only` gives.
std::string make_recording_page(const io::LoadedScene& loaded, const record::Trace& trace);

}  // namespace carom::cli
