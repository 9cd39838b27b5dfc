// Expected sets: Vouga et al., §4 and figures 1 and 2, planted subspaces, and the enumeration of
// all subsets that could carry a null combination.
#include "carom/solvers/support_and_shave.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "carom/base/random.h"

namespace carom::solvers {
namespace {

using math::Index;
using Members = std::vector<int>;

void expect_certificate(const MatX& gradients, const ImplicitEqualities& found) {
  ASSERT_TRUE(found.solved);
  EXPECT_LE(found.residual, 1e-12);
  const std::set<int> members(found.members.begin(), found.members.end());
  for (Index i = 0; i < gradients.rows(); ++i) {
    if (members.contains(static_cast<int>(i)))
      EXPECT_GT(found.lambda[i], 0) << i;
    else
      EXPECT_EQ(found.lambda[i], 0) << i;
  }
  EXPECT_LE((gradients.transpose() * found.lambda).norm(), 1e-11);
}

MatX in_rows(const std::vector<std::vector<double>>& rows) {
  MatX matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()));
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j)
      matrix(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return matrix;
}

TEST(SupportAndShave, FindsNothingInRedundantRowsThatDoNotOppose) {  // §4
  const ImplicitEqualities found = find_implicit_equalities(in_rows({{1, 1}, {-1, 1}, {0, 1}}));
  EXPECT_TRUE(found.solved);
  EXPECT_TRUE(found.members.empty());
  EXPECT_EQ(found.dimension, 0);
  EXPECT_EQ(found.programs, 1);
}

TEST(SupportAndShave, FindsABallBetweenTwoWalls) {  // figure 2, left
  const MatX walls = in_rows({{1, 0}, {-1, 0}});
  const ImplicitEqualities found = find_implicit_equalities(walls);
  EXPECT_EQ(found.members, (Members{0, 1}));
  EXPECT_EQ(found.dimension, 1);
  expect_certificate(walls, found);
}

TEST(SupportAndShave, FindsTwoBallsBetweenTwoWalls) {  // figure 2, centre: n1 + n2 + n3 = 0
  const MatX gradients = in_rows({{1, 0, 0, 0}, {-1, 0, 1, 0}, {0, 0, -1, 0}});
  const ImplicitEqualities found = find_implicit_equalities(gradients);
  EXPECT_EQ(found.members, (Members{0, 1, 2}));
  EXPECT_EQ(found.dimension, 2);
  expect_certificate(gradients, found);
  EXPECT_NEAR(found.lambda[1] / found.lambda[0], 1, 1e-12);
  EXPECT_NEAR(found.lambda[2] / found.lambda[0], 1, 1e-12);
}

TEST(SupportAndShave, FindsWhatHoldsTheBallThatAnotherStrikes) {  // figure 2, right: A, then B
  const MatX gradients = in_rows({{0, 0, 1, 0}, {0, 0, -1, 0}, {0.6, 0.8, -0.6, -0.8}});
  const ImplicitEqualities found = find_implicit_equalities(gradients);
  EXPECT_EQ(found.members, (Members{0, 1}));
  EXPECT_EQ(found.dimension, 1);
  expect_certificate(gradients, found);
}

// Figure 1: a plug of two balls across a shaft, one ball fired from below, one on top or not.
// Constraints: both walls, plug and plug, then plug and others.
MatX make_geyser(bool with_top) {
  const double h = std::sqrt(3.0) / 2;
  if (!with_top) {
    return in_rows({{1, 0, 0, 0, 0, 0},
                    {0, 0, -1, 0, 0, 0},
                    {-1, 0, 1, 0, 0, 0},
                    {-0.5, h, 0, 0, 0.5, -h},
                    {0, 0, 0.5, h, -0.5, -h}});
  }
  return in_rows({{1, 0, 0, 0, 0, 0, 0, 0},
                  {0, 0, -1, 0, 0, 0, 0, 0},
                  {-1, 0, 1, 0, 0, 0, 0, 0},
                  {-0.5, -h, 0, 0, 0.5, h, 0, 0},
                  {-0.5, h, 0, 0, 0, 0, 0.5, -h},
                  {0, 0, 0.5, -h, -0.5, h, 0, 0},
                  {0, 0, 0.5, h, 0, 0, -0.5, -h}});
}

TEST(SupportAndShave, FindsThePlugOfTheBallGeyser) {
  for (const bool with_top : {false, true}) {
    const MatX gradients = make_geyser(with_top);
    const ImplicitEqualities found = find_implicit_equalities(gradients);
    EXPECT_EQ(found.members, (Members{0, 1, 2}));
    EXPECT_EQ(found.dimension, 2);
    expect_certificate(gradients, found);
  }
}

// What the header promises: Σ λ_i n_i may miss zero by 1e-9.
TEST(SupportAndShave, TakesRoundOffForZero) {
  for (const double miss : {1e-17, 1e-13, 1e-10}) {
    const ImplicitEqualities found = find_implicit_equalities(in_rows({{1, 0}, {-1, miss}}));
    EXPECT_EQ(found.members, (Members{0, 1})) << miss;
    EXPECT_LE(found.residual, 1e-9);
  }
  EXPECT_TRUE(find_implicit_equalities(in_rows({{1, 0}, {-1, 1e-8}})).members.empty());
}

