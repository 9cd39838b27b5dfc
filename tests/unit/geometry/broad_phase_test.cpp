#include "carom/geometry/broad_phase/broad_phase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "carom/base/random.h"

namespace carom::geometry {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

Box3 make_box(const Vec3& center, double half) {
  return {center - Vec3::Constant(half), center + Vec3::Constant(half)};
}

std::vector<Pair> all_overlaps(const std::vector<Box3>& boxes) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (boxes[i].overlaps(boxes[j])) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

std::vector<Pair> found_by(BroadPhase& broad_phase, const std::vector<Box3>& boxes) {
  const auto found = broad_phase.find_overlaps(boxes);
  return {found.begin(), found.end()};
}

Vec3 random_point(base::Random& random, double low, double high) {
  return {random.uniform(low, high), random.uniform(low, high), random.uniform(low, high)};
}

std::vector<Box3> random_boxes(base::Random& random, std::size_t count) {
  std::vector<Box3> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    boxes.push_back(make_box(random_point(random, -1, 1), random.uniform(0.01, 0.3)));
  }
  return boxes;
}

// How sets of boxes may look; each makes one box of a set.
struct Distribution {
  const char* name;
  std::function<Box3(base::Random&)> make;
};

double sign_or_zero(base::Random& random) { return std::floor(random.uniform(0, 3)) - 1; }

const std::vector<Distribution> kDistributions = {
    {"uniform", [](auto& random) { return make_box(random_point(random, -3, 3), 0.4); }},
    {"far from the origin",
     [](auto& random) { return make_box(Vec3::Constant(1e9) + random_point(random, -3, 3), 0.4); }},
    {"clusters",
     [](auto& random) {
       const Vec3 centre(1000 * sign_or_zero(random), 1000 * sign_or_zero(random), 0);
       return make_box(centre + random_point(random, -1e-3, 1e-3), random.uniform(0, 3e-4));
     }},
    {"sizes of ratio 1000",
     [](auto& random) {
       return make_box(random_point(random, -1, 1), std::pow(10, random.uniform(-3, 0)));
     }},
    {"sizes of ratio 1e18",
     [](auto& random) {
       const double size = std::pow(10, random.uniform(-9, 9));
       return make_box(random_point(random, -2 * size, 2 * size), size);
     }},
    {"needles and sheets",
     [](auto& random) {
       const Vec3 low = random_point(random, -1, 1);
       const Vec3 extent = random_point(random, -1, 1).cwiseMax(0);
       return Box3{low, low + extent};
     }},
    {"points of a lattice",
     [](auto& random) {
       const Vec3 p(sign_or_zero(random), sign_or_zero(random), sign_or_zero(random));
       return Box3{p, p};
     }},
    {"touching cubes of a lattice",
     [](auto& random) {
       const Vec3 p(sign_or_zero(random), sign_or_zero(random), sign_or_zero(random));
       return Box3{0.1 * p, 0.1 * (p + Vec3::Ones())};
     }},
    {"a few infinite",
     [](auto& random) {
       Box3 box = make_box(random_point(random, -3, 3), 0.3);
       const double infinity = std::numeric_limits<double>::infinity();
       if (random.uniform() < 0.1) box.low = Vec3(-infinity, -infinity, box.low.z());
       if (random.uniform() < 0.1) box.high.x() = infinity;
       return box;
     }},
    {"hardly above zero",
     [](auto& random) { return make_box(random_point(random, 0, 5e-308), 5e-309); }},
};

std::vector<Box3> make_boxes(const Distribution& distribution, base::Random& random, int count) {
  std::vector<Box3> boxes;
  for (int i = 0; i < count; ++i) boxes.push_back(distribution.make(random));
  return boxes;
}

TEST(BroadPhase, FindsTheSamePairsAsTryingAllOfThem) {
  base::Random random(7);
  BroadPhase broad_phase;  // what is left of the call before is only a hint
  for (const std::size_t count : {0U, 1U, 2U, 50U, 50U, 200U, 20U}) {
    const auto boxes = random_boxes(random, count);
    const auto expected = all_overlaps(boxes);
    EXPECT_EQ(expected.empty(), count < 20) << count;
    EXPECT_EQ(found_by(broad_phase, boxes), expected) << count;
  }
}

TEST(BroadPhase, FindsThemHoweverTheBoxesAreSpread) {
  base::Random random(8);
  for (const Distribution& distribution : kDistributions) {
    std::size_t overlaps = 0;
    for (int round = 0; round < 20; ++round) {
      BroadPhase broad_phase;
      const auto boxes = make_boxes(distribution, random, 300);
      const auto expected = all_overlaps(boxes);
      overlaps += expected.size();
      EXPECT_EQ(found_by(broad_phase, boxes), expected) << distribution.name;
    }
    EXPECT_GT(overlaps, 0) << distribution.name;
  }
}

