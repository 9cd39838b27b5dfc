// Expected members: Vouga et al., section 4 and figure 2, their closed forms, and the certificates
// checked for what they claim.
#include "carom/solvers/lineality.h"

#include <gtest/gtest.h>

#include <set>

#include "carom/base/random.h"
#include "carom/solvers/support_and_shave.h"
#include "support/rows.h"

namespace carom::solvers {
namespace {

using math::BlockRows;
using math::Index;

constexpr double kEpsilon = 1e-7;

std::vector<std::int32_t> members_of(const BlockRows& rows) {
  LinealityFinder finder;
  const auto found =
      finder.find(rows, support::every_row(rows), VecX::Ones(rows.dimension()), kEpsilon);
  EXPECT_TRUE(found.complete);
  return {found.members.begin(), found.members.end()};
}

TEST(Lineality, IsNotMereDependence) {  // section 4
  MatX R(3, 2);
  R << 1, 1, -1, 1, 0, 1;
  EXPECT_TRUE(members_of(support::rows_from(R)).empty());
}

TEST(Lineality, IsABallBetweenTwoWalls) {  // figure 2, left, and a floor that is none of it
  MatX R(3, 2);
  R << 1, 0, -2, 0, 0, 1;
  EXPECT_EQ(members_of(support::rows_from(R)), (std::vector<std::int32_t>{0, 1}));
}

// A row of balls, each a stretch of two coordinates, between walls or not.
BlockRows row_of_balls(std::int32_t balls, bool left, bool right) {
  std::vector<BlockRows::Stretch> stretches;
  for (Index i = 0; i < balls; ++i) stretches.push_back({2 * i, 2});
  BlockRows rows;
  rows.reset(stretches);
  if (left) rows.part(rows.add(0, BlockRows::kNone), 0)[0] = 1;
  for (std::int32_t i = 0; i + 1 < balls; ++i) {
    const Index row = rows.add(i, i + 1);
    rows.part(row, 0)[0] = -1;
    rows.part(row, 1)[0] = 1;
  }
  if (right) rows.part(rows.add(balls - 1, BlockRows::kNone), 0)[0] = -1;
  rows.index();
  return rows;
}

TEST(Lineality, IsARowOfBallsBetweenTwoWalls) {  // figure 2, centre, for any number of balls
  for (const std::int32_t balls : {1, 2, 3, 10, 60}) {
    EXPECT_EQ(members_of(row_of_balls(balls, true, true)).size(),
              static_cast<std::size_t>(balls + 1));
    EXPECT_TRUE(members_of(row_of_balls(balls, true, false)).empty());
    EXPECT_TRUE(members_of(row_of_balls(balls, false, false)).empty());
  }
}

TEST(Lineality, DoesNotComeFromANarrowWedge) {
  for (const double angle : {1e-2, 1e-4, 1e-6}) {
    MatX R(2, 2);
    R << 0, 1, std::sin(angle), -std::cos(angle);
    EXPECT_TRUE(members_of(support::rows_from(R)).empty()) << angle;
  }
  MatX R(2, 2);
  R << 0, 1, std::sin(1e-9), -std::cos(1e-9);
  EXPECT_EQ(members_of(support::rows_from(R)).size(), 2U);  // below ε: as good as parallel
}

// Projects every row onto the complement of the members' span.
MatX without_span(const MatX& R, const std::set<std::int32_t>& members) {
  MatX chosen(static_cast<Index>(members.size()), R.cols());
  Index k = 0;
  for (const std::int32_t i : members) chosen.row(k++) = R.row(i);
  const Eigen::CompleteOrthogonalDecomposition<MatX> span(chosen.transpose());
  const MatX basis = MatX(span.householderQ()).leftCols(span.rank());
  MatX rest = R - R * basis * basis.transpose();
  for (Index i = 0; i < R.rows(); ++i) {
    if (rest.row(i).norm() < 1e-9 * R.row(i).norm()) rest.row(i).setZero();
  }
  return rest;
}

// Algorithm 2's loop: find, hold, ask again; rows in the span of held ones count as members.
std::set<std::int32_t> all_members(const MatX& R) {
  std::set<std::int32_t> members;
  for (MatX rest = R;;) {
    const auto found = members_of(support::rows_from(rest));
    if (found.empty()) break;
    members.insert(found.begin(), found.end());
    rest = without_span(R, members);
    for (Index i = 0; i < R.rows(); ++i) {
      if (rest.row(i).isZero(0)) members.insert(static_cast<std::int32_t>(i));
    }
  }
  return members;
}

// A few combinations that vanish, with free rows beside them.
MatX rows_with_planted_combinations(base::Random& random) {
  const Index dimension = 2 + static_cast<Index>(random.next() % 9);
  const Index count = 2 + static_cast<Index>(random.next() % 14);
  MatX R(count, dimension);
  for (double& value : R.reshaped()) value = random.uniform(-1, 1);
  for (Index i = 0; i < count; ++i) {
    if (R(i, 0) < 0) R.row(i) *= -1;  // all open along the first axis, until some are bent back
  }
  const Index planted = static_cast<Index>(random.next() % 3);
  for (Index p = 0; p < planted && count > 3; ++p) {
    const Index size = 1 + static_cast<Index>(random.next() % 3);
    R.row(count - 1 - p).setZero();
    for (Index j = 0; j < size; ++j) {
      R.row(count - 1 - p) -=
          random.uniform(0.5, 2) *
          R.row(static_cast<Index>(random.next() % static_cast<std::uint64_t>(count - planted)));
    }
  }
  return R;
}

TEST(Lineality, IsWhatLinearProgramsFind) {
  base::Random random(29);
  int with = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const MatX R = rows_with_planted_combinations(random);
    const ImplicitEqualities expected = find_implicit_equalities(R);
    ASSERT_TRUE(expected.solved) << trial;
    const std::set<std::int32_t> members(expected.members.begin(), expected.members.end());
    EXPECT_EQ(all_members(R), members) << trial;
    with += members.empty() ? 0 : 1;
  }
  EXPECT_GT(with, 100);
  EXPECT_LT(with, 450);
}

// Gordan: a shortest point that is not zero separates, one that is zero is a combination.
TEST(ShortestPoint, IsItsOwnCertificate) {
  base::Random random(17);
  int separated = 0, vanishing = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Index dimension = 1 + static_cast<Index>(random.next() % 8);
    const Index count = 1 + static_cast<Index>(random.next() % 16);
    MatX points(dimension, count);
    for (double& value : points.reshaped()) value = random.uniform(-1, 1);
    points.colwise().normalize();
    ShortestPoint shortest;
    const Gordan answer = shortest.decide({points.data(), dimension, count}, kEpsilon);
    ASSERT_NE(answer, Gordan::IterationCap);
    if (answer == Gordan::Separated) {
      ++separated;
      const VecX w = shortest.point();
      EXPECT_GE((points.transpose() * w).minCoeff(), kEpsilon * w.norm());
      continue;
    }
    ++vanishing;
    VecX sum = VecX::Zero(dimension);
    double total = 0;
    for (std::size_t i = 0; i < shortest.corral().size(); ++i) {
      EXPECT_GT(shortest.weights()[i], 0);
      sum += shortest.weights()[i] * points.col(shortest.corral()[i]);
      total += shortest.weights()[i];
    }
    EXPECT_NEAR(total, 1, 1e-9);
    EXPECT_LT(sum.norm(), 2 * kEpsilon);
  }
  EXPECT_GT(separated, 200);
  EXPECT_GT(vanishing, 200);
}

}  // namespace
}  // namespace carom::solvers