TEST(SupportAndShave, TakesNoRowsAndRowsOfZeros) {
  EXPECT_EQ(find_implicit_equalities(MatX(0, 3)).programs, 0);
  const ImplicitEqualities found = find_implicit_equalities(in_rows({{0, 0}, {1, 0}}));
  EXPECT_EQ(found.members, (Members{0}));
  EXPECT_EQ(found.dimension, 0);
}

VecX random_vector(base::Random& random, Index size) {
  VecX vector(size);
  for (double& entry : vector) entry = random.uniform(-1, 1);
  return vector;
}

struct Planted {
  MatX gradients;
  Members members;
  int dimension = 0;
};

// A random subspace spanned by gradients that a positive combination brings to zero, and others
// with a positive part along one direction orthogonal to it.
Planted plant(base::Random& random) {
  const Index d = 2 + static_cast<Index>(random.next() % 20);
  const Index k = static_cast<Index>(random.next() % static_cast<std::uint64_t>(d));
  MatX square(d, d);
  for (Index j = 0; j < d; ++j) square.col(j) = random_vector(random, d);
  const MatX basis = square.householderQr().householderQ();
  const MatX space = basis.leftCols(k);
  const Index inside = k == 0 ? 0 : k + 1 + static_cast<Index>(random.next() % 5);
  const Index outside = static_cast<Index>(random.next() % 30);
  std::vector<VecX> rows;
  VecX sum = VecX::Zero(d);
  for (Index i = 0; i + 1 < inside; ++i) {
    rows.emplace_back(space * random_vector(random, k));
    sum += random.uniform(0.5, 2) * rows.back();
  }
  if (inside > 0) rows.emplace_back(-sum);
  for (Index i = 0; i < outside; ++i) {
    VecX row = random_vector(random, d);
    row += (random.uniform(0.1, 1) - row.dot(basis.col(d - 1))) * basis.col(d - 1);
    rows.push_back(row);
  }
  Planted planted{MatX(inside + outside, d), {}, static_cast<int>(k)};
  std::vector<Index> places(rows.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<Index>(i);
  for (std::size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[random.next() % i]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    planted.gradients.row(places[i]) = random.uniform(0.1, 10) * rows[i].transpose();
    if (static_cast<Index>(i) < inside) planted.members.push_back(static_cast<int>(places[i]));
  }
  std::sort(planted.members.begin(), planted.members.end());
  return planted;
}

TEST(SupportAndShave, FindsPlantedSubspaces) {
  base::Random random(29);
  for (int trial = 0; trial < 500; ++trial) {
    const Planted planted = plant(random);
    const ImplicitEqualities found = find_implicit_equalities(planted.gradients);
    ASSERT_EQ(found.members, planted.members) << trial;
    ASSERT_EQ(found.dimension, planted.dimension) << trial;
    expect_certificate(planted.gradients, found);
    EXPECT_LE(found.programs, planted.members.empty() ? 1 : 2) << trial;
  }
}

// A minimal set with a positive null combination is a circuit: its gradients have a kernel of
// dimension one, spanned by a vector of one sign. The members are the union of all circuits.
Members find_by_trying_all_subsets(const MatX& gradients) {
  const auto count = static_cast<unsigned>(gradients.rows());
  std::set<int> members;
  for (unsigned subset = 1; subset < 1U << count; ++subset) {
    Members chosen;
    for (unsigned i = 0; i < count; ++i)
      if ((subset >> i & 1U) != 0) chosen.push_back(static_cast<int>(i));
    const MatX columns = gradients(chosen, Eigen::all).transpose();
    auto factor = columns.fullPivLu();
    factor.setThreshold(1e-9);
    if (factor.dimensionOfKernel() != 1) continue;
    const VecX kernel = factor.kernel().col(0).normalized();
    if (kernel.minCoeff() > 1e-9 || kernel.maxCoeff() < -1e-9)
      members.insert(chosen.begin(), chosen.end());
  }
  return {members.begin(), members.end()};
}

// Small whole numbers: exact coincidences, opposite and parallel pairs, many of them.
TEST(SupportAndShave, AgreesWithTryingAllSubsets) {
  base::Random random(31);
  int with = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Index d = 1 + static_cast<Index>(random.next() % 5);
    MatX gradients(1 + static_cast<Index>(random.next() % 8), d);
    for (Index i = 0; i < gradients.size(); ++i)
      gradients.data()[i] = static_cast<double>(random.next() % 5) - 2;
    const Members expected = find_by_trying_all_subsets(gradients);
    with += expected.empty() ? 0 : 1;
    ASSERT_EQ(find_implicit_equalities(gradients).members, expected) << trial << "\n" << gradients;
  }
  EXPECT_GT(with, 100);
  EXPECT_LT(with, 400);
}

}  // namespace
}  // namespace carom::solvers
