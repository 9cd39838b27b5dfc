// Friction in closed form: a ball that slides until it rolls, blocks on slopes, a block that stops.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr double kGravity = 9.81, kStep = 0.001;

struct Ran {
  std::vector<State> outputs;
  record::Summary summary;
};

Ran run(const support::SceneParts& parts) {
  const Scene scene = support::build(parts);
  Simulation simulation(scene);
  record::TraceSink trace;
  simulation.add(trace);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  return {trace.trace().outputs, summary};
}

// Within the one step in which sliding ends the friction is spread out, which moves the ball by at
// most μ g h²/8; before and after, and in all speeds, the steps are exact.
TEST(SlidingBall, RollsAfterTwoSeventhsOfItsSpeed) {
  const double R = 0.1, mu = 0.2, v0 = 5, a = mu * kGravity;
  const Ran ran = run({.between = {.friction = mu},
                       .bodies = {support::make_ground(),
                                  support::make_ball("ball", R, Vec3(0, 0, R), Vec3(v0, 0, 0))},
                       .method = support::zeno_free(kStep),
                       .duration = 2,
                       .output_every = 0.2});
  const double t_roll = 2 * v0 / (7 * a);  // 0.72812 s
  const double x_roll = 12 * v0 * v0 / (49 * a);
  for (const State& at : ran.outputs) {
    const bool rolls = at.t > t_roll;
    const double x =
        rolls ? x_roll + 5 * v0 / 7 * (at.t - t_roll) : v0 * at.t - a * at.t * at.t / 2;
    const BodyState& ball = at.bodies[1];
    EXPECT_NEAR(ball.x.x(), x, rolls ? a * kStep * kStep / 8 : 1e-10) << at.t;
    EXPECT_NEAR(ball.v.x(), rolls ? 5 * v0 / 7 : v0 - a * at.t, 1e-10) << at.t;
    EXPECT_NEAR(ball.w.y(), rolls ? 5 * v0 / (7 * R) : 5 * a * at.t / (2 * R), 1e-9) << at.t;
    EXPECT_NEAR(ball.x.z(), R, 1e-12) << at.t;
  }
  EXPECT_NEAR(ran.summary.audit.energy_initial - ran.summary.audit.energy_final, v0 * v0 / 7, 1e-9);
}

TEST(SlidingBall, ComesBackWithEnoughBackspin) {
  model::BodySpec ball = support::make_ball("ball", 0.1, Vec3(0, 0, 0.1), Vec3(2, 0, 0));
  ball.angular_velocity = Vec3(0, -100, 0);
  const Ran ran = run({.between = {.friction = 0.2},
                       .bodies = {support::make_ground(), ball},
                       .method = support::zeno_free(kStep),
                       .duration = 2});
  EXPECT_NEAR(ran.outputs.back().bodies[1].v.x(), (5 * 2.0 - 2 * 10) / 7, 1e-10);
}

// The same slope twice: gravity tilted over a level floor, and a tilted floor.
support::SceneParts make_slope(double slope, double mu, bool tilt_the_floor) {
  const Vec3 size(1, 1, 0.4);
  support::SceneParts parts{
      .between = {.friction = mu}, .method = support::zeno_free(kStep), .duration = 1};
  model::BodySpec block = support::make_box("block", size, Vec3(0, 0, 0.2));
  if (tilt_the_floor) {
    const Quat tilt = math::quat_exp(Vec3(0, slope, 0));
    block.orientation = tilt;
    block.position = tilt * block.position;
    parts.bodies = {support::make_plane("floor", tilt * Vec3::UnitZ()), block};
  } else {
    parts.gravity = kGravity * Vec3(std::sin(slope), 0, -std::cos(slope));
    parts.bodies = {support::make_ground(), block};
  }
  return parts;
}

class Slope : public testing::TestWithParam<bool> {};

TEST_P(Slope, HoldsABlockThatFrictionCanHold) {
  const Ran ran = run(make_slope(M_PI / 9, 0.5, GetParam()));
  const BodyState& first = ran.outputs.front().bodies[1];
  const BodyState& last = ran.outputs.back().bodies[1];
  EXPECT_LT((last.x - first.x).norm(), 1e-9);
  EXPECT_LT(last.v.norm() + last.w.norm(), 1e-10);
}

TEST_P(Slope, LetsABlockSlideAtTheRightAcceleration) {
  const double slope = M_PI / 9, mu = 0.2;
  const Ran ran = run(make_slope(slope, mu, GetParam()));
  const double distance = (ran.outputs.back().bodies[1].x - ran.outputs.front().bodies[1].x).norm();
  EXPECT_NEAR(distance, 0.5 * kGravity * (std::sin(slope) - mu * std::cos(slope)), 1e-9);
  EXPECT_LT(ran.outputs.back().bodies[1].w.norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Tilted, Slope, testing::Bool(), [](const auto& each) {
  return each.param ? std::string("Floor") : std::string("Gravity");
});

TEST(SlidingBlock, StopsWhereFrictionHasTakenItsEnergy) {
  const double v0 = 3, mu = 0.4;
  model::BodySpec block = support::make_box("block", Vec3(1, 1, 0.2), Vec3(0, 0, 0.1));
  block.velocity = Vec3(v0, 0, 0);
  const Ran ran = run({.between = {.friction = mu},
                       .bodies = {support::make_ground(), block},
                       .method = support::zeno_free(kStep),
                       .duration = 1});
  // Spread over the last step, friction moves the block by at most μ g h²/8.
  EXPECT_NEAR(ran.outputs.back().bodies[1].x.x(), v0 * v0 / (2 * mu * kGravity),
              mu * kGravity * kStep * kStep / 8 + 1e-10);
  EXPECT_LT(ran.outputs.back().bodies[1].v.norm(), 1e-12);
}

}  // namespace
}  // namespace carom::simulation
