#include "carom/geometry/broad_phase/swept_box.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "support/motion.h"

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

TEST(SweptBox, HoldsEveryPositionOfAPathBetweenTwoStates) {
  base::Random random(4);
  const auto vector = [&](double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size));
  };
  const auto end = [&] {
    return math::MotionEnd{{vector(1), Quat::Identity()}, {vector(3), {}}, {vector(20), {}}};
  };
  for (int round = 0; round < 200; ++round) {
    const RigidMotion motion = math::make_hermite_motion(end(), end(), 0.5);
    const double duration = round % 2 == 0 ? 0.5 : 0.3;
    const Box3 box = swept_box(motion, 0.1, duration);
    for (int i = 0; i <= 1000; ++i) {
      const Vec3 p = position_at(motion, duration * i / 1000);
      ASSERT_GE((p - box.low).minCoeff(), 0.1 - 1e-14);
      ASSERT_GE((box.high - p).minCoeff(), 0.1 - 1e-14);
    }
  }
}

// The control points of a parabola, raised to degree five, leave its apex by a fifth of its height
// at most: 5 m up after 1 s, none of them higher than 6 m.
TEST(SweptBox, IsCloseForAPathBetweenTwoStatesOfAThrow) {
  const RigidMotion thrown{Vec3::Zero(), Vec3(0, 0, 10), Vec3(0, 0, -10), math::SteadySpin{}};
  const auto state = [&](double s) {
    return math::MotionEnd{
        pose_at(thrown, s), support::twist_at(thrown, s), {thrown.a, Vec3::Zero()}};
  };
  const Box3 box = swept_box(math::make_hermite_motion(state(0), state(2), 2), 0, 2);
  EXPECT_GE(box.high.z(), 5);
  EXPECT_LE(box.high.z(), 6 + 1e-13);
  EXPECT_NEAR(box.low.z(), 0, 1e-13);
}

}  // namespace
}  // namespace carom::geometry
