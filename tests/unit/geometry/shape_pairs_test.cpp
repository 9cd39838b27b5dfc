#include "carom/geometry/distance/shape_pairs.h"

#include <gtest/gtest.h>

namespace carom::geometry {
namespace {

TEST(PairTable, ServesBallsAndWhatStandsOnPoints) {
  const Shape ball = Sphere{1}, box = Box{Vec3::Ones()}, plane = Plane{Vec3::UnitZ(), 0};
  EXPECT_EQ(pair_method(ball, ball).routine, PairRoutine::BallOnBall);
  for (const Shape& shape : {ball, box, Shape(Capsule{1, 1})}) {
    EXPECT_EQ(pair_method(shape, plane).routine, PairRoutine::PointsOnPlane);
    EXPECT_FALSE(pair_method(shape, plane).swapped);
    EXPECT_EQ(pair_method(plane, shape).routine, PairRoutine::PointsOnPlane);
    EXPECT_TRUE(pair_method(plane, shape).swapped);
  }
  EXPECT_EQ(pair_method(plane, plane).routine, PairRoutine::Ignored);
  EXPECT_EQ(pair_method(Cone{1, 1}, plane).routine, PairRoutine::TwoConvex);
  EXPECT_EQ(pair_method(box, ball).routine, PairRoutine::TwoConvex);
}

TEST(PairTable, PutsThePointsWhereTheShapeSitsOnItsBody) {
  const Shape box = Box{Vec3(1, 2, 3)}, plane = Plane{Vec3::UnitZ(), 0.5};
  const Pose on_a{Vec3(0, 0, 10), Quat::Identity()}, on_b{Vec3(0, 0, 2), Quat::Identity()};
  std::vector<FeaturePair> pairs;
  append_feature_pairs(PairRoutine::PointsOnPlane, {box, on_a}, {plane, on_b}, pairs);
  ASSERT_EQ(pairs.size(), 8U);
  double lowest = HUGE_VAL, highest = -HUGE_VAL;
  for (const FeaturePair& pair : pairs) {
    lowest = std::min(lowest, contact_point(pair, {}, {}).gap);
    highest = std::max(highest, contact_point(pair, {}, {}).gap);
  }
  EXPECT_NEAR(lowest, 10 - 3 - 2.5, 1e-14);
  EXPECT_NEAR(highest, 10 + 3 - 2.5, 1e-14);
}

}  // namespace
}  // namespace carom::geometry
