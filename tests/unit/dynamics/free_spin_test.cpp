#include "carom/dynamics/free_spin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracles/top_references.h"
#include "unit/dynamics/test_scenes.h"

namespace carom::dynamics {
namespace {

const math::PrincipalInertia kTop{Vec3(1, 2, 3), math::quat_exp(Vec3(0.3, 0.1, -2))};
// Principal axes along the world's at the start, as in the references.
const math::RotationState kStart{kTop.q_BP.conjugate(), Vec3(1, 0, 1)};

Vec3 momentum(const math::RotationState& at) {
  const Quat q_WP = at.q * kTop.q_BP;
  return q_WP * kTop.moments.cwiseProduct(q_WP.conjugate() * at.w);
}

TEST(FreeSpin, HasOrderTwo) {
  const auto& reference = oracles::kTumblingTop.back();
  const auto error = [&](int steps) {
    const FreeSpin run = integrate_free_spin(kTop, kStart, reference.t, steps);
    EXPECT_EQ(run.status, IntegrationStatus::Converged);
    return angle_between(run.end.q * kTop.q_BP, Quat(reference.q.data()));
  };
  EXPECT_NEAR(std::log2(error(2000) / error(4000)), 2, 0.02);
}

TEST(FreeSpin, KeepsEnergyAndSpatialMomentumAtCoarseSteps) {
  const FreeSpin run = integrate_free_spin(kTop, kStart, 1000, 10000);
  EXPECT_EQ(run.status, IntegrationStatus::Converged);
  const Vec3 L0 = momentum(kStart), L = momentum(run.end);
  EXPECT_NEAR(run.end.w.dot(L) / kStart.w.dot(L0), 1, 1e-12);
  EXPECT_LT((L - L0).norm() / L0.norm(), 1e-12);
}

TEST(FreeSpin, SaysWhenAStepIsTooLong) {
  const FreeSpin run = integrate_free_spin(kTop, kStart, 1000, 10);
  EXPECT_EQ(run.status, IntegrationStatus::StepLimit);
  EXPECT_LT(run.steps, 10);
}

TEST(FreeSpin, SaysWhenTheStartIsNoNumber) {
  const math::RotationState bad{Quat::Identity(),
                                Vec3(std::numeric_limits<double>::quiet_NaN(), 0, 0)};
  EXPECT_EQ(integrate_free_spin(kTop, bad, 1, 10).status, IntegrationStatus::NotFinite);
}

}  // namespace
}  // namespace carom::dynamics
