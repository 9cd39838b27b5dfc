#include "carom/math/gram_factor.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/rows.h"

namespace carom::math {
namespace {

// Few rows are factored densely, many sparsely.
class GramFactors : public testing::TestWithParam<int> {
 protected:
  // Unit vectors along the axes in turn: those along the same axis are equal.
  static MatX unit_rows(int count, int dimension) {
    MatX R = MatX::Zero(count, dimension);
    for (int i = 0; i < count; ++i) R(i, i % dimension) = 1;
    return R;
  }
};

TEST_P(GramFactors, SolveWithEqualRowsHeldApartByDelta) {
  const MatX R = unit_rows(GetParam(), 3);
  const BlockRows rows = support::rows_from(R);
  const std::vector<double> scale(static_cast<std::size_t>(GetParam()), 1.0);
  GramFactor factor;
  ASSERT_TRUE(factor.factor(rows, support::every_row(rows), scale, 1e-4));
  VecX x = VecX::LinSpaced(GetParam(), -1, 2);
  const VecX b = x;
  factor.solve_in_place({x.data(), x.size()});
  EXPECT_LT((R * (R.transpose() * x) + 1e-4 * x - b).norm(), 1e-8);
}

TEST_P(GramFactors, SayWhereRoundOffLeavesNothingOfAPivot) {
  const BlockRows rows = support::rows_from(unit_rows(GetParam(), 3));
  const std::vector<double> scale(static_cast<std::size_t>(GetParam()), 1.0);
  GramFactor factor;
  EXPECT_FALSE(factor.factor(rows, support::every_row(rows), scale, 1e-30));
}

TEST_P(GramFactors, SayWhereNumbersAreNotFinite) {
  MatX R = unit_rows(GetParam(), 3);
  R(1, 1) = std::numeric_limits<double>::quiet_NaN();
  const BlockRows rows = support::rows_from(R);
  const std::vector<double> scale(static_cast<std::size_t>(GetParam()), 1.0);
  GramFactor factor;
  EXPECT_FALSE(factor.factor(rows, support::every_row(rows), scale, 1e-4));
}

INSTANTIATE_TEST_SUITE_P(FewAndMany, GramFactors, testing::Values(6, 60));

}  // namespace
}  // namespace carom::math
