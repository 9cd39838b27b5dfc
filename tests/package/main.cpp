// A program outside the project: it sees only what `cmake --install` put in place.
#include <cstdio>

#include "carom/carom.h"

int main() {
  carom::model::SceneBuilder builder;
  builder.add_body(
      {.name = "ball", .shapes = {{carom::geometry::Sphere{0.1}}}, .position = {0, 0, 10}});
  const carom::Scene scene = builder.build();
  carom::simulation::Simulation simulation(scene);
  const auto recording =
      carom::io::make_output("fall.h5", {scene, "{}", {}}, carom::simulation::version());
  carom::record::TraceSink kept;
  simulation.add(*recording);
  simulation.add(kept);
  simulation.run();
  std::printf("%.6f\n", kept.trace().outputs.back().bodies[0].x.z());
}
