// Options that change a scene's values, the same for every command that simulates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/io/scene_file.h"
#include "parser.h"

namespace carom::cli {

struct SceneOptions {
  std::string method, impact;
  std::optional<double> duration;
  std::optional<std::string> step;
  std::vector<std::string> set;
};

void add_method_options(Command& command, SceneOptions& options);  // --method, --impact
void add_scene_options(Command& command, SceneOptions& options);   // --duration, --step, --set

// Throws base::BadInput for a --set that is none. What --set says comes last.
std::vector<io::Override> overrides_of(const SceneOptions& options);

// As words of a command line, but for the method and the law.
std::vector<std::string> words_of(const SceneOptions& options);

}  // namespace carom::cli
