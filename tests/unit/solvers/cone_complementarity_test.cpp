// Expected forces: Baraff's figure 8 and his chairs (lever rules), Coulomb's law in closed form,
// and the enumeration of all active sets.
#include "carom/solvers/cone_complementarity.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "reference/active_sets.h"
#include "support/rows.h"

namespace carom::solvers {
namespace {

using math::Index;

// Contact rows in threes from normal rows alone; the tangents are not coupled to anything.
MatX in_threes(const MatX& normals) {
  MatX A = MatX::Zero(3 * normals.rows(), 3 * normals.rows());
  for (Index i = 0; i < normals.rows(); ++i) {
    for (Index j = 0; j < normals.rows(); ++j) A(3 * i, 3 * j) = normals(i, j);
    A(3 * i + 1, 3 * i + 1) = A(3 * i + 2, 3 * i + 2) = 1;
  }
  return A;
}

VecX in_threes(const VecX& normals) {
  VecX w = VecX::Zero(3 * normals.size());
  for (Index i = 0; i < normals.size(); ++i) w[3 * i] = normals[i];
  return w;
}

struct Solution {
  SolveResult result;
  VecX x, velocity;
};

Solution solve(const MatX& A, const VecX& w, const std::vector<double>& friction,
               const SweepOptions& options = {.tolerance = 1e-14}) {
  Solution solution{{}, VecX::Zero(w.size()), VecX::Zero(w.size())};
  SweepScratch scratch;
  solution.result =
      solve_cone_complementarity(support::rows_of(A), w, friction, {solution.x.data(), w.size()},
                                 {solution.velocity.data(), w.size()}, scratch, options);
  return solution;
}

Solution solve_normals(const MatX& A, const VecX& w,
                       const SweepOptions& options = {.tolerance = 1e-14}) {
  return solve(in_threes(A), in_threes(w),
               std::vector<double>(static_cast<std::size_t>(w.size()), 0), options);
}

// Legs at (x, y) under a body of the given mass: A = 1/m + y y'/Ixx + x x'/Iyy.
MatX leg_matrix(const MatX& legs, double mass, double Ixx, double Iyy) {
  const Index n = legs.rows();
  return MatX::Constant(n, n, 1 / mass) + legs.col(1) * legs.col(1).transpose() / Ixx +
         legs.col(0) * legs.col(0).transpose() / Iyy;
}

double natural_residual(const MatX& A, const VecX& w, const VecX& x) {
  const VecX velocity = w + A * x;
  double worst = 0;
  for (Index i = 0; i < w.size(); i += 3) {
    worst = std::max(worst, std::abs(std::min(velocity[i], x[i] * A(i, i))));
  }
  return worst;
}

TEST(ConeComplementarity, CarriesABlockOnTwoCorners) {  // Baraff, figure 8
  MatX A(2, 2);
  A << 3.4, -1.4, -1.4, 3.4;
  const Solution found = solve_normals(A, VecX::Constant(2, -9.81));
  EXPECT_EQ(found.result.status, SolveStatus::Converged);
  EXPECT_NEAR(found.x[0], 4.905, 4.905e-12);
  EXPECT_NEAR(found.x[3], 4.905, 4.905e-12);
}

TEST(ConeComplementarity, FollowsTheLeverRuleOnUnevenSupports) {  // supports at -0.8 and 1
  MatX legs(2, 2);
  legs << -0.8, 0, 1, 0;
  const Solution found = solve_normals(leg_matrix(legs, 1, 1, 5.0 / 12), VecX::Constant(2, -9.81));
  EXPECT_NEAR(found.x[0], 5.45, 5.45e-12);
  EXPECT_NEAR(found.x[3], 4.36, 4.36e-12);
}

// The matrix is singular; any forces that carry the weight without a moment will do.
TEST(ConeComplementarity, CarriesAChairWithMoreLegsThanItNeeds) {
  for (const int count : {3, 4, 5, 6, 8}) {
    MatX legs(count, 2);
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * M_PI * (i + 0.5) / count;
      legs.row(i) << 0.25 * std::cos(angle), 0.25 * std::sin(angle);
    }
    const Solution found =
        solve_normals(leg_matrix(legs, 5, 0.3, 0.3), VecX::Constant(count, -9.81));
    EXPECT_EQ(found.result.status, SolveStatus::Converged) << count;
    EXPECT_GE(found.x.minCoeff(), 0) << count;
    EXPECT_NEAR(found.x.sum(), 49.05, 49.05e-9) << count;
    EXPECT_LT(found.velocity.cwiseAbs().maxCoeff(), 1e-9) << count;
  }
}

TEST(ConeComplementarity, LetsTheLegsGoThatATippingTableLifts) {  // centre of mass beyond the edge
  MatX legs(4, 2);
  legs << -1.1, -0.3, -0.1, -0.3, -0.1, 0.3, -1.1, 0.3;  // from the centre of mass at 0.6
  const Solution found = solve_normals(leg_matrix(legs, 10, 0.6, 1.0), VecX::Constant(4, -9.81));
  const double carried = 44.59090909090909, lifted = 8.91818181818182;
  EXPECT_NEAR(found.x[0], 0, 1e-9);
  EXPECT_NEAR(found.x[3], carried, 1e-8);
  EXPECT_NEAR(found.x[6], carried, 1e-8);
  EXPECT_NEAR(found.x[9], 0, 1e-9);
  EXPECT_NEAR(found.velocity[0], lifted, 1e-9);
  EXPECT_NEAR(found.velocity[9], lifted, 1e-9);
}

TEST(ConeComplementarity, AgreesWithTryingAllActiveSets) {
  base::Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const Index rows = 1 + static_cast<Index>(random.next() % 7);
    const Index bodies = 1 + static_cast<Index>(random.next() % 6);  // fewer than rows: singular
    MatX J(rows, bodies);
    for (Index i = 0; i < J.size(); ++i) J.data()[i] = random.uniform(-1, 1);
    const MatX A = J * J.transpose();
    VecX v(bodies);
    for (double& each : v) each = random.uniform(-1, 1);
    const VecX w = J * v;  // as velocities are: then the problem has a solution
    const auto expected = reference::solve_by_enumeration(A, w);
    ASSERT_TRUE(expected) << trial;
    const VecX velocity = w + A * expected->cast<double>();
    const Solution found = solve_normals(A, w, {.tolerance = 1e-13});
    ASSERT_EQ(found.result.status, SolveStatus::Converged) << trial;
    for (Index i = 0; i < rows; ++i) EXPECT_NEAR(found.velocity[3 * i], velocity[i], 1e-9) << trial;
  }
}

