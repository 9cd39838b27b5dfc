// The paradox of Drumwright's figures 1 and 2, and what works before it.
#include "carom/methods/naive/naive.h"

#include <gtest/gtest.h>

#include "carom/methods/stop_reasons.h"
#include "support/rig.h"

namespace carom::methods {
namespace {

using support::make_ball;
using support::make_ground;
using support::Rig;

TEST(Naive, FreezesOnARestingBoxAndSaysSo) {
  Rig rig({.gravity = Vec3(0, 0, -9.8),
           .bodies = {make_ground(), support::make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))},
           .method = {"naive", {{"step", 0.001}}}});
  const AdvanceResult result = rig.advance_steps(1);
  EXPECT_EQ(result.status, AdvanceStatus::ZenoPoint);
  EXPECT_EQ(rig.state.t, 0);  // after 100 000 treatments
  EXPECT_EQ(rig.scene.body(result.a).name, "box");
  EXPECT_EQ(rig.scene.body(result.b).name, "ground");
  ASSERT_TRUE(result.at);  // a corner
  EXPECT_LT((result.at->point.cwiseAbs() - Vec3(0.5, 0.5, 0)).norm(), 1e-12);
  const std::string words = describe(result, rig.scene, rig.state.t);
  for (const char* word : {"t = 0", "box", "ground", "Zeno", "normal (0, 0, 1)"})
    EXPECT_NE(words.find(word), std::string::npos) << words;
}

// Drumwright's sliding boxes without gravity, so that nothing rests before they collide: they stay
// together, and that is the end.
TEST(Naive, FreezesWhereBoxesCollideWithoutRestitution) {
  model::BodySpec left = support::make_box("left", Vec3(1, 1, 1), Vec3(-1.05, 0, 0.5));
  left.velocity = Vec3(10, 0, 0);
  Rig rig({.gravity = Vec3::Zero(),
           .bodies = {left, support::make_box("right", Vec3(1, 1, 1), Vec3(0, 0, 0.5))},
           .method = {"naive", {{"step", 0.001}, {"max_treatments", 1000.0}}}});
  const AdvanceResult result = rig.advance_steps(100);
  EXPECT_EQ(result.status, AdvanceStatus::ZenoPoint);
  EXPECT_NEAR(rig.state.t, 0.005, 1e-12);  // 5 cm at 10 m/s
  EXPECT_EQ(rig.scene.body(result.a).name, "left");
  EXPECT_EQ(rig.scene.body(result.b).name, "right");
  ASSERT_TRUE(result.at);
  EXPECT_NEAR(result.at->point.x(), -0.5, 1e-12);
  EXPECT_NEAR(std::abs(result.at->normal.x()), 1, 1e-12);
}

TEST(Naive, BouncesAnElasticBallForEver) {
  Rig rig({.between = {.restitution = 1},
           .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 1.1))},
           .method = {"naive", {{"step", 0.01}}}});
  ASSERT_TRUE(rig.advance_steps(1000).ok());
  const double period = 2 * std::sqrt(2 / 9.81);
  EXPECT_EQ(rig.witness.impacts.size(), static_cast<std::size_t>(10 / period + 0.5));
}

TEST(Naive, FreezesWhereABounceSequenceEnds) {
  Rig rig({.between = {.restitution = 0.5},
           .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 1.1))},
           .method = {"naive", {{"step", 0.01}, {"max_treatments", 1000.0}}}});
  EXPECT_EQ(rig.advance_steps(1000).status, AdvanceStatus::ZenoPoint);
  EXPECT_NEAR(rig.state.t, 1.3545709229571927,
              1e-5);  // Zeno time; the rest speed ends it a little earlier
}

}  // namespace
}  // namespace carom::methods
