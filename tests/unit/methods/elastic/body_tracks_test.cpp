// Where bodies are, and how far they have come.
#include "carom/methods/elastic/body_tracks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/scenes.h"

namespace carom::methods {
namespace {

constexpr double kSwing = 0.3;

struct Ball {
  Ball()
      : scene(support::build({.bodies = {support::make_ball("ball", 0.1, Vec3(0, 0, 5))}})),
        state(dynamics::make_initial_state(scene)),
        bodies(scene, {kSwing}) {}

  Scene scene;
  State state;
  BodyTracks bodies;
};

TEST(BodyTracks, ABodyThatNothingPushesFalls) {
  Ball ball;
  ball.state.bodies[0].v = Vec3(2, 0, 0);
  ball.bodies.begin(ball.state);
  const BodyState there = ball.bodies.at(BodyId{0}, 0.5);
  EXPECT_LT((there.x - Vec3(1, 0, 5 - 9.81 / 8)).norm(), 1e-15);
  EXPECT_LT((there.v - Vec3(2, 0, -9.81 / 2)).norm(), 1e-15);
}

// By any point: the centre's way, and as far as it turns.
TEST(BodyTracks, NoBodyGetsFartherThanItHasTravelled) {
  Ball ball;
  ball.state.bodies[0].v = Vec3(2, 0, 1);
  ball.state.bodies[0].w = Vec3(0, 3, 0);
  ball.bodies.begin(ball.state);
  ball.bodies.look_ahead(0, 1);
  double last = 0;
  Vec3 at = ball.state.bodies[0].x;
  for (int i = 1; i <= 100; ++i) {
    const double t = 0.01 * i, travelled = ball.bodies.travelled(BodyId{0}, t);
    const Vec3 x = ball.bodies.at(BodyId{0}, t).x;
    EXPECT_GE(travelled - last, (x - at).norm() + 0.01 * 3 * kSwing);
    last = travelled;
    at = x;
  }
  EXPECT_LT(last, 2 * (std::hypot(2, 9.81) + 3 * kSwing));
}

// What was travelled counts on, whatever a body does next.
TEST(BodyTracks, WaysAddUp) {
  Ball ball;
  ball.bodies.begin(ball.state);
  ball.bodies.look_ahead(0, 1);
  BodyState now = ball.bodies.at(BodyId{0}, 0.25);
  const double fallen = ball.bodies.travelled(BodyId{0}, 0.25);
  ball.bodies.hold(BodyId{0}, now, 0.25, {});
  EXPECT_EQ(ball.bodies.travelled(BodyId{0}, 0.25), fallen);
  BodyState moved = now;
  moved.x += Vec3(0.5, 0, 0);
  EXPECT_NEAR(ball.bodies.travelled(BodyId{0}, moved), fallen + 0.5, 1e-15);
  now.v = Vec3(4, 0, 0);
  moved.v = Vec3(4, 0, 0);
  const RigidMotion step = math::make_hermite_motion({now.pose(), now.twist(), {}},
                                                     {moved.pose(), moved.twist(), {}}, 0.125);
  ball.bodies.step(BodyId{0}, {0.25, 0.375}, step, {});
  EXPECT_GE(ball.bodies.travelled(BodyId{0}, 0.375), fallen + 0.5 - 1e-12);
  EXPECT_LT((ball.bodies.at(BodyId{0}, 0.375).x - moved.x).norm(), 1e-15);
  EXPECT_LT((ball.bodies.at(BodyId{0}, 0.5).x - moved.x - Vec3(0.5, 0, 0)).norm(), 1e-15);
  ball.bodies.fly(BodyId{0}, moved, 0.375);
  EXPECT_GE(ball.bodies.travelled(BodyId{0}, 0.375), fallen + 0.5 - 1e-12);
}

}  // namespace
}  // namespace carom::methods
