// Expected answers: every active set tried in long double, closed forms, and the conditions
// themselves.
#include "carom/solvers/nonnegative.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "reference/active_sets.h"
#include "support/rows.h"

namespace carom::solvers {
namespace {

using math::Index;

struct Solution {
  SolveResult result;
  VecX x;
};

Solution solve(const MatX& R, const VecX& b, const VecX& hint = {}) {
  const math::BlockRows rows = support::rows_from(R);
  Solution solution{{}, hint.size() > 0 ? hint : VecX(VecX::Zero(b.size()))};
  NonnegativeSolver solver;
  solution.result = solver.solve(rows, support::every_row(rows), b, {solution.x.data(), b.size()});
  return solution;
}

MatX random_rows(base::Random& random, Index count, Index dimension) {
  MatX R(count, dimension);
  for (double& value : R.reshaped()) value = random.uniform(-1, 1);
  return R;
}

double worst_condition(const MatX& R, const VecX& b, const VecX& x) {
  const VecX velocity = b + R * (R.transpose() * x);
  double worst = 0;
  for (Index i = 0; i < b.size(); ++i) {
    const double norm = R.row(i).norm();
    worst = std::max(worst, std::abs(std::min(velocity[i] / norm, x[i] * norm)));
  }
  return worst;
}

TEST(Nonnegative, AgreesWithEveryActiveSetTried) {
  base::Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const Index count = 1 + static_cast<Index>(random.next() % 7);
    const Index dimension = 1 + static_cast<Index>(random.next() % 5);
    const MatX R = random_rows(random, count, dimension);
    const VecX y = random_rows(random, dimension, 1);
    const VecX b = R * y;
    const auto expected = reference::solve_by_enumeration(R * R.transpose(), b);
    ASSERT_TRUE(expected);
    const Solution found = solve(R, b);
    const VecX after = R.transpose() * found.x;
    const VecX wanted = R.transpose() * expected->cast<double>();
    EXPECT_LT((after - wanted).norm(), 1e-11) << trial;
    EXPECT_LT(worst_condition(R, b, found.x), 1e-13) << trial;
    EXPECT_GE(found.x.minCoeff(), 0);
  }
}

// Four equal legs under a centred load: the least-norm answer shares it, though only three rows are
// independent.
TEST(Nonnegative, SharesALoadAmongRedundantContacts) {
  MatX R(4, 3);
  R << 1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1;
  const Solution found = solve(R, R * Vec3(-9.81, 0, 0));
  EXPECT_EQ(found.result.status, SolveStatus::Converged);
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(found.x[i], 9.81 / 4, 1e-9);
}

// A mass m on one of 1 kg on the floor: both stop, each contact with the impulse m v (Baraff, fig.
// 12).
TEST(Nonnegative, StopsHeavyOnLight) {
  for (const double ratio : {9.0, 1e3, 1e6, 1e8}) {
    MatX R(2, 2);  // rows in energy coordinates: floor–light, light–heavy
    R << 1, 0, -1, 1 / std::sqrt(ratio);
    const VecX y = Eigen::Vector2d(0, -std::sqrt(ratio));
    const Solution found = solve(R, R * y);
    EXPECT_NEAR(found.x[0], ratio, 1e-6 * ratio);
    EXPECT_NEAR(found.x[1], ratio, 1e-6 * ratio);
    const VecX velocity = R * (y + R.transpose() * found.x);
    EXPECT_LT(velocity.cwiseAbs().maxCoeff(), 1e-15 * ratio + 1e-12) << ratio;
  }
}

TEST(Nonnegative, SolvesLargeProblemsSparsely) {
  base::Random random(5);
  const Index bodies = 400;
  std::vector<math::BlockRows::Stretch> stretches;
  for (Index i = 0; i < bodies; ++i) stretches.push_back({2 * i, 2});
  math::BlockRows rows;
  rows.reset(stretches);
  for (std::int32_t i = 0; i + 1 < bodies; ++i) {  // a chain that doubles back on itself
    const Index row = rows.add(i, i + 1);
    for (const int part : {0, 1}) {
      for (Index k = 0; k < 2; ++k) rows.part(row, part)[k] = random.uniform(-1, 1);
    }
  }
  rows.index();
  VecX y(rows.dimension());
  for (double& value : y) value = random.uniform(-1, 1);
  VecX b(rows.size()), x = VecX::Zero(rows.size());
  for (Index i = 0; i < rows.size(); ++i) b[i] = rows.dot(i, y);
  NonnegativeSolver solver;
  const SolveResult result = solver.solve(rows, support::every_row(rows), b, {x.data(), x.size()});
  EXPECT_EQ(result.status, SolveStatus::Converged);
  for (Index i = 0; i < rows.size(); ++i) rows.add_to({y.data(), y.size()}, i, x[i]);
  for (Index i = 0; i < rows.size(); ++i) {
    const double velocity = rows.dot(i, y);
    EXPECT_GE(x[i], 0);
    EXPECT_GT(velocity, -1e-12);
    EXPECT_LT(std::min(x[i], velocity), 1e-11);
  }
}

// Garbage in the hint, same answer.
TEST(Nonnegative, TakesTheStartAsAHintOnly) {
  base::Random random(3);
  const MatX R = random_rows(random, 12, 20);
  const VecX b = R * VecX(random_rows(random, 20, 1));
  const Solution plain = solve(R, b);
  for (int trial = 0; trial < 20; ++trial) {
    const VecX hint = VecX(random_rows(random, 12, 1)) * 1e3;
    EXPECT_LT((solve(R, b, hint).x - plain.x).norm(), 1e-10);
  }
}

}  // namespace
}  // namespace carom::solvers
