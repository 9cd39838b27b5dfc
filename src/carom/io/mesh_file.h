// The vertices and triangles of a mesh file: OBJ (.obj), STL in text or binary (.stl), PLY in text
// (.ply). Faces with more corners are fanned from their first one. STL repeats the vertices of
// every triangle; make_triangle_mesh finds the equal ones.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "carom/math/linear_algebra.h"

namespace carom::io {

struct MeshFile {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;  // none in a file of points
  std::string problem;  // what was found instead, with its line; empty: all went well
};
// The name's ending says which format the bytes have.
MeshFile parse_mesh_file(const std::filesystem::path& name, std::string_view bytes);

}  // namespace carom::io
