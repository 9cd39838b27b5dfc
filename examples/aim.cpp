// How fast must a puck be pushed so that it stops at the edge of a table? Tries it: every try
// begins from one saved moment, and the next speed is chosen from how far the last puck came.
#include <cmath>
#include <cstdio>

#include "carom/carom.h"

namespace {

constexpr double kTable = 0.8;     // m, from the puck to the edge
constexpr double kFriction = 0.2;  // between puck and table
constexpr double kLongest = 10;    // s, after which a try ends anyway

carom::Scene make_table() {
  carom::model::SceneBuilder builder;
  builder.add_pair({.materials = {"*", "*"}, .friction = kFriction});
  builder.add_body({.name = "table",
                    .motion = carom::model::Motion::Fixed,
                    .shapes = {{carom::geometry::Plane{{0, 0, 1}, 0}}}});
  builder.add_body({.name = "puck",
                    .shapes = {{carom::geometry::Cylinder{0.04, 0.02}}},
                    .position = {0, 0, 0.01}});
  return builder.build();
}

// How far the puck gets, m.
double push(carom::simulation::Simulation& simulation, carom::BodyId puck, double speed) {
  carom::State state = simulation.state();
  state[puck].v.x() = speed;
  simulation.set_state(state);
  const double until = simulation.time() + kLongest;
  while (simulation.time() < until && simulation.state()[puck].v.norm() > 1e-9)
    if (!simulation.step().ok) break;
  return simulation.state()[puck].x.x();
}

}  // namespace

int main() {
  carom::simulation::Simulation simulation(make_table());
  const carom::BodyId puck = *simulation.scene().find_body("puck");
  const std::string start = simulation.save();
  double low = 0, high = 10;
  while (high - low > 1e-6) {
    const double speed = 0.5 * (low + high);
    simulation.restore(start);
    (push(simulation, puck, speed) < kTable ? low : high) = speed;
  }
  std::printf("%.4f m/s\n", low);
  // It loses ½ m v² to μ m g s on the way.
  return std::abs(low - std::sqrt(2 * kFriction * 9.81 * kTable)) < 1e-3 ? 0 : 1;
}
