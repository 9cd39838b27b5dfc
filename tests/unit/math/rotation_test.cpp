#include <gtest/gtest.h>

#include <cmath>

#include "carom/math/attitude.h"

namespace carom::math {
namespace {

const PrincipalInertia kTop{Vec3(1, 2, 3)};

double angle_between(const Quat& a, const Quat& b) {
  return 2 * std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

Vec3 momentum(const PrincipalInertia& inertia, const RotationState& at) {
  const Quat q_WP = at.q * inertia.q_BP;
  return q_WP * inertia.moments.cwiseProduct(q_WP.conjugate() * at.w);
}

TEST(QuatExp, TurnsByTheLengthOfTheVector) {
  const Vec3 turn(0.3, -1.1, 0.4);
  const Quat expected(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
  EXPECT_LT((quat_exp(turn).coeffs() - expected.coeffs()).norm(), 1e-15);
}

TEST(QuatExp, KeepsTinyRotations) {
  for (const double size : {0.0, 1e-300, 1e-20, 1e-9, 1e-8}) {
    const Quat q = quat_exp(Vec3(0, size, 0));
    EXPECT_DOUBLE_EQ(q.y(), size / 2);
    EXPECT_DOUBLE_EQ(q.w(), 1);
  }
}

TEST(TurnBetween, TakesOneDirectionToTheOther) {
  const Vec3 a(1, 2, -2), b(-3, 0.5, 1);
  for (const auto& [from, to] : {std::pair(a, b), std::pair(a, a), std::pair(a, Vec3(-a)),
                                 std::pair(a, Vec3(1e-7 * b - a))}) {
    const Quat turn = turn_between(from, 3 * to);
    EXPECT_NEAR(turn.norm(), 1, 1e-15);
    EXPECT_LT((turn * from.normalized() - to.normalized()).norm(), 1e-15);
    EXPECT_NEAR(turn.vec().dot(from.normalized()), 0, 1e-6);  // the shortest
  }
}

TEST(Rotate, KeepsLengthsWhenTheQuaternionIsNotQuiteUnit) {
  Quat q = quat_exp(Vec3(1, 2, 3));
  const Vec3 v(0.3, -0.2, 5), expected = q * v;
  q.coeffs() *= 1 + 1e-9;
  EXPECT_LT((rotate(q, v) - expected).norm(), 1e-14);
  EXPECT_EQ(rotate(q, Vec3::Zero()), Vec3::Zero());
}

TEST(PrincipalInertia, LeavesASortedDiagonalAlone) {
  const PrincipalInertia principal = make_principal_inertia(Vec3(1, 1, 3).asDiagonal());
  EXPECT_EQ(principal.moments, Vec3(1, 1, 3));
  EXPECT_EQ(principal.q_BP.coeffs(), Quat::Identity().coeffs());
}

TEST(PrincipalInertia, SortsMomentsAndRebuildsTheInertia) {
  const Mat3 R = quat_exp(Vec3(0.4, -2, 1)).toRotationMatrix();
  for (const Vec3& moments : {Vec3(3, 1, 2), Vec3(2, 1, 3), Vec3(5, 5, 1), Vec3(2, 2, 2)}) {
    for (const Mat3& frame : {Mat3(Mat3::Identity()), R}) {
      const Mat3 inertia = frame * moments.asDiagonal() * frame.transpose();
      const PrincipalInertia principal = make_principal_inertia(inertia);
      const Mat3 axes = principal.q_BP.toRotationMatrix();
      EXPECT_LE(principal.moments[0], principal.moments[1]);
      EXPECT_LE(principal.moments[1], principal.moments[2]);
      EXPECT_LT((axes * principal.moments.asDiagonal() * axes.transpose() - inertia).norm(), 1e-14);
    }
  }
}

TEST(SteadySpin, TurnsAtAConstantRate) {
  const SteadySpin spin{quat_exp(Vec3(0, 1, 0)), Vec3(0, 0, 2)};
  EXPECT_LT(angle_between(attitude_at(spin, 0.7), quat_exp(Vec3(0, 0, 1.4)) * spin.q0), 1e-15);
  EXPECT_EQ(angular_velocity_at(spin, 0.7), spin.w);
  EXPECT_EQ(spin_bounds(spin, 5).speed, 2);
  EXPECT_EQ(spin_bounds(spin, 5).acceleration, 0);
}

TEST(TorquedTop, IsExactForSteadySpin) {
  const Vec3 w(0, 0,
               9);  // along a principal axis, at an angle that a plain Runge–Kutta step misses
  const TorquedTop top(kTop, Quat::Identity(), w, Vec3::Zero());
  EXPECT_LT(angle_between(top.attitude(0.3), quat_exp(0.3 * w)), 1e-15);
  EXPECT_LT((top.angular_velocity(0.3) - w).norm(), 1e-14);
}

TEST(TorquedTop, GainsAngularMomentumExactly) {
  const Vec3 w(1, -2, 0.5), torque(0.3, 4, -1);
  const Quat q0 = quat_exp(Vec3(1, 0, 2));
  const TorquedTop top(kTop, q0, w, torque);
  const Vec3 L0 = momentum(kTop, {q0, w});
  for (const double s : {1e-3, 0.1, 1.0}) {
    EXPECT_LT((momentum(kTop, top.at(s)) - L0 - s * torque).norm(), 1e-14);
  }
}

// A symmetric body pushed about its axis while it spins there: θ = ω s + τ s² / 2 I.
TEST(TorquedTop, AcceleratesASpinAboutItsAxis) {
  const TorquedTop top(kTop, Quat::Identity(), Vec3(0, 0, 1), Vec3(0, 0, 6));
  EXPECT_LT(angle_between(top.attitude(0.5), quat_exp(Vec3(0, 0, 0.5 + 0.25))), 1e-15);
  EXPECT_LT((top.angular_velocity(0.5) - Vec3(0, 0, 2)).norm(), 1e-15);
}

TEST(TorquedTop, HasAnErrorOfOrderFiveInItsStep) {
  const Quat q0 = quat_exp(Vec3(0.2, 0.1, 0));
  const Vec3 w(1, 2, -1);
  const TorquedTop top(kTop, q0, w, Vec3::Zero());
  const FreeTop exact(kTop, q0, w);
  const double coarse = angle_between(top.attitude(0.08), exact.attitude(0.08));
  const double fine = angle_between(top.attitude(0.04), exact.attitude(0.04));
  EXPECT_NEAR(std::log2(coarse / fine), 5, 0.15);
}

// A ball under a torque across its spin: many short steps of the Runge–Kutta law for unequal
// moments, which are equal here but for a part in a million million, are the reference.
TEST(TorquedTop, HasAnErrorOfOrderFiveInItsStepWhenAllMomentsAreEqual) {
  const PrincipalInertia ball{Vec3(2, 2, 2)}, nearly{Vec3(2, 2, 2 + 2e-12)};
  ASSERT_TRUE(ball.is_spherical());
  ASSERT_FALSE(nearly.is_spherical());
  const Quat q0 = quat_exp(Vec3(0.2, 0.1, 0));
  const Vec3 w(1, 2, -1), torque(5, -3, 8);
  const TorquedTop top(ball, q0, w, torque);
  const auto error = [&](double s) {
    RotationState exact{q0, w};
    for (int i = 0; i < 64; ++i) exact = TorquedTop(nearly, exact.q, exact.w, torque).at(s / 64);
    return angle_between(top.attitude(s), exact.q);
  };
  EXPECT_NEAR(std::log2(error(0.16) / error(0.08)), 5, 0.15);
  EXPECT_LT((top.angular_velocity(0.5) - w - 0.25 * torque).norm(), 1e-15);
}

TEST(Rotation, IsGivenBackAtTheStartToTheLastBit) {
  const Quat q0 = quat_exp(Vec3(0.2, 0.1, 0));
  const Vec3 w(1, 2, -1), torque(0.5, -3, 2);
  for (const Rotation& law : {Rotation(SteadySpin{q0, w}), Rotation(FreeTop(kTop, q0, w)),
                              Rotation(TorquedTop(kTop, q0, w, torque))}) {
    EXPECT_EQ(rotation_at(law, 0).q.coeffs(), q0.coeffs());
    EXPECT_EQ(rotation_at(law, 0).w, w);
    const Vec3 rate = (angular_velocity_at(law, 1e-5) - angular_velocity_at(law, -1e-5)) / 2e-5;
    EXPECT_LT((rotation_at(law, 0).w_rate - rate).norm(), 1e-8);
  }
}

TEST(SpinBounds, HoldAlongTheMotion) {
  const Vec3 w(1, 2, -1), torque(0.5, -3, 2);
  const Rotation laws[] = {FreeTop(kTop, Quat::Identity(), w),
                           FreeTop(kTop, Quat::Identity(), Vec3(0.01, 1, 0.01)),
                           TorquedTop(kTop, Quat::Identity(), w, torque),
                           TorquedTop({Vec3(2, 2, 2)}, Quat::Identity(), w, torque)};
  for (const Rotation& law : laws) {
    const SpinBounds bounds = spin_bounds(law, 1);
    const double d = 1e-6;
    for (double s = 0; s < 1; s += 0.01) {
      const Vec3 here = angular_velocity_at(law, s), next = angular_velocity_at(law, s + d);
      EXPECT_LE(here.norm(), bounds.speed * (1 + 1e-14));
      EXPECT_LE((next - here).norm() / d, bounds.acceleration * (1 + 1e-8) + 1e-8);
    }
  }
}

TEST(SpinBounds, AreTightForTheFlippingTop) {  // |ω|² = A_a² + A_c² when it passes the 1-3 plane
  const double speed = spin_bounds(FreeTop(kTop, Quat::Identity(), Vec3(0.01, 1, 0.01)), 1).speed;
  double fastest = 0;
  for (double s = 0; s < 40; s += 0.01) {
    const FreeTop top(kTop, Quat::Identity(), Vec3(0.01, 1, 0.01));
    fastest = std::max(fastest, top.angular_velocity(s).norm());
  }
  EXPECT_NEAR(speed / fastest, 1, 1e-4);
}

}  // namespace
}  // namespace carom::math
