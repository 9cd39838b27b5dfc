#include "carom/math/block_factor.h"

#include <gtest/gtest.h>

#include "support/body_rows.h"

namespace carom::math {
namespace {

TEST(BlockFactor, SolvesAsTheDenseFactorDoes) {
  base::Random random(1);
  BlockFactor factor;
  for (int trial = 0; trial < 60; ++trial) {
    const int bodies = 1 + trial % 12;
    const BlockRows rows = support::make_body_rows(random, bodies, 3 * bodies);
    const MatX R = support::dense(rows);
    MatX A = 1e-3 * MatX::Identity(R.cols(), R.cols());
    factor.set_pattern(rows);
    factor.clear(1e-3);
    for (Index i = 0; i < rows.size(); ++i) {
      const double weight = random.uniform(0, 2);
      factor.add(rows, i, weight);
      A += weight * R.row(i).transpose() * R.row(i);
    }
    ASSERT_TRUE(factor.factor());
    VecX b(R.cols());
    for (double& each : b) each = random.uniform(-1, 1);
    const VecX expected = A.llt().solve(b);
    VecX found = b;
    factor.solve_in_place(VecView(found.data(), found.size()));
    EXPECT_LT((found - expected).norm(), 1e-11 * expected.norm()) << trial;
  }
}

TEST(BlockFactor, KeepsItsPatternWhenEntriesAreForgotten) {
  base::Random random(2);
  const BlockRows rows = support::make_body_rows(random, 6, 12);
  BlockFactor factor;
  factor.set_pattern(rows);
  for (const double alpha : {1.0, 2.0}) {
    factor.clear(alpha);
    ASSERT_TRUE(factor.factor());
    VecX b = VecX::Ones(rows.dimension());
    factor.solve_in_place(VecView(b.data(), b.size()));
    EXPECT_LT((b - VecX::Constant(rows.dimension(), 1 / alpha)).norm(), 1e-15);
  }
}

TEST(BlockFactor, SaysThatAMatrixIsNotPositive) {
  base::Random random(3);
  const BlockRows rows = support::make_body_rows(random, 2, 3);
  BlockFactor factor;
  factor.set_pattern(rows);
  factor.clear(1e-3);
  factor.add(rows, 0, -1);
  EXPECT_FALSE(factor.factor());
}

}  // namespace
}  // namespace carom::math
