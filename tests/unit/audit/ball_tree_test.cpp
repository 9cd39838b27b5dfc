// Expected: every two balls compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/audit/ball_grid.h"
#include "carom/base/random.h"

namespace carom::audit {
namespace {

std::vector<BallTree::Pair> compare_all(const std::vector<Ball>& balls, double spare = 0) {
  std::vector<BallTree::Pair> found;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      const double reach = balls[i].radius + balls[j].radius + spare;
      if ((balls[i].center - balls[j].center).squaredNorm() <= reach * reach)
        found.push_back(std::minmax(balls[i].number, balls[j].number));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<BallTree::Pair> find(std::vector<Ball> balls) {
  std::vector<BallTree::Pair> found;
  BallTree().find_overlaps(balls, found);
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<BallTree::Pair> find_in_grid(const std::vector<Ball>& balls) {
  std::vector<BallTree::Pair> found;
  BallGrid grid;
  grid.fill(balls);
  grid.visit_overlaps([&](int i, int j) { found.push_back(std::minmax(i, j)); });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// All that overlap are told, and others only where they are apart by less than some spare length.
void expect_in_grid(const std::vector<Ball>& balls, double spare) {
  const auto least = compare_all(balls), most = compare_all(balls, spare);
  const auto found = find_in_grid(balls);
  EXPECT_TRUE(std::ranges::includes(found, least)) << balls.size();
  EXPECT_TRUE(std::ranges::includes(most, found)) << balls.size();
}

// In a cube, on a plane, on a line and in one point; of one size and of sizes over four decades.
TEST(BallTree, FindsWhatComparingAllFinds) {
  base::Random random(1);
  const auto uniform = [&] { return 2 * random.uniform() - 1; };
  std::size_t pairs = 0;
  for (const int dimensions : {3, 2, 1, 0}) {
    for (const double decades : {0.0, 4.0}) {
      for (const int count : {0, 1, 2, 9, 100, 700}) {
        std::vector<Ball> balls;
        for (int i = 0; i < count; ++i) {
          Vec3 center = Vec3::Zero();
          for (int k = 0; k < dimensions; ++k) center[k] = uniform();
          const double radius = 0.1 * std::pow(10, -decades * random.uniform());
          balls.push_back({center, radius, i});
        }
        const auto expected = compare_all(balls);
        EXPECT_EQ(find(balls), expected) << dimensions << ' ' << decades << ' ' << count;
        expect_in_grid(balls, 1e-5);
        pairs += expected.size();
      }
    }
  }
  EXPECT_GT(pairs, 1000U);
}

// Of a few balls far away, and of one that covers many, everybody is told.
TEST(BallGrid, FindsBallsFarFromTheOthers) {
  base::Random random(2);
  const auto place = [&](double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size);
    return Vec3(x, y, random.uniform(-size, size));
  };
  std::vector<Ball> balls;
  for (int i = 0; i < 500; ++i) balls.push_back({place(1), 0.05, i});
  for (int i = 500; i < 504; ++i) balls.push_back({Vec3(1e6, 0, 0) + place(0.1), 0.05, i});
  balls.push_back({Vec3(0.5, 0, 0), 3, 504});
  balls.push_back({Vec3(4, 0, 0), 2, 505});
  expect_in_grid(balls, 1e-6 * 1e6);
}

// As bodies of a grid come: every twentieth has the same z. 27 cells of two balls each hold 54.
TEST(BallGrid, ComparesFewOfALattice) {
  std::vector<Ball> balls;
  for (int x = 0; x < 100; ++x)
    for (int y = 0; y < 20; ++y)
      for (int z = 0; z < 20; ++z)
        balls.push_back({Vec3(x, y, z), 0.45, static_cast<int>(balls.size())});
  BallGrid grid;
  grid.fill(balls);
  std::size_t told = 0;
  grid.visit_overlaps([&](int, int) { ++told; });
  EXPECT_EQ(told, 0U);
  EXPECT_LT(grid.compared(), 54 * balls.size());
}

TEST(BallTree, LeavesOutWhatIsNowhere) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(find({{Vec3::Zero(), 1, 0}, {Vec3(nan, 0, 0), 1, 1}, {Vec3(0.5, 0, 0), 1, 2}}),
            (std::vector<BallTree::Pair>{{0, 2}}));
}

}  // namespace
}  // namespace carom::audit
