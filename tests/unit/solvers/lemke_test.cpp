// Expected answers: by hand, Baraff's forces (his section 6.5 case among them), and the enumeration
// of all active sets.
#include "carom/solvers/lemke.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "reference/active_sets.h"

namespace carom::solvers {
namespace {

using math::Index;

struct Solution {
  LemkeResult result;
  VecX z;
};

Solution solve(const MatX& M, const VecX& q, const LemkeOptions& options = {}) {
  Solution solution{{}, VecX::Zero(q.size())};
  LemkeScratch scratch;
  solution.result = solve_lemke({M.data(), M.rows(), M.cols()}, {q.data(), q.size()},
                                {solution.z.data(), q.size()}, scratch, options);
  return solution;
}

MatX random_matrix(base::Random& random, Index rows, Index columns) {
  MatX matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = random.uniform(-1, 1);
  return matrix;
}

double natural_residual(const MatX& M, const VecX& q, const VecX& z) {
  return z.cwiseMin(M * z + q).cwiseAbs().maxCoeff();
}

TEST(Lemke, LeavesASolvedProblemAlone) {
  const Solution found = solve(MatX::Identity(2, 2), VecX::Constant(2, 0.5));
  EXPECT_EQ(found.result.pivots, 0);
  EXPECT_EQ(found.z, VecX::Zero(2));
}

TEST(Lemke, CarriesABlockOnTwoCorners) {  // Baraff, figure 8
  MatX A(2, 2);
  A << 3.4, -1.4, -1.4, 3.4;
  const Solution found = solve(A, VecX::Constant(2, -9.81));
  ASSERT_EQ(found.result.status, LemkeStatus::Solved);
  EXPECT_NEAR(found.z[0], 4.905, 4.905e-13);
  EXPECT_NEAR(found.z[1], 4.905, 4.905e-13);
}

// Every pivot ties here, and without a lexicographic rule the bases can come round in a circle.
TEST(Lemke, GetsThroughACircleOfTies) {
  MatX M(3, 3);
  M << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  const Solution found = solve(M, VecX::Constant(3, -1));
  ASSERT_EQ(found.result.status, LemkeStatus::Solved);
  for (const double z : found.z) EXPECT_NEAR(z, 1.0 / 3, 1e-15);
}

TEST(Lemke, EndsOnARayWhereThereIsNoSolution) {
  EXPECT_EQ(solve(MatX::Zero(1, 1), VecX::Constant(1, -1)).result.status,
            LemkeStatus::RayTermination);
  MatX M(2, 2);  // the rows ask for z0 - z1 >= 1 and z1 - z0 >= 1
  M << 1, -1, -1, 1;
  const Solution found = solve(M, VecX::Constant(2, -1));
  EXPECT_EQ(found.result.status, LemkeStatus::RayTermination);
  EXPECT_GE(found.result.residual, 1);
}

TEST(Lemke, SaysThatItsCapWasReached) {
  const Solution found = solve(MatX::Identity(3, 3), VecX::Constant(3, -1), {.max_pivots = 2});
  EXPECT_EQ(found.result.status, LemkeStatus::IterationCap);
  EXPECT_EQ(found.result.pivots, 2);
}

TEST(Lemke, AgreesWithTryingAllActiveSets) {
  base::Random random(17);
  int compared = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Index rows = 1 + static_cast<Index>(random.next() % 8);
    const Index dimension = 1 + static_cast<Index>(random.next() % 6);
    const MatX J = random_matrix(random, rows, dimension);
    const MatX A = J * J.transpose();  // singular where there are more rows than dimensions
    const VecX q = J * random_matrix(random, dimension, 1);
    const Solution found = solve(A, q);
    ASSERT_EQ(found.result.status, LemkeStatus::Solved) << trial;
    EXPECT_LE(found.result.residual, 1e-11) << trial;
    EXPECT_NEAR(found.result.residual, natural_residual(A, q, found.z), 1e-14) << trial;
    const auto expected = reference::solve_by_enumeration(A, q);
    if (!expected) continue;
    ++compared;
    const VecX difference = A * (found.z - expected->cast<double>());
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-9) << trial;
  }
  EXPECT_GE(compared, 995);  // nearly singular sets escape the enumeration now and then
}

