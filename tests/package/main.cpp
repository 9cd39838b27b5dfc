// A program outside the project: it sees only what `cmake --install` put in place.
#include <cstdio>

#include "carom/model/scene_builder.h"

int main() {
  carom::model::SceneBuilder builder;
  builder.add_body({.name = "block", .shapes = {{carom::geometry::Box{{0.5, 0.5, 0.5}}}}});
  const carom::Scene scene = builder.build();
  std::printf("%s %.1f kg\n", scene.bodies[0].name.c_str(), scene.bodies[0].mass);
}
