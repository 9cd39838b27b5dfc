// A run as the command line makes it: outputs by their file endings, a progress bar, and Ctrl-C
// that ends the run at once with everything written that there is.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/diagnostics.h"
#include "carom/io/scene_file.h"
#include "carom/record/trace.h"

namespace carom::cli {

struct SessionOptions {
  std::string scene_file;                  // named in messages
  std::vector<std::filesystem::path> out;  // .html, .mp4, .png, .h5, .csv, .glb
  std::optional<std::filesystem::path> events, forces, contacts, summary;
  record::JudgedNumbers tolerated = record::kAsPromised;  // limits instead of the method's
  std::vector<std::string> notes;                         // of the command line, for the summary
  record::AuditCoverage audit = record::AuditCoverage::Full;
  int threads = 1;
  bool quiet = false;
};

// What a run reads: an output must be none of these. A recording that is resumed may be among
// --out: the run then goes on in it.
struct Inputs {
  std::vector<std::filesystem::path> files;
  std::optional<std::filesystem::path> recording;
};
// The scene file and what it names.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& scene,
                                            const io::LoadedScene& loaded);

// Throws base::BadInput for an ending that means nothing, and for an output that is an input or
// another output, under whatever name. Touches nothing.
void check_outputs(const SessionOptions& options, const Inputs& inputs);

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

// To stderr, a line each.
void print_notes(const std::vector<std::string>& notes);

// Simulates, from the past if there is one, and writes the outputs. Prints the progress unless
// quiet.
record::Summary run_session(const io::LoadedScene& loaded, const SessionOptions& options,
                            const record::Trace* past = nullptr,
                            const std::vector<record::Sink*>& more_sinks = {});

// 0 when finished and the audit passed; else prints why not and gives 1, or 3 for the audit alone.
int exit_status(const record::Summary& summary);
int audit_status(std::string_view what, const record::AuditResult& audit);

}  // namespace carom::cli
