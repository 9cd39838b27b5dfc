// Expected values: closed forms, and the distance of the shapes without their balls.
#include "carom/geometry/distance/mpr.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/math/rotation.h"

namespace carom::geometry {
namespace {

Pose at(double x, double y, double z) { return {{x, y, z}, Quat::Identity()}; }

Distance mpr(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
             const MprOptions& options = {}) {
  const Convex convex_a = make_convex(a), convex_b = make_convex(b);
  return compute_mpr({convex_a, X_WA}, {convex_b, X_WB}, options);
}

TEST(Mpr, IsTheDistanceOfShapesThatAreApart) {
  const Distance found = mpr(Box{{1, 1, 1}}, at(0, 0, 0), Box{{1, 1, 1}}, at(4, 5, 2.5));
  EXPECT_EQ(found.status, DistanceStatus::Converged);
  EXPECT_NEAR(found.value, std::sqrt(4 + 9 + 0.25), 1e-9);
  EXPECT_NEAR(mpr(Ellipsoid{{1, 2, 3}}, {}, Sphere{0.5}, at(4, 0, 0)).value, 2.5, 1e-8);
}

TEST(Mpr, OfShapesWithOneCentreIsADepth) {
  const Distance found = mpr(Box{{1, 2, 3}}, {}, Box{{1, 2, 3}}, {});
  EXPECT_LT(found.value, -2 + 1e-9);  // the true depth at least
  EXPECT_NEAR(mpr(Sphere{1}, {}, Sphere{2}, {}).value, -3, 1e-8);
}

TEST(Mpr, OfTouchingFacesIsZeroWithTheirNormal) {
  const Distance found = mpr(Box{{1, 1, 1}}, at(0.2, 0.3, 2), Box{{1, 1, 1}}, {});
  EXPECT_NEAR(found.value, 0, 1e-9);
}

// A corner in a face, the diagonal through it upright: as deep as the corner is below the face.
TEST(Mpr, OfACornerInAFaceIsTheExactDepth) {
  const Quat on_corner = math::turn_between(Vec3(1, 1, 1), Vec3(0, 0, -1));
  for (const double depth : {1e-6, 1e-3, 0.1}) {
    const Pose X_WA{{0.3, -0.2, 1 + std::sqrt(3.0) - depth}, on_corner};
    const Distance found = mpr(Box{{1, 1, 1}}, X_WA, Box{{1, 1, 1}}, {}, {.tolerance = 1e-12});
    EXPECT_EQ(found.status, DistanceStatus::Converged);
    EXPECT_NEAR(found.value, -depth, 1e-12);
    EXPECT_LT((found.normal - Vec3::UnitZ()).norm(), 1e-9);
    EXPECT_LT((0.5 * (found.p_A + found.p_B) - Vec3(0.3, -0.2, 1 - depth / 2)).norm(), 1e-9);
  }
}

// At the tolerance that contact forces want; along an axis the depth is that of its end. What
// almost touches may be beyond reach, and says so.
TEST(Mpr, OfCurvedShapesIsAsExactAsAskedOrSaysThatItIsNot) {
  for (const double gap : {0.1, 1e-4, 1e-8, -1e-8, -1e-4}) {
    const Distance found =
        mpr(Ellipsoid{{1, 2, 0.5}}, at(0, 0, 1.5 + gap), Cylinder{1, 2}, {}, {.tolerance = 1e-12});
    const bool converged = found.status == DistanceStatus::Converged;
    EXPECT_NEAR(found.value, gap, converged ? 2e-11 : 1e-8) << gap;
    EXPECT_TRUE(converged || std::abs(gap) < 1e-6) << gap;
  }
}

TEST(Mpr, SaysOnWhichSideOfContactAPairIs) {
  for (const double gap : {1e-3, 1e-6, -1e-6, -1e-3}) {
    const double value = mpr(Box{{1, 1, 1}}, at(0.2, 0.3, 2 + gap), Cylinder{1, 2}, {}).value;
    EXPECT_EQ(value > 0, gap > 0) << gap;
  }
}

TEST(Mpr, WithBallsIsExactWhileTheDepthIsBelowTheirRadii) {
  const MprOptions round{.radius_a = 0.02, .radius_b = 0.03};
  const Convex cone = make_convex(Cone{1, 2}), box = make_convex(Box{{1, 1, 1}});
  const Quat lean(0.9, 0.3, 0.2, -0.1);
  for (double height = 2.6; height > 1.2; height -= 0.01) {
    const Pose X_WA{{0.3, 0.9, height}, lean.normalized()}, X_WB;
    DistanceHint hint;
    const double sharp = compute_distance({cone, X_WA}, {box, X_WB}, hint).value;
    if (sharp < 1e-6) break;
    const Distance found = compute_mpr({cone, X_WA}, {box, X_WB}, round);
    EXPECT_NEAR(found.value, sharp - 0.05, 1e-8);
    EXPECT_LT((found.p_A - found.p_B - found.value * found.normal).norm(), 1e-8);
  }
}

// Over the edge of a box the normal turns by no more than the way divided by the distance of the
// shapes inside the balls, at least the ball's radius less the depth.
TEST(Mpr, WithBallsTurnsTheNormalContinuouslyOverAnEdge) {
  const MprOptions round{.radius_a = 0, .radius_b = 0.1};
  const double step = 1e-3;
  Vec3 last = Vec3::UnitZ();
  for (double x = 0.5; x < 1.5; x += step) {
    const Distance found = mpr(Sphere{0.1}, at(x, 0, 1.15), Box{{1, 1, 1}}, {}, round);
    EXPECT_LE((found.normal - last).norm(), step / 0.15 + 1e-6) << x;
    last = found.normal;
  }
  EXPECT_GT(last.x(), 0.9);
}

}  // namespace
}  // namespace carom::geometry
