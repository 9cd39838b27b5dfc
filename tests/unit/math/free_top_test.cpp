#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/math/attitude.h"
#include "oracles/top_references.h"

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

double energy(const PrincipalInertia& inertia, const RotationState& at) {
  return 0.5 * at.w.dot(momentum(inertia, at));
}

template <typename Samples>
void expect_samples(const PrincipalInertia& inertia, const Samples& samples, double tolerance) {
  const Vec3 w0(samples[0].w_body.data());
  const FreeTop top(inertia, inertia.q_BP.conjugate(), w0);  // principal axes along the world's
  for (const auto& sample : samples) {
    const RotationState at = top.at(sample.t);
    const Quat q_WP = at.q * inertia.q_BP;
    EXPECT_LT(angle_between(q_WP, Quat(sample.q.data())), tolerance) << sample.t;
    EXPECT_LT((q_WP.conjugate() * at.w - Vec3(sample.w_body.data())).norm(), tolerance) << sample.t;
  }
}

TEST(FreeTop, FollowsTheTumblingTopToRoundOff) {
  expect_samples(kTop, oracles::kTumblingTop, 2e-14);
}

// Near the separatrix an error of one rounding in the start grows e-fold in 1.7 s.
TEST(FreeTop, FollowsTheFlippingTopToRoundOff) {
  expect_samples(kTop, oracles::kFlippingTop, 1e-12);
}

TEST(FreeTop, FollowsThemInATurnedPrincipalFrame) {
  const PrincipalInertia turned{kTop.moments, quat_exp(Vec3(0.3, 2, -1))};
  expect_samples(turned, oracles::kTumblingTop, 3e-14);
}

TEST(FreeTop, ReturnsItsStartAtTimeZero) {
  const Quat q0 = quat_exp(Vec3(1, -0.5, 2));
  const Vec3 w0(0.3, 5, -2);
  const RotationState at = FreeTop(kTop, q0, w0).at(0);
  EXPECT_LT((at.q.coeffs() - q0.coeffs()).norm(), 1e-15);
  EXPECT_LT((at.w - w0).norm(), 4e-15);
}

TEST(FreeTop, KeepsEnergyAndAngularMomentumForAThousandSeconds) {
  for (const Vec3& w0 : {Vec3(1, 0, 1), Vec3(0.01, 1, 0.01), Vec3(-1, 0.2, 0.1)}) {
    const FreeTop top(kTop, Quat::Identity(), w0);
    const RotationState start{Quat::Identity(), w0};
    for (const double s : {1.0, 33.3, 1000.0, -1000.0}) {
      const RotationState at = top.at(s);
      EXPECT_NEAR(energy(kTop, at) / energy(kTop, start), 1, 1e-13);
      EXPECT_LT((momentum(kTop, at) - momentum(kTop, start)).norm(), 1e-13);
    }
  }
}

// The angular velocity returns after 4K/p, and every period turns the body by the same angle about
// L: a thousand of them at once agree with a thousand one by one.
TEST(FreeTop, AddsUpWholePeriods) {
  const double period = 6.93566754103174;
  const FreeTop top(kTop, Quat::Identity(), Vec3(1, 0, 1));
  const Quat once = top.attitude(period);
  Quat many = Quat::Identity();
  for (int i = 0; i < 144; ++i) many = (many * once).normalized();
  EXPECT_LT(angle_between(top.attitude(144 * period), many), 1e-11);
}

// Two equal moments: the figure axis precesses about L at L/I₁ while ω circles it in the body at
// (I₃ − I₁)/I₁ ω₃.
TEST(FreeTop, IsTwoSteadyRotationsForASymmetricBody) {
  const Vec3 w0(1, 0, 5);
  const PrincipalInertia oblate{Vec3(2, 2, 3)};
  const PrincipalInertia prolate = make_principal_inertia(Vec3(2, 2, 1).asDiagonal());
  for (const auto& [inertia, axial] : {std::pair{oblate, 3.0}, std::pair{prolate, 1.0}}) {
    const Vec3 L(2, 0, axial * 5);
    const FreeTop top(inertia, Quat::Identity(), w0);
    for (const double s : {1e-3, 0.4, 3.0, 100.0}) {
      const double body_rate = (axial - 2) / 2 * 5;
      const Quat expected = quat_exp(s / 2 * L) * quat_exp(Vec3(0, 0, -s * body_rate));
      EXPECT_LT(angle_between(top.attitude(s), expected), 2e-13 * (1 + s)) << axial << ' ' << s;
    }
  }
}

