// Expected optima: by hand from the corners of small polygons, and planted: x and y that meet the
// optimality conditions are chosen first, the problem around them afterwards.
#include "carom/solvers/linear_program.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/random.h"

namespace carom::solvers {
namespace {

using Status = LinearProgramStatus;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// max 3a + 5b, a <= 4, 2b <= 12, 3a + 2b <= 18: the corner (2, 6).
LinearProgram make_factory() {
  LinearProgram problem;
  for (const double upper : {4.0, 12.0, 18.0}) problem.add_row({-kInfinity, upper});
  problem.add_column(-3, {0, kInfinity});
  problem.add_entry(0, 1);
  problem.add_entry(2, 3);
  problem.add_column(-5, {0, kInfinity});
  problem.add_entry(1, 2);
  problem.add_entry(2, 2);
  return problem;
}

TEST(LinearProgram, FindsTheBestCornerAndItsDuals) {
  const LinearProgramResult found = solve_linear_program(make_factory());
  ASSERT_EQ(found.status, Status::Optimal);
  EXPECT_NEAR(found.x[0], 2, 1e-12);
  EXPECT_NEAR(found.x[1], 6, 1e-12);
  EXPECT_NEAR(found.objective, -36, 1e-12);
  // Only the second and third rows bind: c = Aᵀy gives y = (0, -3/2, -1).
  EXPECT_NEAR(found.duals[0], 0, 1e-12);
  EXPECT_NEAR(found.duals[1], -1.5, 1e-12);
  EXPECT_NEAR(found.duals[2], -1, 1e-12);
  EXPECT_LE(found.residual.primal, 1e-12);
  EXPECT_LE(found.residual.dual, 1e-12);
  EXPECT_LE(found.residual.gap, 1e-12);
}

TEST(LinearProgram, TakesEqualitiesAndFreeColumns) {  // min t, a + 2t = 3, 0 <= a <= 1
  LinearProgram problem;
  problem.add_row({3, 3});
  problem.add_column(0, {0, 1});
  problem.add_entry(0, 1);
  problem.add_column(1, {});
  problem.add_entry(0, 2);
  const LinearProgramResult found = solve_linear_program(problem);
  ASSERT_EQ(found.status, Status::Optimal);
  EXPECT_NEAR(found.x[0], 1, 1e-12);
  EXPECT_NEAR(found.x[1], 1, 1e-12);
}

TEST(LinearProgram, ProvesThatNothingFits) {  // a + b >= 3 within the unit square
  LinearProgram problem;
  problem.add_row({3, kInfinity});
  for (int i = 0; i < 2; ++i) {
    problem.add_column(1, {0, 1});
    problem.add_entry(0, 1);
  }
  const LinearProgramResult found = solve_linear_program(problem);
  ASSERT_EQ(found.status, Status::Infeasible);
  ASSERT_EQ(found.ray.size(), 1U);
  EXPECT_NEAR(found.certificate.margin, 1, 1e-12);  // 3 against 2
  EXPECT_LE(found.certificate.error, 1e-12);
}

TEST(LinearProgram, ProvesThatNothingBoundsTheCost) {  // min -a, a - b <= 1, both >= 0
  LinearProgram problem;
  problem.add_row({-kInfinity, 1});
  problem.add_column(-1, {0, kInfinity});
  problem.add_entry(0, 1);
  problem.add_column(0, {0, kInfinity});
  problem.add_entry(0, -1);
  const LinearProgramResult found = solve_linear_program(problem);
  ASSERT_EQ(found.status, Status::Unbounded);
  ASSERT_EQ(found.ray.size(), 2U);
  EXPECT_NEAR(found.certificate.margin, 1, 1e-12);
  EXPECT_LE(found.certificate.error, 1e-12);
}

TEST(LinearProgram, SaysThatItsCapWasReached) {
  EXPECT_EQ(solve_linear_program(make_factory(), {.max_iterations = 0}).status,
            Status::IterationCap);
}

TEST(LinearProgram, ResidualsShowAWrongAnswer) {
  const LinearProgram problem = make_factory();
  const std::vector<double> duals = {0, -1.5, -1};
  EXPECT_NEAR(compute_residual(problem, std::vector{4.0, 6.0}, duals).primal, 6, 1e-12);
  EXPECT_NEAR(compute_residual(problem, std::vector{2.0, 5.0}, duals).gap, 5, 1e-12);
  EXPECT_NEAR(compute_residual(problem, std::vector{2.0, 6.0}, std::vector{0.0, 1.5, -1.0}).dual, 6,
              1e-12);  // the second reduced cost is -5 - 3 + 2
  EXPECT_LE(check_infeasibility(problem, std::vector{0.0, 1.0, 0.0}).margin, 0);
}

struct Planted {
  LinearProgram problem;
  double objective = 0;
};

// Every row and column is at its lower bound, at its upper, or between; multipliers have the signs
// that go with it, and c = Aᵀy + d.
Planted plant(base::Random& random, int rows, int columns) {
  Planted planted;
  MatX A = MatX::Zero(rows, columns);
  VecX x(columns);
  for (int j = 0; j < columns; ++j) x[j] = random.uniform(-2, 2);
  for (int i = 0; i < A.size(); ++i)
    if (random.uniform() < 0.4) A.data()[i] = random.uniform(-1, 1);
  VecX multipliers(rows);
  const VecX activity = A * x;
  const auto bounds_around = [&](double value, double& multiplier) -> LinearProgram::Bounds {
    switch (random.next() % 4) {
      case 0:
        multiplier = random.uniform(0.1, 1);
        return {value, random.uniform() < 0.5 ? kInfinity : value + 1};
      case 1:
        multiplier = -random.uniform(0.1, 1);
        return {random.uniform() < 0.5 ? -kInfinity : value - 1, value};
      case 2:
        multiplier = random.uniform(-1, 1);
        return {value, value};
      default:
        multiplier = 0;
        return {value - 1, kInfinity};
    }
  };
  for (int i = 0; i < rows; ++i)
    planted.problem.add_row(bounds_around(activity[i], multipliers[i]));
  for (int j = 0; j < columns; ++j) {
    double reduced = 0;
    const LinearProgram::Bounds bounds = bounds_around(x[j], reduced);
    const double cost = A.col(j).dot(multipliers) + reduced;
    planted.problem.add_column(cost, bounds);
    for (int i = 0; i < rows; ++i)
      if (A(i, j) != 0) planted.problem.add_entry(i, A(i, j));
    planted.objective += cost * x[j];
  }
  return planted;
}

TEST(LinearProgram, FindsPlantedOptima) {
  base::Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const int rows = 1 + static_cast<int>(random.next() % 30);
    const int columns = 1 + static_cast<int>(random.next() % 30);
    const Planted planted = plant(random, rows, columns);
    const LinearProgramResult found = solve_linear_program(planted.problem);
    ASSERT_EQ(found.status, Status::Optimal) << trial;
    EXPECT_NEAR(found.objective, planted.objective, 1e-9) << trial;
    EXPECT_LE(found.residual.primal, 1e-9) << trial;
    EXPECT_LE(found.residual.dual, 1e-9) << trial;
    EXPECT_LE(found.residual.gap, 1e-9) << trial;
  }
}

// The optimum's value, moved out of reach by a row that asks for more than it.
TEST(LinearProgram, ProvesThatNothingIsBetterThanAPlantedOptimum) {
  base::Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const int rows = 1 + static_cast<int>(random.next() % 20);
    const int columns = 1 + static_cast<int>(random.next() % 20);
    const Planted planted = plant(random, rows, columns);
    LinearProgram beaten;
    beaten.row_bounds = planted.problem.row_bounds;
    beaten.add_row({-kInfinity, planted.objective - 0.01});
    for (std::size_t j = 0; j < planted.problem.columns(); ++j) {
      beaten.add_column(0, planted.problem.column_bounds[j]);
      for (const auto& [row, value] : planted.problem.column(j)) beaten.add_entry(row, value);
      beaten.add_entry(rows, planted.problem.cost[j]);
    }
    const LinearProgramResult found = solve_linear_program(beaten);
    ASSERT_EQ(found.status, Status::Infeasible) << trial;
    ASSERT_FALSE(found.ray.empty()) << trial;
    EXPECT_GT(found.certificate.margin, 1e-9) << trial;
    EXPECT_LE(found.certificate.error, 1e-14) << trial;
  }
}

}  // namespace
}  // namespace carom::solvers