// A point mass sliding over the floor: sticks when |v_t| <= μ |v_n|, else is slowed by μ |v_n|.
TEST(ConeComplementarity, SticksOrSlidesAsCoulombSays) {
  const MatX A = MatX::Identity(3, 3);
  for (const double angle : {0.0, 0.7, 2.0, 4.0}) {
    for (const double speed : {0.4, 0.6, 3.0}) {
      const Vec3 w(-1, speed * std::cos(angle), speed * std::sin(angle));
      const Solution found = solve(A, w, {0.5});
      const double left = std::max(0.0, speed - 0.5);
      EXPECT_NEAR(found.velocity[0], 0, 1e-13);
      EXPECT_NEAR(found.velocity[1], left * std::cos(angle), 1e-13);
      EXPECT_NEAR(found.velocity[2], left * std::sin(angle), 1e-13);
    }
  }
}

// The end of a thin rod at tan θ = 1/2 strikes the floor and sticks: with the collision matrix K of
// Mirtich & Canny, eq. (6), the impulse is -K⁻¹ u.
TEST(ConeComplementarity, SticksWhereNormalAndTangentAreCoupled) {
  const double c = 2 / std::sqrt(5.0), s = 1 / std::sqrt(5.0);
  MatX K = MatX::Zero(3, 3);
  K(0, 0) = 1 + 3 * c * c;
  K(1, 1) = 1 + 3 * s * s;
  K(0, 1) = K(1, 0) = -3 * s * c;
  K(2, 2) = 4;
  const Vec3 u(-1, 0, 0);
  const VecX expected = -K.inverse() * u;
  const Solution found = solve(K, u, {1.0});  // sticking needs 3/4
  EXPECT_EQ(found.result.status, SolveStatus::Converged);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found.x[i], expected[i], 1e-12) << i;
}

