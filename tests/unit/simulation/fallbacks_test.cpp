// What a run did instead of its usual way is in its summary.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

record::Fallback sampled_searches(const geometry::Shape& shape) {
  model::BodySpec body{.name = "body", .shapes = {{.shape = shape}}, .position = Vec3(0, 0, 0.2)};
  body.orientation = Quat(Eigen::AngleAxisd(0.4, Vec3::UnitX()));
  const Scene scene = support::build({.between = {.restitution = 0.3, .friction = 0.5},
                                      .bodies = {support::make_ground(), body},
                                      .duration = 0.5});
  Simulation simulation(scene);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished);
  return summary.fallbacks.rungs[static_cast<std::size_t>(record::Rung::SampledSearch)];
}

// Between two looks nothing comes farther than 5e-3 of the smaller shape: there and back, half.
TEST(Fallbacks, TellSearchesThatProveNothing) {
  constexpr double kRadius = 0.1, kLength = 0.2;
  const record::Fallback of_cone = sampled_searches(geometry::Cone{kRadius, kLength});
  EXPECT_GT(of_cone.times, 0);
  EXPECT_GT(of_cone.error, 0);
  EXPECT_LE(of_cone.error, 0.5 * 5e-3 * std::hypot(kRadius, kLength));
  EXPECT_EQ(sampled_searches(geometry::Box{Vec3(0.1, 0.08, 0.06)}).times, 0);
}

}  // namespace
}  // namespace carom::simulation
