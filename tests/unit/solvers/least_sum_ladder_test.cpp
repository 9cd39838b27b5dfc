#include "carom/solvers/least_sum_ladder.h"

#include <gtest/gtest.h>

#include "support/rows.h"

namespace carom::solvers {
namespace {

struct Climb {
  Rung rung;
  VecX j;
};

Climb climb(const MatX& A, const VecX& b, const std::vector<std::int32_t>& chosen,
            const std::vector<std::int32_t>& equalities) {
  const math::BlockRows rows = support::rows_of(A);
  VecX j = VecX::Zero(b.size());
  const Rung rung =
      climb_least_sum_ladder({rows, chosen, math::ConstVecView(b.data(), b.size()), equalities},
                             math::VecView(j.data(), j.size()));
  return {rung, j};
}

MatX coupled() {
  MatX A(2, 2);
  A << 2, 1, 1, 2;
  return A;
}

// 2 j₁ + j₂ = 1, j₁ + 2 j₂ = -4: as contacts the second vanishes, as a joint it pulls.
TEST(LeastSumLadder, GivesEqualitiesASign) {
  const Climb contacts = climb(coupled(), Eigen::Vector2d(-1, 4), {0, 1}, {});
  EXPECT_EQ(contacts.rung, Rung::Predicted);
  EXPECT_NEAR(contacts.j[0], 0.5, 1e-12);
  EXPECT_NEAR(contacts.j[1], 0, 1e-12);
  const Climb joint = climb(coupled(), Eigen::Vector2d(-1, 4), {0}, {1});
  EXPECT_EQ(joint.rung, Rung::NothingVanishes);
  EXPECT_NEAR(joint.j[0], 2, 1e-12);
  EXPECT_NEAR(joint.j[1], -3, 1e-12);
}

// A joint alone has no sum to be least: 2 j = 3.
TEST(LeastSumLadder, SolvesForJointsAlone) {
  const Climb found = climb(MatX::Constant(1, 1, 2), VecX::Constant(1, -3), {}, {0});
  EXPECT_EQ(found.rung, Rung::NothingVanishes);
  EXPECT_NEAR(found.j[0], 1.5, 1e-12);
}

TEST(LeastSumLadder, FailsWhereEqualitiesContradictOneAnother) {
  const Climb found = climb(MatX::Ones(2, 2), Eigen::Vector2d(-1, -2), {}, {0, 1});
  EXPECT_EQ(found.rung, Rung::Failed);
  EXPECT_EQ(found.j, VecX::Zero(2));
}

}  // namespace
}  // namespace carom::solvers
