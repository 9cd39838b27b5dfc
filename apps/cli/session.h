// A run as the command line makes it: outputs by their file endings, a progress bar, and Ctrl-C
// that ends the run at once with everything written that there is.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carom/base/diagnostics.h"
#include "carom/io/scene_file.h"
#include "carom/record/trace.h"

namespace carom::cli {

struct SessionOptions {
  std::string scene_file;                  // named in messages
  std::vector<std::filesystem::path> out;  // .h5, .csv or .glb
  std::optional<std::filesystem::path> events, forces, contacts, summary;
  int threads = 1;
  bool quiet = false;
};

// Throws base::BadInput for an ending that means nothing.
void check_outputs(const SessionOptions& options);

// Calls make(), and names the file in what is wrong with the scene.
template <typename Make>
auto with_file_named(const std::string& file, const Make& make) {
  try {
    return make();
  } catch (const base::BadInput& bad) {
    std::vector<base::Diagnostic> problems = bad.diagnostics();
    for (base::Diagnostic& problem : problems) problem.file = file;
    throw base::BadInput(std::move(problems));
  }
}

// A scene, with the progress of reading it unless quiet.
io::LoadedScene load_scene(const std::string& file, std::span<const io::Override> overrides,
                           bool quiet);

// Simulates, from the past if there is one, and writes the outputs. Prints the progress unless
// quiet.
record::Summary run_session(const io::LoadedScene& loaded, const SessionOptions& options,
                            const record::Trace* past = nullptr,
                            const std::vector<record::Sink*>& more_sinks = {});

// 0 when finished; else prints why not and gives 1.
int exit_status(const record::Summary& summary);

}  // namespace carom::cli