// Rows that come several times, and constants that vanish: as degenerate as contact gets.
TEST(Lemke, SolvesProblemsOfRepeatedRows) {
  base::Random random(19);
  for (int trial = 0; trial < 300; ++trial) {
    const Index dimension = 1 + static_cast<Index>(random.next() % 6);
    const MatX few = random_matrix(random, 2 + static_cast<Index>(random.next() % 6), dimension);
    MatX J(4 * few.rows(), dimension);
    for (Index i = 0; i < J.rows(); ++i) J.row(i) = few.row(i % few.rows());
    VecX y = random_matrix(random, dimension, 1);
    if (trial % 2 == 0) y -= few.row(0).transpose() * few.row(0).dot(y) / few.row(0).squaredNorm();
    const Solution found = solve(J * J.transpose(), J * y);
    ASSERT_EQ(found.result.status, LemkeStatus::Solved) << trial;
    EXPECT_LE(found.result.residual, 1e-11) << trial;
  }
}

// M copositive and not symmetric: a block pressed down and pulled sideways, friction in a square.
// μ = 1/2: the weight of 1 presses, a pull of 0.3 is held, one of 0.8 leaves 0.3.
TEST(Lemke, SlidesABlockOverAPolygonOfFriction) {
  MatX M = MatX::Zero(6, 6);  // c_n, four directions, sliding speed
  M(0, 0) = 1;
  const double directions[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) {
      M(1 + i, 1 + j) = directions[i][0] * directions[j][0] + directions[i][1] * directions[j][1];
    }
    M(1 + i, 5) = 1;
    M(5, 1 + i) = -1;
  }
  M(5, 0) = 0.5;
  for (const double pull : {0.3, 0.8}) {
    VecX q(6);
    q << -1, pull, 0, -pull, 0, 0;
    const Solution found = solve(M, q);
    ASSERT_EQ(found.result.status, LemkeStatus::Solved);
    const double left = std::max(0.0, pull - 0.5);
    EXPECT_NEAR(found.z[0], 1, 1e-14);
    EXPECT_NEAR(pull + found.z[1] - found.z[3], left, 1e-14);
    EXPECT_NEAR(found.z[2] - found.z[4], 0, 1e-14);
    EXPECT_NEAR(found.z[5], left, 1e-14);
  }
}

TEST(Lemke, SolvesWhatIsNeitherSymmetricNorSmall) {
  base::Random random(23);
  for (const Index n : {20, 60, 150}) {
    const MatX J = random_matrix(random, n, n);
    const MatX skew = random_matrix(random, n, n);
    const MatX M = J * J.transpose() + 3 * (skew - skew.transpose());
    const VecX q = random_matrix(random, n, 1);
    const Solution found = solve(M, q);
    ASSERT_EQ(found.result.status, LemkeStatus::Solved) << n;
    EXPECT_LE(natural_residual(M, q, found.z), 1e-10) << n;
  }
}

TEST(Lemke, FindsTheForcesThatBaraffsHeuristicMisses) {  // his section 6.5
  const double g = 9.81;
  // Bar 1: mass 1, length 4, posts at -1 and 0; bar 2: mass 4, length 2, centre 3, touches at 2.
  const double I1 = 16.0 / 12, I2 = 4 * 4.0 / 12;
  MatX J(3, 4);  // rates of v1, w1, v2, w2
  J << 1, -1, 0, 0, 1, 0, 0, 0, -1, -2, 1, -1;
  const MatX inverse_mass = Eigen::Vector4d(1, 1 / I1, 0.25, 1 / I2).asDiagonal();
  const VecX q = J * Eigen::Vector4d(-g, 0, -g, 0);
  const Solution found = solve(J * inverse_mass * J.transpose(), q);
  ASSERT_EQ(found.result.status, LemkeStatus::Solved);
  EXPECT_NEAR(found.z[0], 0, 1e-12);
  EXPECT_NEAR(found.z[1], 981.0 / 80, 1e-12);
  EXPECT_NEAR(found.z[2], 981.0 / 400, 1e-12);
}

}  // namespace
}  // namespace carom::solvers
