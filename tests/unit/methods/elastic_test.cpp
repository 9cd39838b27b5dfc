// Runs of the elastic method that are broken off and taken up again.
#include "carom/methods/elastic.h"

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

// A step of its own length.
bool advance_once(Rig& rig) { return rig.advance_to(kEnd).ok(); }

bool in_contact(const Rig& rig) {
  return rig.witness.count(record::EventKind::ContactBegin) >
         rig.witness.count(record::EventKind::ContactEnd);
}

// Saved after every `every` steps of a run, restored elsewhere, and followed for some more. Says
// how often something was in contact then.
int expect_same_after_restarts(const SceneParts& parts, int saves, int every) {
  Rig whole(parts);
  int touching = 0;
  for (int save = 0; save < saves && whole.state.t < kEnd; ++save) {
    for (int i = 0; i < every && whole.state.t < kEnd; ++i) EXPECT_TRUE(advance_once(whole));
    touching += in_contact(whole) ? 1 : 0;
    std::string bytes;
    whole.bench.save(bytes);
    Rig resumed(parts);
    std::string_view left = bytes;
    resumed.bench.restore(left);
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

}  // namespace
}  // namespace carom::methods
