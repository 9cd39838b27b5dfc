// Expected members: Vouga et al., section 4 and figure 2, their closed forms, and the certificates
// checked for what they claim.
#include "carom/solvers/lineality.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "support/rows.h"

namespace carom::solvers {
namespace {

using math::BlockRows;
using math::Index;

constexpr double kEpsilon = 1e-7;

std::vector<std::int32_t> members_of(const BlockRows& rows) {
  LinealityFinder finder;
  const auto found = finder.find(rows, support::every_row(rows), kEpsilon);
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