TEST(BroadPhase, FindsThemFromCallToCallAsBoxesDriftJumpAndGrow) {
  base::Random random(9);
  for (const Distribution& distribution : kDistributions) {
    BroadPhase broad_phase;
    auto boxes = make_boxes(distribution, random, 120);
    for (int call = 0; call < 150; ++call) {
      for (Box3& box : boxes) {
        const double kind = random.uniform();
        if (kind < 0.03) box = distribution.make(random);
        const Vec3 extent = (box.high - box.low).cwiseMin(1e12);
        const Vec3 drift = 0.05 * extent.cwiseProduct(random_point(random, -1, 1));
        box.low += drift;
        box.high += drift;
        if (kind > 0.97) box.high += 0.3 * extent;
      }
      ASSERT_EQ(found_by(broad_phase, boxes), all_overlaps(boxes)) << distribution.name << call;
    }
  }
}

TEST(BroadPhase, AnswersForOneBoxAfterSomeHaveMoved) {
  base::Random random(10);
  for (const Distribution& distribution : kDistributions) {
    BroadPhase broad_phase;
    auto boxes = make_boxes(distribution, random, 150);
    broad_phase.find_overlaps(boxes);
    std::vector<std::int32_t> found;
    for (int change = 0; change < 300; ++change) {
      const auto moved = static_cast<std::size_t>(random.uniform(0, 150));
      boxes[moved] = distribution.make(random);
      broad_phase.move(static_cast<std::int32_t>(moved), boxes[moved]);
      for (const std::size_t asked : {moved, static_cast<std::size_t>(random.uniform(0, 150))}) {
        std::vector<std::int32_t> expected;
        for (std::size_t j = 0; j < boxes.size(); ++j) {
          if (j != asked && boxes[j].overlaps(boxes[asked])) {
            expected.push_back(static_cast<std::int32_t>(j));
          }
        }
        broad_phase.overlaps_with(static_cast<std::int32_t>(asked), found);
        ASSERT_EQ(found, expected) << distribution.name << ", " << change;
      }
      if (change % 50 == 0) {
        ASSERT_EQ(found_by(broad_phase, boxes), all_overlaps(boxes)) << distribution.name;
      }
    }
  }
}

TEST(BroadPhase, FollowsABoxThatGrowsBeyondAllThatWereThere) {
  BroadPhase broad_phase;
  std::vector<Box3> boxes = {make_box(Vec3::Zero(), 1e-6), make_box(Vec3::UnitX(), 1e-6)};
  EXPECT_TRUE(found_by(broad_phase, boxes).empty());
  boxes[0] = make_box(Vec3::Zero(), 1e30);
  broad_phase.move(0, boxes[0]);
  std::vector<std::int32_t> found;
  broad_phase.overlaps_with(1, found);
  EXPECT_EQ(found, std::vector<std::int32_t>{0});
  boxes[0] = make_box(Vec3::UnitY(), 1e-6);
  broad_phase.move(0, boxes[0]);
  broad_phase.overlaps_with(1, found);
  EXPECT_TRUE(found.empty());
}

TEST(BroadPhase, CountsBoxesThatOnlyTouch) {
  BroadPhase broad_phase;
  const std::vector<Box3> boxes = {make_box(Vec3::Zero(), 0.5), make_box(Vec3::UnitX(), 0.5),
                                   make_box(Vec3(2, 1, 1), 0.5)};
  EXPECT_EQ(found_by(broad_phase, boxes), (std::vector<Pair>{{0, 1}, {1, 2}}));
}

TEST(BroadPhase, KeepsApartWhatOverlapsInTwoDirectionsOnly) {
  BroadPhase broad_phase;
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<Box3> boxes = {make_box(Vec3::Zero(), 0.5),
                                     make_box(1.1 * Vec3::Unit(axis), 0.5)};
    EXPECT_TRUE(found_by(broad_phase, boxes).empty()) << axis;
  }
}

TEST(BroadPhase, OrdersEqualBoxesByTheirNumbers) {
  BroadPhase broad_phase;
  const std::vector<Box3> boxes(3, make_box(Vec3::Zero(), 1));
  EXPECT_EQ(found_by(broad_phase, boxes), (std::vector<Pair>{{0, 1}, {0, 2}, {1, 2}}));
}

}  // namespace
}  // namespace carom::geometry
