#include "carom/geometry/broad_phase.h"

#include <gtest/gtest.h>

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

std::vector<Box3> random_boxes(base::Random& random, std::size_t count) {
  std::vector<Box3> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 center(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    boxes.push_back(make_box(center, random.uniform(0.01, 0.3)));
  }
  return boxes;
}

TEST(BroadPhase, FindsTheSamePairsAsTryingAllOfThem) {
  base::Random random(7);
  BroadPhase broad_phase;  // the order of the call before is only a hint
  for (const std::size_t count : {0U, 1U, 2U, 50U, 50U, 200U, 20U}) {
    const auto boxes = random_boxes(random, count);
    const auto expected = all_overlaps(boxes);
    EXPECT_EQ(expected.empty(), count < 20) << count;
    EXPECT_EQ(found_by(broad_phase, boxes), expected) << count;
  }
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
