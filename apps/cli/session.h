// A run as the command line makes it: outputs by their file endings, a progress bar, and Ctrl-C that
// ends the run after its step with everything written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "carom/io/scene_file.h"
#include "carom/record/trace.h"

namespace carom::cli {

struct SessionOptions {
  std::vector<std::filesystem::path> out;  // .h5, .csv or .glb
  std::optional<std::filesystem::path> events, summary;
  int threads = 1;
  bool quiet = false;
};

// Throws base::BadInput for an ending that means nothing.
void check_outputs(const SessionOptions& options);

// Simulates, from the past if there is one, and writes the outputs. Prints the progress unless quiet.
record::Summary run_session(const io::LoadedScene& loaded, const SessionOptions& options,
                            const record::Trace* past = nullptr,
                            const std::vector<record::Sink*>& more_sinks = {});

// 0 when finished; else prints why not and gives 1.
int exit_status(const record::Summary& summary);

}  // namespace carom::cli