TEST(ConeComplementarity, LeavesSeparatingContactsAlone) {
  const Solution found = solve_normals(MatX::Identity(2, 2), VecX::Constant(2, 0.3));
  EXPECT_EQ(found.x, VecX::Zero(6));
  EXPECT_EQ(found.result.residual, 0);
}

TEST(ConeComplementarity, ReportsTheResidualItIsLeftWith) {
  MatX A(2, 2);
  A << 3.4, -1.4, -1.4, 3.4;
  const VecX w = VecX::Constant(2, -9.81);
  for (const int sweeps : {1, 2, 5}) {
    const Solution found = solve_normals(A, w, {.tolerance = 1e-14, .max_sweeps = sweeps});
    EXPECT_EQ(found.result.status, SolveStatus::IterationCap);
    EXPECT_EQ(found.result.iterations, sweeps);
    const double left = natural_residual(in_threes(A), in_threes(w), found.x);
    EXPECT_GT(left, 1e-4);
    EXPECT_NEAR(found.result.residual, left, 1e-14);
  }
}

TEST(ConeComplementarity, StartsFromTheGuessItIsGiven) {
  MatX A(2, 2);
  A << 3.4, -1.4, -1.4, 3.4;
  Solution found = solve_normals(A, VecX::Constant(2, -9.81));
  const VecX w = in_threes(VecX(VecX::Constant(2, -9.81)));
  const MatX threes = in_threes(A);
  SweepScratch scratch;
  const auto again = solve_cone_complementarity(
      support::rows_of(threes), w, std::vector<double>{0, 0}, {found.x.data(), 6},
      {found.velocity.data(), 6}, scratch, {.tolerance = 1e-13});
  EXPECT_EQ(again.iterations, 1);
}

// A guess whose friction points elsewhere than the slip is known to go: turning it changes the
// normal velocity, also where that was zero before. With A coupling normal and tangent by 0.3,
// x = 1/(1 - 0.5 · 0.3) along (1, -0.5).
TEST(ConeComplementarity, TurnsFrictionOfAGuessIntoTheSlip) {
  MatX A = MatX::Identity(3, 3);
  A(0, 1) = A(1, 0) = 0.3;
  VecX w(3), x(3), velocity(3);
  w << -1, 0, 0;
  x << 1, 0, 0.5;  // at rest along the normal, braked sideways
  SweepScratch scratch;
  const std::vector<SlipDirection> slip{{1, 0}};
  const auto result = solve_cone_complementarity(support::rows_of(A), w, std::vector<double>{0.5},
                                                 {x.data(), 3}, {velocity.data(), 3}, scratch,
                                                 {.tolerance = 1e-14, .sliding = slip});
  EXPECT_EQ(result.status, SolveStatus::Converged);
  EXPECT_NEAR(x[0], 1 / 0.85, 1e-14);
  EXPECT_NEAR(x[1], -0.5 / 0.85, 1e-14);
  EXPECT_NEAR(x[2], 0, 1e-14);
  EXPECT_NEAR(velocity[0], 0, 1e-14);
}

// |v_t| = 3 against a disc of radius 1 on a unit mass leaves 2; within radius 4 nothing is left.
TEST(Friction, TakesAsMuchAsItsDiscAllows) {
  const MatX A = MatX::Identity(3, 3);
  const Vec3 w(5, 0, -3);
  for (const double radius : {1.0, 4.0}) {
    VecX x = VecX::Zero(3), velocity(3);
    SweepScratch scratch;
    const auto result =
        solve_friction(support::rows_of(A), VecX(w), std::vector{radius}, {x.data(), 3},
                       {velocity.data(), 3}, scratch, {.tolerance = 1e-14});
    EXPECT_EQ(result.status, SolveStatus::Converged);
    EXPECT_EQ(x[0], 0);
    EXPECT_NEAR(velocity[2], -std::max(0.0, 3 - radius), 1e-14);
  }
}

}  // namespace
}  // namespace carom::solvers
