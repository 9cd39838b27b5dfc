#include "carom/geometry/swept_box.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"

namespace carom::geometry {
namespace {

TEST(SweptBox, HasTheApexOfAThrowAsItsTop) {
  RigidMotion motion;
  motion.v0 = Vec3(1, 0, 10);
  motion.a = Vec3(0, 0, -10);
  const Box3 box = swept_box(motion, 0.5, 1.5);  // apex at 1 s, 5 m up; 3.75 m up at the end
  EXPECT_TRUE(box.low.isApprox(Vec3(-0.5, -0.5, -0.5), 1e-14));
  EXPECT_TRUE(box.high.isApprox(Vec3(2, 0.5, 5.5), 1e-14));
}

TEST(SweptBox, EndsWhereTheFlightEndsBeforeTheApex) {
  RigidMotion motion;
  motion.v0 = Vec3(0, 0, 10);
  motion.a = Vec3(0, 0, -10);
  const Box3 box = swept_box(motion, 0, 0.5);
  EXPECT_DOUBLE_EQ(box.low.z(), 0);
  EXPECT_DOUBLE_EQ(box.high.z(), 3.75);
}

TEST(SweptBox, HoldsEveryPositionAndIsTight) {
  base::Random random(3);
  const auto vector = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  for (int round = 0; round < 200; ++round) {
    RigidMotion motion;
    motion.x0 = vector();
    motion.v0 = vector();
    motion.a = vector();
    const Box3 box = swept_box(motion, 0, 2);
    Box3 seen{motion.x0, motion.x0};
    constexpr int kSamples = 1000;
    for (int i = 0; i <= kSamples; ++i) {
      const Vec3 p = position_at(motion, 2.0 * i / kSamples);
      seen = {seen.low.cwiseMin(p), seen.high.cwiseMax(p)};
    }
    // Between samples 2 ms apart a parabola of |a| <= 1 rises by less than |a| s²/2 = 5e-7.
    EXPECT_TRUE((seen.low - box.low).minCoeff() >= -1e-15 &&
                (seen.low - box.low).maxCoeff() < 1e-6);
    EXPECT_TRUE((box.high - seen.high).minCoeff() >= -1e-15 &&
                (box.high - seen.high).maxCoeff() < 1e-6);
  }
}

}  // namespace
}  // namespace carom::geometry
