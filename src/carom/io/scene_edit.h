// Scenes written back: the document of a loaded scene with bodies moved.
#pragma once

#include <filesystem>
#include <span>

#include "carom/io/scene_file.h"

namespace carom::io {

// The scene with each body, and the joints of its bodies, translated by its shift (m). A grid of
// which something moves becomes its copies, one by one. Files that the scene names are named from
// the folder `to` instead of the folder `from`.
std::string shift_bodies(const LoadedScene& loaded, std::span<const Vec3> shifts,
                         const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace carom::io
