// Joint forces are constant over a step, and the anchors of two bodies that move are together only
// in its middle. Their moments cancel all the same: the books of energy and angular momentum close
// to round-off, whatever the step.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

// A double pendulum that falls from the horizontal.
support::SceneParts two_rods(const model::MethodSettings& method) {
  model::BodySpec hook = support::make_ball("hook", 0.01, Vec3::Zero());
  hook.motion = model::Motion::Fixed;
  const auto pin = [](const char* a, const char* b, double x) {
    return model::JointSpec{.name = std::string(a) + b,
                            .type = model::JointType::Ball,
                            .between = {a, b},
                            .anchor = Vec3(x, 0, 0)};
  };
  return {.bodies = {hook, support::make_box("upper", Vec3(1, 0.1, 0.1), Vec3(0.5, 0, 0)),
                     support::make_box("lower", Vec3(1, 0.1, 0.1), Vec3(1.5, 0, 0))},
          .joints = {pin("hook", "upper", 0), pin("upper", "lower", 1)},
          .method = method};
}

class JointLedger : public testing::TestWithParam<const char*> {};

// 20 kg of rods move with up to 200 J.
TEST_P(JointLedger, ClosesToRoundOffAtAnyStep) {
  for (const double step : {0.004, 0.001}) {
    const Scene scene = support::build(two_rods({GetParam(), {{"step", step}}}));
    Simulation simulation(scene);
    const record::AuditResult audit = simulation.run().audit;
    EXPECT_LT(audit.energy_ledger_error, 1e-10) << step;
    EXPECT_LT(audit.angular_momentum_error, 1e-10) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, JointLedger,
                         testing::Values("zeno-free", "time-stepping", "microcollision"),
                         [](const auto& suite) {
                           std::string name = suite.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace carom::simulation
