// A ball bounces; the program goes from event to event and prints when and how fast.
#include <cstdio>

#include "carom/carom.h"

int main() {
  carom::model::SceneBuilder builder;
  builder.add_pair({.materials = {"*", "*"}, .restitution = 0.8});
  builder.add_body({.name = "ground",
                    .motion = carom::model::Motion::Fixed,
                    .shapes = {{carom::geometry::Plane{{0, 0, 1}, 0}}}});
  builder.add_body(
      {.name = "ball", .shapes = {{carom::geometry::Sphere{0.1}}}, .position = {0, 0, 1.1}});
  carom::simulation::Simulation simulation(builder.build());
  const carom::BodyId ball = *simulation.scene().find_body("ball");

  for (int bounce = 1; bounce <= 5; ++bounce) {
    const auto progress = simulation.advance_to_next_event(10);
    if (!progress.ok) return std::fprintf(stderr, "%s\n", progress.reason.c_str()), 1;
    std::printf("%d  %.12f s  %.12f m/s\n", bounce, simulation.time(),
                simulation.state()[ball].v.z());
  }
}
