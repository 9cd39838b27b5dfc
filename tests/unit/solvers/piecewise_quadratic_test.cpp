// Least points of functions that are quadratic in pieces, and what is built on them, against dense
// algebra and every active set tried.
#include "carom/solvers/piecewise_quadratic.h"

#include <gtest/gtest.h>

#include "carom/solvers/central_path.h"
#include "carom/solvers/least_norm_multipliers.h"
#include "reference/active_sets.h"
#include "support/body_rows.h"

namespace carom::solvers {
namespace {

using math::Index;
using math::VecView;

struct Case {
  math::BlockRows rows;
  std::vector<Ramp> sides;
  std::vector<double> b;
  math::BlockFactor factor;
};

Case make_case(base::Random& random, int bodies, int count, int two_sided) {
  Case made{support::make_body_rows(random, bodies, count), {}, {}, {}};
  for (int i = 0; i < count; ++i) {
    made.sides.push_back(i < two_sided ? Ramp::TwoSided : Ramp::OneSided);
    made.b.push_back(random.uniform(-1, 1));
  }
  made.factor.set_pattern(made.rows);
  return made;
}

std::vector<double> offsets(const Case& made) {
  std::vector<double> t;
  for (const double each : made.b) t.push_back(-each);
  return t;
}

VecX gradient_at(const Case& made, const std::vector<double>& t, double alpha, const VecX& w,
                 const VecX& u) {
  const MatX R = support::dense(made.rows);
  VecX gradient = alpha * u - w;
  for (Index i = 0; i < R.rows(); ++i) {
    const double s = t[static_cast<std::size_t>(i)] + R.row(i).dot(u);
    if (s > 0 || made.sides[static_cast<std::size_t>(i)] == Ramp::TwoSided)
      gradient += s * R.row(i).transpose();
  }
  return gradient;
}

VecX minimise(Case& made, const std::vector<double>& t, double alpha, const VecX& w, char guess) {
  VecX u(w.size());
  std::vector<char> counts(t.size(), guess);
  PiecewiseQuadratic solver;
  const SolveResult result =
      solver.minimise({made.rows, made.sides, t, alpha, math::ConstVecView(w.data(), w.size())},
                      made.factor, counts, VecView(u.data(), u.size()));
  EXPECT_EQ(result.status, SolveStatus::Converged);
  return u;
}

// The gradient is zero at the least point, and only there.
TEST(PiecewiseQuadratic, EndsWhereTheGradientVanishesWhateverTheGuess) {
  base::Random random(11);
  for (int trial = 0; trial < 100; ++trial) {
    Case made = make_case(random, 1 + trial % 5, 4 + trial % 20, trial % 3);
    VecX w(made.rows.dimension());
    for (double& each : w) each = random.uniform(-1, 1);
    const double alpha = std::pow(10, random.uniform(-6, 0));
    const std::vector<double> t = offsets(made);
    const VecX none = minimise(made, t, alpha, w, 0), all = minimise(made, t, alpha, w, 1);
    const double round_off = 1e-13 * (1 + w.norm() + none.norm());
    EXPECT_LT(gradient_at(made, t, alpha, w, none).norm(), round_off) << trial;
    EXPECT_LT(gradient_at(made, t, alpha, w, all).norm(), round_off) << trial;
    EXPECT_LE((all - none).norm(), 2 * round_off / alpha) << trial;  // it curves by α at least
  }
}

TEST(PiecewiseQuadratic, SaysThatItHadTooFewFactors) {
  base::Random random(12);
  Case made = make_case(random, 4, 30, 0);
  const VecX w = VecX::Zero(made.rows.dimension());
  VecX u = w;
  const std::vector<double> t = offsets(made);
  std::vector<char> counts(t.size(), 1);
  PiecewiseQuadratic solver;
  const SolveResult result =
      solver.minimise({made.rows, made.sides, t, 1e-6, math::ConstVecView(w.data(), w.size()), 0},
                      made.factor, counts, VecView(u.data(), u.size()));
  EXPECT_EQ(result.status, SolveStatus::IterationCap);
}

void factor_all_but_first(Case& made) {
  made.factor.clear(1e-9);
  for (Index i = 1; i < made.rows.size(); ++i) made.factor.add(made.rows, i, 1);
  EXPECT_TRUE(made.factor.factor());
}

// Redundant rows that contradict one another: the pseudo-inverse's answer.
TEST(LeastNormMultipliers, FindTheLeastSquaresAnswerOfLeastNorm) {
  base::Random random(13);
  for (int trial = 0; trial < 60; ++trial) {
    const int bodies = 1 + trial % 3;
    Case made = make_case(random, bodies, 8 * bodies, 0);
    const MatX R = support::dense(made.rows);
    std::vector<char> chosen(made.b.size(), 1);
    chosen[0] = 0;
    factor_all_but_first(made);
    std::vector<double> x(made.b.size(), 0);
    VecX y = VecX::Zero(R.cols());
    LeastNormMultipliers rest;
    const SolveResult result =
        rest.settle(made.rows, chosen, made.b, made.factor, x, VecView(y.data(), y.size()));
    EXPECT_EQ(result.status, SolveStatus::Converged) << trial;
    const MatX S = R.bottomRows(R.rows() - 1);
    const VecX b = Eigen::Map<const VecX>(made.b.data(), R.rows()).tail(R.rows() - 1);
    const VecX expected = S.completeOrthogonalDecomposition().solve(-b);
    EXPECT_LT((y - expected).norm(), 1e-11 * (1 + expected.norm())) << trial;
    const VecX multipliers =
        S.transpose().completeOrthogonalDecomposition().solve(expected);  // the shortest
    const VecX found = Eigen::Map<const VecX>(x.data(), R.rows()).tail(R.rows() - 1);
    EXPECT_LT((found - multipliers).norm(), 1e-10 * (1 + multipliers.norm())) << trial;
  }
}

// Of the rows that are far from both pushing and not.
int count_wrong(std::span<const char> pushes, const VecX& x, const VecX& left) {
  int wrong = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const bool decided = x[i] > 1e-4 || left[i] > 1e-4;
    wrong += decided && (pushes[static_cast<std::size_t>(i)] != 0) != (x[i] > 0) ? 1 : 0;
  }
  return wrong;
}

TEST(CentralPath, TellsWhichRowsPush) {
  base::Random random(14);
  for (int trial = 0; trial < 60; ++trial) {
    Case made = make_case(random, 3, 8, 0);
    const MatX R = support::dense(made.rows);
    const MatX A = R * R.transpose();
    const VecX w = Eigen::Map<const VecX>(made.b.data(), R.rows());
    const auto twin = reference::solve_by_enumeration(A, w);
    if (!twin) continue;
    const VecX expected = twin->cast<double>();
    std::vector<char> pushes(made.b.size());
    std::vector<double> x(made.b.size());
    CentralPath path;
    const int factors = path.estimate(made.rows, made.sides, made.b, made.factor, pushes, x);
    EXPECT_LE(factors, 30) << trial;
    const Eigen::Map<const VecX> found(x.data(), w.size());
    EXPECT_LT((found - expected).norm(), 1e-4 * (1 + expected.norm())) << trial;
    const VecX left = w + A * expected;
    const int wrong = count_wrong(pushes, expected, left);
    EXPECT_EQ(wrong, 0) << trial;
  }
}

}  // namespace
}  // namespace carom::solvers
