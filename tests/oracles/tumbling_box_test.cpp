// A cube dropped on its corner: nobody knows its path, but everybody knows what must hold on it and
// where it ends, flat on a face with the energy m g L/2.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

struct Case {
  double restitution, friction;
};

class TumblingBox : public testing::TestWithParam<Case> {};

TEST_P(TumblingBox, FallsFlatWithoutGainingEnergyOrSinkingIn) {
  model::BodySpec box = support::make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 1.5));
  box.orientation = math::quat_exp(0.9553166 * Vec3(1, -1 / std::sqrt(2), 0).normalized());
  const Scene scene = support::build(
      {.between = {.restitution = GetParam().restitution, .friction = GetParam().friction},
       .bodies = {support::make_ground(), box},
       .method = support::zeno_free(0.001),
       .duration = 6});
  Simulation simulation(scene);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  // A contact begins anywhere within the touching distance, and ends a flight in which it sinks by
  // as much again.
  EXPECT_LT(summary.audit.max_penetration, 2.0001 * scene.tolerances.gap);
  EXPECT_LT(summary.audit.energy_max_gain, 1e-6);  // J: forces carried over a step while it pivots
  EXPECT_LT(summary.audit.momentum_error, 1e-12);
  EXPECT_NEAR(summary.audit.energy_final, 9.81 / 2, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Coefficients, TumblingBox,
                         testing::Values(Case{0, 0.4}, Case{0.5, 0.4}, Case{0.3, 1.0}));

}  // namespace
}  // namespace carom::simulation
