#include "carom/methods/step_reach.h"

#include <gtest/gtest.h>

#include "support/scenes.h"

namespace carom::methods {
namespace {

Scene make_scene(double spin, double duration) {
  model::BodySpec ball = support::make_ball("ball", 0.1, Vec3::Zero());
  ball.angular_velocity = Vec3(0, 0, spin);
  return support::build({.bodies = {ball}, .duration = duration, .output_every = duration});
}

std::size_t problems_of(const Scene& scene, double step) {
  std::vector<base::Diagnostic> problems;
  check_step_reach(scene, step, problems);
  for (const base::Diagnostic& each : problems) EXPECT_EQ(each.place, "/method/step");
  return problems.size();
}

TEST(StepReach, IsATrillionSteps) {
  EXPECT_EQ(problems_of(make_scene(0, 1), 1e-13), 1U);
  EXPECT_EQ(problems_of(make_scene(0, 1), 1e-11), 0U);
}

// 6283 rad.
TEST(StepReach, IsAThousandTurns) {
  EXPECT_EQ(problems_of(make_scene(7e6, 1), 1e-3), 1U);
  EXPECT_EQ(problems_of(make_scene(6e6, 1), 1e-3), 0U);
  EXPECT_EQ(problems_of(make_scene(6e6, 1e-3), 1), 0U);  // a step is no longer than the run
}

}  // namespace
}  // namespace carom::methods
