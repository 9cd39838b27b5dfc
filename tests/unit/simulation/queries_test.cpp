// Distances, rays and sweeps against closed forms.
#include "carom/simulation/queries.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/diagnostics.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

using support::make_ball;
using support::make_box;
using support::make_ground;

constexpr BodyId kGround{0}, kBall{1}, kBox{2};

// A ball of radius 0.1 at (0, 0, 1), a cube of edge 1 on the floor at x = 2.
Scene make_scene() {
  return support::build({.bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 1)),
                                    make_box("box", Vec3(1, 1, 1), Vec3(2, 0, 0.5))}});
}

TEST(Queries, FindTheNearestPoints) {
  const Scene scene = make_scene();
  const Queries ask(scene);
  State state = dynamics::make_initial_state(scene);
  const auto over = ask.nearest(state, kBall, kGround);
  EXPECT_NEAR(over->distance, 0.9, 1e-12);
  EXPECT_LT((over->on_a - Vec3(0, 0, 0.9)).norm(), 1e-12);
  EXPECT_LT((over->on_b - Vec3(0, 0, 0)).norm(), 1e-12);
  EXPECT_LT((over->normal - Vec3(0, 0, 1)).norm(), 1e-12);
  const auto beside = ask.nearest(state, kBox, kBall);  // its edge at x = 1.5, z = 1
  EXPECT_NEAR(beside->distance, 1.4, 1e-9);
  EXPECT_LT((beside->normal - Vec3(1, 0, 0)).norm(), 1e-9);
  EXPECT_FALSE(ask.overlap(state, kBall, kGround));
  state[kBall].x.z() = 0.07;
  EXPECT_NEAR(ask.nearest(state, kBall, kGround)->distance, -0.03, 1e-12);
  EXPECT_TRUE(ask.overlap(state, kBall, kGround));
}

TEST(Queries, RaysMeetTheFirstBody) {
  const Scene scene = make_scene();
  const Queries ask(scene);
  const State state = dynamics::make_initial_state(scene);
  const auto side = ask.cast_ray(state, Vec3(-3, 0, 1), Vec3(2, 0, 0), 10);
  ASSERT_TRUE(side);
  EXPECT_EQ(side->body, kBall);
  EXPECT_NEAR(side->distance, 2.9, 1e-9);
  // Off the middle by b the ball is met √(r² - b²) before its centre.
  const auto off = ask.cast_ray(state, Vec3(-3, 0.06, 1), Vec3(1, 0, 0), 10);
  EXPECT_NEAR(off->distance, 3 - 0.08, 1e-8);
  EXPECT_LT((off->normal - Vec3(-0.8, 0.6, 0)).norm(), 1e-6);
  const auto past = ask.cast_ray(state, Vec3(-3, 0.2, 0.7), Vec3(1, 0, 0), 10);
  EXPECT_EQ(past->body, kBox);
  EXPECT_NEAR(past->distance, 4.5, 1e-9);
  const auto down = ask.cast_ray(state, Vec3(0.5, 5, 3), Vec3(0, 1, -1), 10);
  EXPECT_EQ(down->body, kGround);
  EXPECT_NEAR(down->distance, 3 * std::sqrt(2.0), 1e-8);
  EXPECT_FALSE(ask.cast_ray(state, Vec3(-3, 0, 1), Vec3(-1, 0, 0), 10));
  EXPECT_FALSE(ask.cast_ray(state, Vec3(-3, 0, 1), Vec3(1, 0, 0), 2));
  EXPECT_EQ(ask.cast_ray(state, Vec3(2, 0, 0.5), Vec3(1, 0, 0), 2)->distance, 0);  // from inside
  EXPECT_THROW(static_cast<void>(ask.cast_ray(state, Vec3::Zero(), Vec3::Zero(), 1)),
               base::BadInput);
}

TEST(Queries, SweepsTellWhenAMotionTouches) {
  const Scene scene = make_scene();
  const Queries ask(scene);
  const State state = dynamics::make_initial_state(scene);
  const auto down = ask.sweep(state, kBall, {Vec3(0, 0, -2), Vec3::Zero()}, 10);
  ASSERT_TRUE(down);
  EXPECT_EQ(down->body, kGround);
  EXPECT_NEAR(down->s, 0.45, 1e-9);
  EXPECT_LT((down->normal - Vec3(0, 0, 1)).norm(), 1e-9);
  EXPECT_FALSE(ask.sweep(state, kBall, {Vec3(0, 0, -2), Vec3::Zero()}, 0.4));
  const auto beside = ask.sweep(state, kBall, {Vec3(1, 0, -0.2), Vec3::Zero()}, 10);
  EXPECT_EQ(beside->body, kBox);  // its face x = 1.5, below the edge
  EXPECT_NEAR(beside->s, 1.4, 1e-9);
  // The cube tips about its centre, which stands still: an edge meets the floor at once, so it is
  // lifted first; then a corner's arc of radius √½ comes down to the floor.
  State lifted = state;
  lifted[kBox].x.z() = 0.6;
  const auto turns = ask.sweep(lifted, kBox, {Vec3::Zero(), Vec3(0, 1, 0)}, 1);
  ASSERT_TRUE(turns);
  EXPECT_EQ(turns->body, kGround);
  EXPECT_NEAR(turns->s, std::acos(0.6 / std::sqrt(0.5)) * -1 + std::numbers::pi / 4, 1e-9);
}

}  // namespace
}  // namespace carom::simulation
