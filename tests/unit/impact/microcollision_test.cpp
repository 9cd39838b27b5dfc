// One contact of bodies that only collide, against closed forms of a point mass and of a ball.
#include "carom/impact/microcollision.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::impact {
namespace {

constexpr double kHop = 0.1;  // m/s

Vec3 velocity_after(const Collision& collision, const MicrocollisionResult& result) {
  return collision.u + collision.K * result.impulse;
}

Collision point_mass(const Vec3& u, double friction = 0, double restitution = 0) {
  return {Mat3::Identity(), u, friction, restitution};
}

Vec3 hop_from(const Collision& collision, const MicrocollisionRule& rule) {
  Fallbacks fallbacks;
  return velocity_after(collision, resolve_microcollision(collision, rule, fallbacks));
}

TEST(Microcollision, RestitutionGrowsToOneAsAnApproachBecomesSlow) {
  EXPECT_EQ(hop_restitution(10, 0.5, 1), 0.5);
  EXPECT_EQ(hop_restitution(1.6, 0.5, 1), 1 / 1.6);
  EXPECT_EQ(hop_restitution(0.5, 0.5, 1), 1);
  EXPECT_EQ(rebound_speed(10, 0, 1), 1);
  EXPECT_EQ(rebound_speed(0.5, 0, 1), 0.5);
  EXPECT_EQ(rebound_speed(0.01, 0, 1), 1);
}

TEST(Microcollision, NeverGainsEnergyUnlessItLifts) {
  for (const double approach : {0.011, 0.05, 0.1, 0.15, 0.3, 2.0}) {
    for (const double slip : {0.0, 0.02, 0.5}) {
      const Collision collision = point_mass({-approach, slip, 0}, 0.3, 0.5);
      Fallbacks fallbacks;
      const MicrocollisionResult result =
          resolve_microcollision(collision, {.speed = kHop}, fallbacks);
      EXPECT_FALSE(result.lifted);
      EXPECT_LE(energy_of(collision, result.impulse), 1e-15) << approach << ' ' << slip;
    }
  }
}

// On a wall the part of gravity along the normal is round-off, and takes for ever to bring
// anything back.
TEST(Microcollision, BrakesWhatSlidesOnAWall) {
  const Collision collision = point_mass({-0.04, 17, 0}, 1);
  const MicrocollisionRule wall{.speed = kHop, .fall = Vec3(-1e-16, 0, -9.81)};
  Fallbacks fallbacks;
  const MicrocollisionResult result = resolve_microcollision(collision, wall, fallbacks);
  EXPECT_NEAR(result.impulse.y(), -result.impulse.x(), 1e-2 * result.impulse.x());
  EXPECT_LT(energy_of(collision, result.impulse), 0);
}

TEST(Microcollision, LiftsWhatHardlyApproaches) {
  const Collision still = point_mass({-1e-4, 0, 0});
  Fallbacks fallbacks;
  const MicrocollisionResult result = resolve_microcollision(still, {.speed = kHop}, fallbacks);
  EXPECT_TRUE(result.lifted);
  EXPECT_NEAR(velocity_after(still, result).x(), kHop, 1e-15);
  EXPECT_FALSE(resolve_microcollision(still, {.speed = kHop, .may_lift = false}, fallbacks).lifted);
}

// §4.5: on a slope of φ a contact that has fallen from rest comes in along gravity and is reversed,
// if tan φ is below the coefficient of friction.
TEST(Microcollision, ReversesAFallFromRestOnASlope) {
  for (const double slope : {0.1, 0.35, 0.46}) {
    const Vec3 fall(-std::cos(slope), std::sin(slope), 0);
    const Vec3 u = 0.09 * fall / std::cos(slope);
    const Vec3 after = hop_from(point_mass(u, 0.5), {.speed = kHop, .fall = 9.81 * fall});
    EXPECT_NEAR((after + u).norm(), 0, 1e-15) << slope;
  }
}

// However it comes in, it leaves against gravity, so that it falls back on the same place: the
// paper's reversal would send one that came straight down straight up, and gravity takes it
// downhill.
TEST(Microcollision, LeavesAgainstGravityHoweverItCame) {
  const double slope = 0.3;
  const MicrocollisionRule rule{.speed = kHop,
                                .fall = 9.81 * Vec3(-std::cos(slope), std::sin(slope), 0)};
  for (const double slip : {-0.02, 0.0, 0.02}) {
    const Vec3 after = hop_from(point_mass({-0.09, slip, 0}, 0.8), rule);
    EXPECT_NEAR(after.y() / after.x(), -std::tan(slope), 1e-12) << slip;
  }
}

TEST(Microcollision, SticksWithoutStaticFriction) {
  const double slope = 0.3;
  const MicrocollisionRule rule{.speed = kHop,
                                .fall = 9.81 * Vec3(-std::cos(slope), std::sin(slope), 0),
                                .static_friction = false};
  EXPECT_NEAR(hop_from(point_mass({-0.09, 0.02, 0}, 0.8), rule).y(), 0, 1e-15);
}

// Beyond the cone friction is all there is: μ times the normal impulse, against the slip.
TEST(Microcollision, SlidesWhereTheConeEnds) {
  const Vec3 after = hop_from(point_mass({-0.09, 1, 0}, 0.2), {.speed = kHop});
  EXPECT_NEAR(after.x(), 0.09, 1e-15);
  EXPECT_NEAR(after.y(), 1 - 0.2 * 2 * 0.09, 1e-14);
}

// A ball's slip takes 7/2 of what its centre does, whatever it does along the normal.
TEST(Microcollision, MakesGoodTheDriftOfABall) {
  const Collision ball{Vec3(1, 3.5, 3.5).asDiagonal(), {-0.09, 0, 0}, 0.5, 0};
  const Vec3 after = hop_from(ball, {.speed = kHop, .back = Vec3(0, 0.01, -0.02)});
  EXPECT_NEAR((after - Vec3(0.09, 0.01, -0.02)).norm(), 0, 1e-14);
}

}  // namespace
}  // namespace carom::impact
