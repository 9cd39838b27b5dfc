// Joint forces are constant over a step and hold in its middle; told so, the books of energy close
// with the second power of the step.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

double ledger_error_of_two_rods(double step) {
  model::BodySpec hook = support::make_ball("hook", 0.01, Vec3::Zero());
  hook.motion = model::Motion::Fixed;
  const auto pin = [](const char* a, const char* b, double x) {
    return model::JointSpec{.name = std::string(a) + b,
                            .type = model::JointType::Ball,
                            .between = {a, b},
                            .anchor = Vec3(x, 0, 0)};
  };
  const Scene scene = support::build(
      {.bodies = {hook, support::make_box("upper", Vec3(1, 0.1, 0.1), Vec3(0.5, 0, 0)),
                  support::make_box("lower", Vec3(1, 0.1, 0.1), Vec3(1.5, 0, 0))},
       .joints = {pin("hook", "upper", 0), pin("upper", "lower", 1)},
       .method = support::zeno_free(step)});
  Simulation simulation(scene);
  return simulation.run().audit.energy_ledger_error;
}

TEST(JointLedger, ClosesWithTheSecondPowerOfTheStep) {
  const double coarse = ledger_error_of_two_rods(0.002), fine = ledger_error_of_two_rods(0.001);
  EXPECT_LT(fine, 1e-3);  // J, of some 30 that move
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
}

}  // namespace
}  // namespace carom::simulation
