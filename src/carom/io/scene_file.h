// Reads scene files: JSON with // comments, version 1. Everything wrong with a file is reported at
// once, as base::BadInput whose diagnostics name file, line, JSON pointer, what was found, what was
// expected and the nearest valid name. docs/scene-format.md describes the format.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "carom/base/diagnostics.h"
#include "carom/model/method_settings.h"
#include "carom/model/scene.h"
#include "carom/record/trace.h"

namespace carom::io {

// --set /bodies/1/mass=2: replaces or adds one value. The value is JSON; what does not parse as
// JSON is taken as a string.
struct Override {
  std::string pointer;
  std::string value;
};

// A value of the scene that is known with a standard deviation, in its unit: "uncertain".
struct Uncertain {
  std::string pointer;
  double value = 0, deviation = 0;
};

struct LoadedScene {
  Scene scene;
  std::string
      json;  // the document as run, overrides applied, comments dropped: stored in recordings
  std::vector<record::SceneFile> files;  // files that the scene names
  std::vector<Uncertain> uncertain{};    // values that simulations take as exact
};

LoadedScene load_scene(const std::filesystem::path& file, std::span<const Override> overrides,
                       const model::MethodCatalog& catalog);
LoadedScene parse_scene(std::string_view text, const std::string& file,
                        std::span<const Override> overrides, const model::MethodCatalog& catalog,
                        const std::filesystem::path& directory = ".");
// The scene of a recording, which carries the files too.
LoadedScene parse_recorded_scene(const record::Trace& recorded, const std::string& file,
                                 std::span<const Override> overrides,
                                 const model::MethodCatalog& catalog);

// Differences in what is simulated: in everything but the duration.
std::vector<base::Diagnostic> find_differences(const LoadedScene& found,
                                               const LoadedScene& recorded);

}  // namespace carom::io
