// Shapes as triangles, to look at: smooth normals on round surfaces, flat ones on facets.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/geometry/shapes/shape.h"

namespace carom::io {

struct ShownMesh {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;                            // one per position, unit, outward
  std::vector<float> shades;                            // one per position, or none: brightness
  std::vector<std::array<std::uint32_t, 3>> triangles;  // counter-clockwise from outside
};

// A plane has no end; what is shown of it is a chequered square that reaches `plane_extent` from
// the point nearest to the shape frame's origin.
ShownMesh make_mesh(const geometry::Shape& shape, double plane_extent);

}  // namespace carom::io
