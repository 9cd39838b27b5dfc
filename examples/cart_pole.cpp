// A cart that balances a pole: every 10 ms a controller looks at the state and pushes the cart.
// The gains are those of the linear–quadratic regulator of the upright pole.
#include <cmath>
#include <cstdio>

#include "carom/carom.h"

namespace {

constexpr double kPeriod = 0.01;  // s; of the controller

carom::Scene make_cart_pole() {
  carom::model::SceneBuilder builder;
  builder.add_body({.name = "rail", .motion = carom::model::Motion::Fixed});
  builder.add_body(
      {.name = "cart", .shapes = {{carom::geometry::Box{{0.15, 0.1, 0.05}}}}, .mass = 1});
  builder.add_body({.name = "pole",
                    .shapes = {{carom::geometry::Box{{0.01, 0.01, 0.5}}}},
                    .mass = 0.1,
                    .position = {0.5 * std::sin(0.2), 0, 0.5 * std::cos(0.2)},
                    .orientation = carom::math::quat_exp({0, 0.2, 0})});
  builder.add_joint({.name = "slider",
                     .type = carom::model::JointType::Slider,
                     .between = {"rail", "cart"},
                     .axis = {1, 0, 0}});
  builder.add_joint({.name = "hinge",
                     .type = carom::model::JointType::Hinge,
                     .between = {"cart", "pole"},
                     .anchor = carom::Vec3(0, 0, 0),
                     .axis = {0, 1, 0}});
  return builder.build();
}

}  // namespace

int main() {
  carom::simulation::Simulation simulation(make_cart_pole(),
                                           carom::simulation::ZenoFree{.step = 1e-3});
  const carom::BodyId cart = *simulation.scene().find_body("cart");
  const carom::BodyId pole = *simulation.scene().find_body("pole");
  for (int i = 1; i <= 800; ++i) {
    const carom::BodyState &c = simulation.state()[cart], &p = simulation.state()[pole];
    const double lean = std::atan2(p.x.x() - c.x.x(), p.x.z() - c.x.z());
    const double force = 3.16 * c.x.x() + 4.46 * c.v.x() + 40.1 * lean + 10.3 * p.w.y();
    simulation.apply_wrench(cart, {.force = {force, 0, 0}});
    if (!simulation.advance_to(i * kPeriod).ok) return 1;
  }
  const double off = std::abs(simulation.state()[cart].x.x());
  const double lean = simulation.state()[pole].x.z();
  std::printf("after 8 s the cart is %.4f m off, the pole's middle %.6f m high\n", off, lean);
  return off < 0.02 && lean > 0.4999 ? 0 : 1;
}