TEST(FreeTop, HasThePrecessionRatesOfTheReferenceSymmetricTop) {
  const PrincipalInertia inertia = make_principal_inertia(Vec3(2, 2, 1).asDiagonal());
  const FreeTop top(inertia, Quat::Identity(), Vec3(1, 0, 5));
  const double space_period = 2 * std::numbers::pi / 2.692582403567252;
  EXPECT_LT((top.attitude(space_period) * Vec3::UnitZ() - Vec3::UnitZ()).norm(), 1e-14);
  const double body_period = 2 * std::numbers::pi / 2.5;
  const RotationState at = top.at(body_period);
  EXPECT_LT((at.q.conjugate() * at.w - Vec3(1, 0, 5)).norm(), 2e-14);
}

TEST(FreeTop, IsContinuousTowardsSymmetry) {
  const Vec3 w0(1, 0.4, 0.7);
  for (const double gap : {1e-15, 1e-12, 1e-9}) {
    const FreeTop nearly(PrincipalInertia{Vec3(2, 2 * (1 + gap), 3)}, Quat::Identity(), w0);
    const FreeTop exactly(PrincipalInertia{Vec3(2, 2, 3)}, Quat::Identity(), w0);
    EXPECT_LT(angle_between(nearly.attitude(3), exactly.attitude(3)), 20 * gap + 1e-14);
  }
}

TEST(FreeTop, SpinsSteadilyAboutEachPrincipalAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 w0 = 3 * Vec3::Unit(axis);
    const FreeTop top(kTop, Quat::Identity(), w0);
    EXPECT_EQ(top.angular_velocity(1000), w0);
    EXPECT_LT(angle_between(top.attitude(2), quat_exp(2 * w0)), 1e-15);
    EXPECT_EQ(top.bounds().acceleration, 0);
  }
}

TEST(FreeTop, StaysFiniteOnTheSeparatrix) {
  const Vec3 w0(std::sqrt(3.0), 0.5, 1);  // I₁(I₂ − I₁) ω₁² = I₃(I₃ − I₂) ω₃²
  const FreeTop top(kTop, Quat::Identity(), w0);
  for (const double s : {1.0, 10.0, 1e4}) {
    EXPECT_TRUE(top.attitude(s).coeffs().allFinite());
    EXPECT_NEAR(energy(kTop, top.at(s)) / energy(kTop, {Quat::Identity(), w0}), 1, 1e-12);
  }
}

template <typename Samples>
void expect_restarts_to_follow(const Samples& samples, int steps_a_second, double tolerance) {
  RotationState at{Quat::Identity(), Vec3(samples[0].w_body.data())};
  int step = 0;
  for (const auto& sample : samples) {
    for (; step < sample.t * steps_a_second; ++step) {
      at = FreeTop(kTop, at.q, at.w).at(1.0 / steps_a_second);
    }
    EXPECT_LT(angle_between(at.q, Quat(sample.q.data())), tolerance) << sample.t;
  }
}

TEST(FreeTop, FollowsTheReferencesWhenRestartedEveryMillisecond) {
  expect_restarts_to_follow(oracles::kTumblingTop, 1000, 1e-10);
  expect_restarts_to_follow(oracles::kFlippingTop, 1000, 1e-8);
}

TEST(FreeTop, KeepsEnergyAndAngularMomentumOverAMillionRestarts) {
  for (const Vec3& w0 : {Vec3(1, 0, 1), Vec3(0.01, 1, 0.01)}) {
    const RotationState start{Quat::Identity(), w0};
    RotationState at = start;
    for (int i = 0; i < 1'000'000; ++i) at = FreeTop(kTop, at.q, at.w).at(1e-3);
    const Vec3 L = momentum(kTop, start);
    EXPECT_NEAR(energy(kTop, at) / energy(kTop, start), 1, 1e-10);
    EXPECT_LT((momentum(kTop, at) - L).norm() / L.norm(), 1e-10);
  }
}

}  // namespace
}  // namespace carom::math
