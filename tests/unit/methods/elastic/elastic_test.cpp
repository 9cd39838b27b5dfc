// Runs of the elastic method that are broken off and taken up again.
#include "carom/methods/elastic/elastic.h"

#include <gtest/gtest.h>

#include "support/rig.h"

namespace carom::methods {
namespace {

using support::Rig;
using support::SceneParts;

void expect_same_bits(const State& one, const State& other) {
  EXPECT_EQ(one.t, other.t);
  for (std::size_t i = 0; i < one.bodies.size(); ++i) {
    EXPECT_EQ(one.bodies[i].x, other.bodies[i].x) << i;
    EXPECT_EQ(one.bodies[i].v, other.bodies[i].v) << i;
    EXPECT_EQ(one.bodies[i].w, other.bodies[i].w) << i;
    EXPECT_EQ(one.bodies[i].q.coeffs(), other.bodies[i].q.coeffs()) << i;
  }
}

constexpr double kEnd = 1;

bool advance_once(Rig& rig) { return rig.advance_to(rig.state.t + 1e-3).ok(); }

bool in_contact(const Rig& rig) {
  return rig.witness.count(record::EventKind::ContactBegin) >
         rig.witness.count(record::EventKind::ContactEnd);
}

// Saved after every `every` frames of a run, restored elsewhere, and followed for some more. Says
// how often something was in contact then.
int expect_same_after_restarts(const SceneParts& parts, int saves, int every) {
  Rig whole(parts);
  int touching = 0;
  for (int save = 0; save < saves && whole.state.t < kEnd; ++save) {
    for (int i = 0; i < every && whole.state.t < kEnd; ++i) EXPECT_TRUE(advance_once(whole));
    touching += in_contact(whole) ? 1 : 0;
    std::string bytes;
    whole.stepper.save(bytes);
    Rig resumed(parts);
    std::string_view left = bytes;
    resumed.stepper.restore(left);
    EXPECT_TRUE(left.empty());
    resumed.state = whole.state;
    for (int i = 0; i < 40 && whole.state.t < kEnd; ++i) {
      EXPECT_TRUE(advance_once(whole));
      EXPECT_TRUE(advance_once(resumed));
    }
    expect_same_bits(whole.state, resumed.state);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "save " << save << " at " << whole.state.t;
      return touching;
    }
  }
  return touching;
}

model::MethodSettings elastic(double tolerance) {
  return {"elastic", {{"tolerance", tolerance}, {"reduction", 1e-3}}};
}

TEST(Elastic, BallsGoOnBitForBit) {
  const int touching = expect_same_after_restarts(
      {.between = {.restitution = 0.7, .friction = 0.3},
       .bodies = {support::make_ground(),
                  support::make_ball("one", 0.05, Vec3(0, 0, 0.06), Vec3(0.5, 0, 0)),
                  support::make_ball("two", 0.05, Vec3(0.2, 0.01, 0.05), Vec3(-0.2, 0, 0)),
                  support::make_ball("three", 0.04, Vec3(0.2, 0.02, 0.2))},
       .method = elastic(1e-6),
       .duration = kEnd},
      30, 17);
  EXPECT_GT(touching, 5);
}

TEST(Elastic, ABoxGoesOnBitForBit) {
  SceneParts parts{.between = {.restitution = 0.3, .friction = 0.4},
                   .bodies = {support::make_ground(),
                              support::make_box("low", Vec3(0.2, 0.2, 0.1), Vec3(0, 0, 0.05)),
                              support::make_box("box", Vec3(0.1, 0.1, 0.1), Vec3(0.02, 0, 0.16))},
                   .method = elastic(1e-6),
                   .duration = kEnd};
  parts.bodies[2].angular_velocity = Vec3(0.4, 0.1, 0.2);
  EXPECT_GT(expect_same_after_restarts(parts, 10, 23), 5);
}

TEST(Elastic, APendulumGoesOnBitForBit) {
  model::BodySpec hook = support::make_ball("hook", 0.01, Vec3::Zero());
  hook.motion = model::Motion::Fixed;
  expect_same_after_restarts(
      {.bodies = {hook, support::make_box("rod", Vec3(1, 0.1, 0.1), Vec3(0.5, 0, 0))},
       .joints = {{.name = "hang",
                   .type = model::JointType::Hinge,
                   .between = {"hook", "rod"},
                   .anchor = Vec3::Zero(),
                   .axis = Vec3::UnitY()}},
       .method = elastic(1e-7),
       .duration = kEnd},
      8, 11);
}

// Clusters take their own steps. (When two bodies are looked at before they meet does depend on all
// others, and with it the last digits of the time at which they do.)
TEST(Elastic, ABallBouncesAsIfNothingElseHappened) {
  const auto scene_of = [](const std::vector<model::BodySpec>& others) {
    SceneParts parts{.between = {.restitution = 0.7, .friction = 0.3},
                     .bodies = {support::make_ground(),
                                support::make_ball("ball", 0.05, Vec3(0, 0, 0.1), Vec3(1, 0, 0))},
                     .method = elastic(1e-6),
                     .duration = kEnd};
    parts.bodies.insert(parts.bodies.end(), others.begin(), others.end());
    return parts;
  };
  Rig alone(scene_of({}));
  Rig among(scene_of({support::make_ball("far", 0.05, Vec3(0, 5, 0.07), Vec3(0, 0, 1)),
                      support::make_ball("farther", 0.05, Vec3(0, 9, 0.05), Vec3(-1, 0, 0)),
                      support::make_ball("struck", 0.05, Vec3(-0.3, 9, 0.05))}));
  EXPECT_TRUE(alone.advance_to(0.5).ok());
  EXPECT_TRUE(among.advance_to(0.5).ok());
  const BodyState &one = alone.state.bodies[1], &same = among.state.bodies[1];
  EXPECT_LT((one.x - same.x).norm(), 1e-12);
  EXPECT_LT((one.v - same.v).norm(), 1e-11);
  EXPECT_LT((one.w - same.w).norm(), 1e-10);
  EXPECT_GT(among.witness.events.size(), alone.witness.events.size() + 4);
}

// Frames end where someone looks; what happens does not depend on it.
TEST(Elastic, LookingMoreOftenChangesNothing) {
  const SceneParts parts{
      .between = {.restitution = 0.7, .friction = 0.3},
      .bodies = {support::make_ground(), support::make_ball("one", 0.05, Vec3(0, 0, 0.1)),
                 support::make_ball("two", 0.05, Vec3(0.02, 0, 0.25)),
                 support::make_ball("three", 0.05, Vec3(0.5, 0, 0.08))},
      .method = elastic(1e-6),
      .duration = kEnd};
  Rig seldom(parts), often(parts);
  EXPECT_TRUE(seldom.advance_to(0.4).ok());
  for (int i = 1; i <= 400; ++i) EXPECT_TRUE(often.advance_to(1e-3 * i).ok());
  EXPECT_TRUE(often.advance_to(0.4).ok());
  expect_same_bits(seldom.state, often.state);
}

}  // namespace
}  // namespace carom::methods
