// Bodies on their own clocks: closed forms, order of events, what is remembered, what stops it.
#include "carom/methods/microcollision/parallel_regions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string_view>

#include "carom/methods/shared/zeno_detector.h"
#include "support/course.h"
#include "support/numbered.h"

namespace carom::methods {
namespace {

using support::Course;
using support::make_ball;
using support::make_box;
using support::make_ground;
using support::numbered;
using support::SceneParts;

TEST(TimeHeap, KeepsTheEarliestOnTopWhateverChanges) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> time(0, 20), item(0, 49);
  TimeHeap heap;
  std::vector<double> times;
  for (int i = 0; i < 50; ++i) {
    times.push_back(time(random));
    heap.add(times.back());
  }
  for (int change = 0; change < 1000; ++change) {
    const auto i = static_cast<std::size_t>(item(random));
    times[i] = time(random);
    heap.set(i, times[i]);
    const auto least = std::min_element(times.begin(), times.end());
    ASSERT_EQ(heap.top().t, *least);
    ASSERT_EQ(heap.top().item, static_cast<std::size_t>(least - times.begin()));
  }
}

TEST(ZenoDetector, CountsCollisionsOfOneInstant) {
  ZenoDetector crowd(1);
  bool endless = false;
  for (int i = 0; i < 10'000; ++i) endless |= crowd.is_endless(1e-6 * i);
  EXPECT_FALSE(endless);
  for (int i = 0; i < 10'000; ++i) endless |= crowd.is_endless(1);
  EXPECT_TRUE(endless);
}

TEST(ParallelRegions, FindsTheTimeAtWhichABoxLands) {
  Course run({.bodies = {make_ground(), make_box("box", Vec3(1, 2, 3), Vec3(0, 0, 2.5))}});
  ASSERT_TRUE(run.advance(0.5).ok());
  ASSERT_FALSE(run.collisions.empty());
  EXPECT_NEAR(run.collisions[0].event.t, std::sqrt(2 / 9.81), 1e-9);
  EXPECT_EQ(run.collisions[0].event.kind, record::EventKind::Impact);
}

// A box that is on no path at first is in the way after the first collision.
TEST(ParallelRegions, SeesWhatABodyMeetsOnItsNewWay) {
  model::BodySpec wall = make_box("wall", Vec3(1, 4, 4), Vec3(3, 0, 0));
  wall.motion = model::Motion::Fixed;
  Course run({.gravity = Vec3::Zero(),
              .between = {.restitution = 1},
              .bodies = {make_ball("striker", 0.5, Vec3(0, 0, 0), Vec3(2, 0, 0)), wall,
                         make_ball("far", 0.5, Vec3(-20, 0, 0))}});
  ASSERT_TRUE(run.advance(20).ok());
  ASSERT_EQ(run.collisions.size(), 2U);
  EXPECT_NEAR(run.collisions[0].event.t, 1, 1e-9);
  EXPECT_NEAR(run.collisions[1].event.t, 1 + 21 / 2.0, 1e-9);
  EXPECT_NEAR(run.state.bodies[2].v.x(), -2, 1e-12);
}

TEST(ParallelRegions, CollisionsComeInTheOrderOfTime) {
  SceneParts parts{.between = {.restitution = 0.5, .friction = 0.4}, .bodies = {make_ground()}};
  for (int i = 0; i < 4; ++i) {
    parts.bodies.push_back(
        make_box(numbered("b", i), Vec3(1, 1, 1), Vec3(0.2 * i, 0, 0.6 + 1.1 * i)));
  }
  Course run(parts);
  for (int frame = 1; frame <= 15; ++frame) ASSERT_TRUE(run.advance(frame / 30.0).ok());
  EXPECT_GT(run.collisions.size(), 100U);
  for (std::size_t i = 1; i < run.collisions.size(); ++i)
    ASSERT_LE(run.collisions[i - 1].event.t, run.collisions[i].event.t);
}

// What others do to a body between two hops moves its stick too: a stack does not walk.
TEST(ParallelRegions, AStackStaysWhereItIsOnASlope) {
  const Vec3 normal(std::sin(0.2), 0, std::cos(0.2));
  SceneParts parts{.between = {.friction = 0.6}, .bodies = {support::make_plane("slope", normal)}};
  for (int i = 0; i < 2; ++i) {
    model::BodySpec box = make_box(numbered("b", i), Vec3(1, 1, 1), (0.5 + i) * normal);
    box.orientation = Quat(std::cos(0.1), 0, std::sin(0.1), 0);
    parts.bodies.push_back(box);
  }
  Course run(parts);
  for (int frame = 1; frame <= 60; ++frame) ASSERT_TRUE(run.advance(frame / 30.0).ok());
  const double hop = 1e-4 * std::sqrt(3);
  EXPECT_LT((run.state.bodies[1].x - 0.5 * normal).norm(), 10 * hop);
  EXPECT_LT((run.state.bodies[2].x - 1.5 * normal).norm(), 10 * hop);
}

TEST(ParallelRegions, MemoryComesBackBitForBit) {
  Course run({.between = {.friction = 0.5},
              .bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))}});
  ASSERT_TRUE(run.advance(0.1).ok());
  std::string bytes, again;
  run.memory.save(bytes);
  ASSERT_EQ(run.memory.sticks.size(), 1U);
  MicrocollisionMemory other;
  std::string_view rest = bytes;
  other.restore(rest);
  other.save(again);
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(bytes, again);
}

TEST(ParallelRegions, SaysWhenHopsFindNoRoom) {
  model::BodySpec left = make_box("left", Vec3(1, 4, 4), Vec3(-1, 0, 0));
  model::BodySpec right = make_box("right", Vec3(1, 4, 4), Vec3(1, 0, 0));
  left.motion = right.motion = model::Motion::Fixed;
  Course run({.gravity = Vec3::Zero(),
              .between = {.restitution = 1},
              .bodies = {left, right, make_ball("ball", 0.5, Vec3::Zero(), Vec3(1, 0, 0))}});
  EXPECT_EQ(run.advance(1).status, AdvanceStatus::ZenoPoint);
  EXPECT_LT(run.state.t, 1e-6);
}

TEST(ParallelRegions, SaysWhenThereAreTooManyCollisions) {
  Course run({.bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))}},
             {.max_collisions_per_body = 5});
  EXPECT_EQ(run.advance(1).status, AdvanceStatus::TooManyCollisions);
  EXPECT_LT(run.state.t, 1);
}

}  // namespace
}  // namespace carom::methods
