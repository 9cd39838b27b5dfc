// A floor of triangles, for what must not notice its seams.
#pragma once

#include "support/meshes.h"
#include "support/scenes.h"

namespace carom::support {

inline model::BodySpec make_mesh_floor() {  // 4 × 4, of 32 triangles, in the plane z = 0
  Surface floor;
  for (int i = 0; i <= 4; ++i) {
    for (int j = 0; j <= 4; ++j) floor.vertices.emplace_back(i - 2, j - 2, 0);
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int a = 5 * i + j, b = a + 5;
      floor.triangles.push_back({a, b, b + 1});
      floor.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return {.name = "floor",
          .motion = model::Motion::Fixed,
          .shapes = {{.shape = geometry::Mesh{make_mesh(floor)}}}};
}

}  // namespace carom::support
