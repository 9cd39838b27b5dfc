#include "carom/dynamics/equations_of_motion.h"

#include <gtest/gtest.h>

#include "unit/dynamics/test_scenes.h"

namespace carom::dynamics {
namespace {

const Vec3 kGravity(0, 0, -9.81);

TEST(EquationsOfMotion, GiveEulersEquationsInBodyAxes) {
  const Body body = make_body(2, Vec3(1, 2, 3).asDiagonal());
  const Vec3 w(1, 2, -1);
  const Acceleration a = compute_acceleration(body, {.w = w}, {}, kGravity);
  // I₁ ω₁' = (I₂ − I₃) ω₂ ω₃, and cyclically
  EXPECT_LT((a.angular - Vec3(-1 * 2 * -1, 2 * -1 * 1 / 2.0, -1 * 1 * 2 / 3.0)).norm(), 1e-15);
  EXPECT_EQ(a.linear, kGravity);
}

TEST(EquationsOfMotion, MatchTheClosedFormOfATurnedTop) {
  const Body body = make_body(2, Vec3(1, 2, 3).asDiagonal());
  const Quat q = math::quat_exp(Vec3(1, -0.4, 2));
  const Vec3 w(1, 2, -1);
  const double d = 1e-5;
  const math::FreeTop top(body.principal, q, w);
  const Vec3 slope = (top.angular_velocity(d) - top.angular_velocity(-d)) / (2 * d);
  const BodyState state{.q = q, .w = w};
  EXPECT_LT((compute_acceleration(body, state, {}, kGravity).angular - slope).norm(), 1e-9);
}

TEST(EquationsOfMotion, DivideForceByMassAndTorqueByInertia) {
  const Body body = make_body(2, Vec3(1, 2, 4).asDiagonal());
  const Wrench wrench{Vec3(2, 0, 2 * 9.81), Vec3(1, 1, 1)};
  const Acceleration a = compute_acceleration(body, {}, wrench, kGravity);
  EXPECT_LT((a.linear - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(a.angular, Vec3(1, 0.5, 0.25));
}

TEST(EquationsOfMotion, LeaveBodiesAloneThatNothingPushes) {
  const Wrench wrench{Vec3(1, 1, 1), Vec3(1, 1, 1)};
  for (const model::Motion motion : {model::Motion::Fixed, model::Motion::Driven}) {
    const Acceleration a =
        compute_acceleration(make_unmoved(motion), {.w = Vec3(1, 2, 3)}, wrench, kGravity);
    EXPECT_EQ(a.linear, Vec3::Zero());
    EXPECT_EQ(a.angular, Vec3::Zero());
  }
}

TEST(EquationsOfMotion, TurnTheAttitudeAtTheAngularVelocity) {
  const math::SteadySpin spin{math::quat_exp(Vec3(1, 0, 2)), Vec3(0.3, -1, 2)};
  const double d = 1e-5;
  const Eigen::Vector4d slope = (spin.at(d).q.coeffs() - spin.at(-d).q.coeffs()) / (2 * d);
  EXPECT_LT((attitude_rate(spin.q0, spin.w).coeffs() - slope).norm(), 1e-9);
}

}  // namespace
}  // namespace carom::dynamics
