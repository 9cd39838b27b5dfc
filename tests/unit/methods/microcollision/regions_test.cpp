// Frames divided into regions: the same bits as undivided, for any number of threads, whether
// regions keep to themselves, meet within the frame, go on meeting, or get stuck.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/bytes.h"
#include "support/course.h"
#include "support/numbered.h"

namespace carom::methods {
namespace {

using support::Course;
using support::make_ball;
using support::make_box;
using support::numbered;
using support::SceneParts;

constexpr std::int64_t kAlways = 1'000'000;

void append(const BodyState& body, std::string& bits) {
  for (const Vec3* vector : {&body.x, &body.v, &body.w})
    for (const double number : *vector) base::append_bytes(bits, number);
  for (const double number : body.q.coeffs()) base::append_bytes(bits, number);
}

// All that a frame leaves behind.
std::string bits_of(Course& run) {
  std::string bits;
  base::append_bytes(bits, run.state.t);
  for (const BodyState& body : run.state.bodies) append(body, bits);
  for (const record::Collision& collision : run.collisions) {
    base::append_bytes(bits, collision.event.t);
    base::append_bytes(bits, collision.event.a);
    base::append_bytes(bits, collision.event.b);
    for (const double number : collision.event.impulse) base::append_bytes(bits, number);
    append(collision.a, bits);
    append(collision.b, bits);
  }
  run.memory.undivided = 0;
  run.memory.save(bits);
  return bits;
}

// Towers of three, no two alike, far from each other.
SceneParts make_towers(int count) {
  SceneParts parts{.between = {.restitution = 0.3, .friction = 0.5},
                   .bodies = {support::make_ground()}};
  for (int i = 0; i < 3 * count; ++i) {
    const int tower = i % count, level = i / count;
    model::BodySpec box =
        make_box(numbered("b", i), Vec3(1, 1.1, 0.9),
                 Vec3(4 * tower, 0.03 * tower * level, 0.46 + 0.02 * tower + level));
    box.velocity = Vec3(0.01 * tower, 0.1 * level, -0.05 * i);
    box.angular_velocity = Vec3(0.2 * level, 0.01 * i, 0);
    parts.bodies.push_back(box);
  }
  return parts;
}

// Fixed rods beside the scene, with so large spheres around them that each body has pairs enough to
// be a region of its own.
void add_rods(SceneParts& parts) {
  for (int i = 0; i < 8; ++i) {
    model::BodySpec rod =
        make_box("rod" + std::to_string(i), Vec3(200, 0.01, 0.01), Vec3(0, 20 + i, 0));
    rod.motion = model::Motion::Fixed;
    parts.bodies.push_back(rod);
  }
}

TEST(Regions, TowersGiveTheSameBitsForAnyNumberOfThreads) {
  const auto run_frames = [](int threads, std::int64_t undivided) {
    Course run(make_towers(9), {}, threads);
    run.memory.undivided = undivided;
    for (int frame = 1; frame <= 6; ++frame) EXPECT_TRUE(run.advance(frame / 30.0).ok());
    EXPECT_EQ(run.regions.regions(), undivided > 0 ? 1U : 5U);  // of two towers each
    EXPECT_GT(run.collisions.size(), 300U);
    return bits_of(run);
  };
  const std::string alone = run_frames(1, 0);
  EXPECT_TRUE(alone == run_frames(2, 0));
  EXPECT_TRUE(alone == run_frames(4, 0));
  EXPECT_TRUE(alone == run_frames(2, kAlways));
}

TEST(Regions, GoOnFromWhatACheckpointHolds) {
  Course whole(make_towers(4), {}, 2);
  for (int frame = 1; frame <= 3; ++frame) ASSERT_TRUE(whole.advance(frame / 30.0).ok());
  std::string bytes;
  whole.memory.save(bytes);
  Course rest(make_towers(4));
  std::string_view left = bytes;
  rest.memory.restore(left);
  rest.state = whole.state;
  whole.collisions.clear();
  for (int frame = 4; frame <= 6; ++frame) {
    ASSERT_TRUE(whole.advance(frame / 30.0).ok());
    ASSERT_TRUE(rest.advance(frame / 30.0).ok());
  }
  EXPECT_TRUE(bits_of(whole) == bits_of(rest));
}

// The struck ball leaves the striker's way sideways, into a block that was in no one's way.
SceneParts make_oblique_strike() {
  SceneParts parts{.gravity = Vec3::Zero(), .between = {.restitution = 1, .friction = 0.2}};
  parts.bodies = {make_ball("striker", 0.1, Vec3(-1, 0, 0), Vec3(60, 0, 0)),
                  make_ball("struck", 0.1, Vec3(0, 0.15, 0)),
                  make_box("block", Vec3(0.5, 0.5, 0.5), Vec3(0.4, 0.72, 0)),
                  make_box("bystander", Vec3(0.5, 0.5, 0.5), Vec3(0, -5, 0))};
  parts.bodies.back().velocity = Vec3(1, 0, 0);
  add_rods(parts);
  return parts;
}

TEST(Regions, AreJoinedWhereTheyMeetWithinTheFrame) {
  const auto run_frame = [](int threads, std::int64_t undivided) {
    Course run(make_oblique_strike(), {}, threads);
    run.memory.undivided = undivided;
    EXPECT_TRUE(run.advance(1 / 30.0).ok());
    EXPECT_EQ(run.collisions.size(), 2U);
    EXPECT_GT(run.state.bodies[2].v.y(), 1);
    EXPECT_EQ(run.regions.regions(), undivided > 0 ? 1U : 4U);  // 3 at first, 1 more for two
    return bits_of(run);
  };
  const std::string alone = run_frame(1, 0);
  EXPECT_TRUE(alone == run_frame(2, 0));
  EXPECT_TRUE(alone == run_frame(4, 0));
  EXPECT_TRUE(alone == run_frame(1, kAlways));
}

// Each ball a thousandth of the last: each next one is twice as fast and gets where no one was
// expected. Speeds 2^k within 1 %, by one-dimensional elastic collisions.
TEST(Regions, ThatGoOnMeetingAreRunAsOne) {
  const auto run_frame = [](int threads, std::int64_t undivided) {
    SceneParts parts{.gravity = Vec3::Zero(), .between = {.restitution = 1}};
    const std::vector<double> places{0, 0.1, 1.2, 2.1, 2.8};
    for (std::size_t k = 0; k < places.size(); ++k) {
      parts.bodies.push_back(make_ball("ball" + std::to_string(k), 0.01, Vec3(places[k], 0, 0)));
      parts.bodies.back().mass = std::pow(1e-3, k);
    }
    parts.bodies[0].velocity = Vec3(1, 0, 0);
    add_rods(parts);
    Course run(parts, {}, threads);
    run.memory.undivided = undivided;
    EXPECT_TRUE(run.advance(1).ok());
    EXPECT_EQ(run.collisions.size(), 4U);
    EXPECT_NEAR(run.state.bodies[4].v.x(), 16, 0.16);
    EXPECT_GT(run.memory.undivided, 0);
    return bits_of(run);
  };
  const std::string alone = run_frame(1, 0);
  EXPECT_TRUE(alone == run_frame(2, 0));
  EXPECT_TRUE(alone == run_frame(1, kAlways));
}

TEST(Regions, AllStopWhereOneIsStuck) {
  SceneParts parts{.gravity = Vec3::Zero(), .between = {.restitution = 1}};
  for (const double x : {-1.0, 1.0}) {
    parts.bodies.push_back(make_box("wall" + std::to_string(x), Vec3(1, 4, 4), Vec3(x, 0, 0)));
    parts.bodies.back().motion = model::Motion::Fixed;
  }
  parts.bodies.push_back(make_ball("wedged", 0.5, Vec3::Zero(), Vec3(1, 0, 0)));
  parts.bodies.push_back(make_ball("free", 0.5, Vec3(0, 9, 0), Vec3(-1, 0, 0)));
  add_rods(parts);
  Course run(parts, {}, 2);
  EXPECT_EQ(run.advance(1).status, AdvanceStatus::ZenoPoint);
  EXPECT_LT(run.state.t, 1e-6);
  EXPECT_NEAR(run.state.bodies[3].x.x(), -run.state.t, 1e-15);
}

}  // namespace
}  // namespace carom::methods
