// The vertices of a mesh file, for hulls: OBJ (.obj), STL in text or binary (.stl), PLY in text
// (.ply).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/math/linear_algebra.h"

namespace carom::io {

struct PointFile {
  std::vector<Vec3> points;
  std::string problem;  // what was found instead, with its line; empty: all went well
};
PointFile read_points(const std::filesystem::path& path);

}  // namespace carom::io
