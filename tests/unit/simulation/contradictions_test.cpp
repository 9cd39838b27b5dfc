// Joints whose bodies start against them, and joints and driven bodies that ask for the impossible:
// the same in every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

using model::BodySpec;
using model::JointSpec;
using model::JointType;
using support::SceneParts;

const std::vector<std::string> kMethods = {"zeno-free", "analytic", "time-stepping",
                                           "microcollision", "elastic"};

BodySpec with_motion(BodySpec body, model::Motion motion, const Vec3& velocity = Vec3::Zero()) {
  body.motion = motion;
  body.velocity = velocity;
  return body;
}
BodySpec fixed(const BodySpec& body) { return with_motion(body, model::Motion::Fixed); }
BodySpec driven(const BodySpec& body, const Vec3& velocity) {
  return with_motion(body, model::Motion::Driven, velocity);
}
BodySpec ball(const std::string& name, const Vec3& position) {
  return support::make_ball(name, 0.1, position);
}
JointSpec joint(const std::string& name, JointType type, const std::string& a, const std::string& b,
                const Vec3& anchor) {
  return {.name = name, .type = type, .between = {a, b}, .anchor = anchor};
}

struct Ran {
  record::Trace trace;
  record::Summary summary;
};

Ran run(SceneParts parts, const std::string& method) {
  parts.method = {method, {}};
  const Scene scene = support::build(parts);
  Simulation simulation(scene);
  record::TraceSink trace;
  simulation.add(trace);
  const record::Summary summary = simulation.run();
  return {trace.trace(), summary};
}

class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  static void expect_refusal(const SceneParts& parts, const std::vector<std::string>& names,
                             double earliest, double latest) {
    const Ran ran = run(parts, GetParam());
    ASSERT_FALSE(ran.summary.finished);
    const std::string reason = ran.summary.reason.value_or("");
    for (const std::string& name : names)
      EXPECT_NE(reason.find('"' + name + '"'), std::string::npos) << name << " in: " << reason;
    EXPECT_GE(ran.summary.simulated_seconds, earliest) << reason;
    EXPECT_LE(ran.summary.simulated_seconds, latest) << reason;
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(kMethods), [](const auto& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// The velocity along the bar goes, with half of the energy; the jerk is an event, and no gain.
TEST_P(EveryMethod, TakesAwayVelocityThatAJointForbids) {
  const Ran ran =
      run({.gravity = Vec3::Zero(),
           .bodies = {fixed(ball("post", Vec3::Zero())),
                      support::make_ball("bob", 0.1, Vec3(1, 0, 0), Vec3(2, 0, 2))},
           .joints = {{.name = "bar", .type = JointType::Distance, .between = {"post", "bob"}}},
           .duration = 0.1},
          GetParam());
  ASSERT_TRUE(ran.summary.finished) << ran.summary.reason.value_or("");
  ASSERT_FALSE(ran.trace.events.empty());
  const record::ContactEvent& jerk = ran.trace.events.front();
  EXPECT_EQ(jerk.kind, record::EventKind::Impact);
  EXPECT_EQ(jerk.t, 0);
  EXPECT_NEAR(jerk.impulse.norm(), 2, 1e-12);
  EXPECT_NEAR(std::abs(jerk.approach_speed), 2, 1e-12);
  EXPECT_NEAR(jerk.separation_speed, 0, 1e-12);
  EXPECT_NEAR(ran.summary.audit.energy_final, 2, 1e-6);
  EXPECT_LE(ran.summary.audit.energy_max_gain, 1e-6);
  EXPECT_LE(ran.summary.audit.energy_ledger_error, 1e-6);
}

// Velocities that fit are left alone.
TEST_P(EveryMethod, RecordsNoJerkWhereThereIsNone) {
  const Ran ran =
      run({.gravity = Vec3::Zero(),
           .bodies = {fixed(ball("post", Vec3::Zero())),
                      support::make_ball("bob", 0.1, Vec3(1, 0, 0), Vec3(0, 0, 2))},
           .joints = {{.name = "bar", .type = JointType::Distance, .between = {"post", "bob"}}},
           .duration = 0.01},
          GetParam());
  EXPECT_TRUE(ran.trace.events.empty());
}

// A hand pulls a card from under a weight: the jerk is between the joint's bodies alone, and the
// weight slides with μ g until it is as fast as the card, v t - v²/(2 μ g).
TEST_P(EveryMethod, SlidesAWeightOnACardThatIsJerkedAway) {
  const double v = 0.25, mu = 0.3, t = 0.5;
  const Vec3 grip(1, 0, 0.05);
  const Ran ran =
      run({.between = {.friction = mu},
           .bodies = {support::make_ground(),
                      driven(support::make_ball("hand", 0.05, grip), Vec3(v, 0, 0)),
                      support::make_box("card", Vec3(1.5, 0.5, 0.1), Vec3(0, 0, 0.05)),
                      support::make_box("weight", Vec3(0.2, 0.2, 0.2), Vec3(0, 0, 0.2))},
           .joints = {joint("grip", JointType::Fixed, "hand", "card", grip)},
           .duration = t},
          GetParam());
  ASSERT_TRUE(ran.summary.finished) << ran.summary.reason.value_or("");
  const double expected = v * t - v * v / (2 * mu * 9.81);
  const double tolerance = GetParam() == "analytic" ? 1e-9 : 2e-4;
  EXPECT_NEAR(ran.trace.outputs.back().bodies[3].x.x(), expected, tolerance);
}

TEST_P(EveryMethod, RefusesABarThatIsPulledApart) {
  expect_refusal({.bodies = {driven(ball("left", Vec3(-0.5, 0, 0)), Vec3(-1, 0, 0)),
                             driven(ball("right", Vec3(0.5, 0, 0)), Vec3(1, 0, 0)),
                             support::make_box("bar", Vec3(0.6, 0.1, 0.1), Vec3::Zero())},
                  .joints = {joint("pin left", JointType::Ball, "left", "bar", Vec3(-0.5, 0, 0)),
                             joint("pin right", JointType::Ball, "right", "bar", Vec3(0.5, 0, 0))}},
                 {"pin left", "pin right"}, 0, 0);
}

// Across the bar both pins can move at first: then the bar is too short by v² t² / 2 l.
TEST_P(EveryMethod, RefusesABarThatSoonIsTooShort) {
  expect_refusal({.bodies = {fixed(ball("post", Vec3(-0.5, 0, 0))),
                             driven(ball("cart", Vec3(0.5, 0, 0)), Vec3(0, 0, 1)),
                             support::make_box("bar", Vec3(0.6, 0.1, 0.1), Vec3::Zero())},
                  .joints = {joint("pin post", JointType::Ball, "post", "bar", Vec3(-0.5, 0, 0)),
                             joint("pin cart", JointType::Ball, "cart", "bar", Vec3(0.5, 0, 0))}},
                 {"pin post", "pin cart"}, 0, 0.1);
}

TEST_P(EveryMethod, RefusesABodyThatIsHeldAndTurned) {
  BodySpec rotor = driven(ball("rotor", Vec3(0.5, 0, 0)), Vec3::Zero());
  rotor.angular_velocity = Vec3(0, 0, 2);
  expect_refusal({.bodies = {fixed(ball("post", Vec3(-0.5, 0, 0))), rotor,
                             support::make_box("bar", Vec3(0.6, 0.1, 0.1), Vec3::Zero())},
                  .joints = {joint("weld", JointType::Fixed, "post", "bar", Vec3(-0.5, 0, 0)),
                             joint("shaft", JointType::Fixed, "rotor", "bar", Vec3(0.5, 0, 0))}},
                 {"weld", "shaft"}, 0, 0);
}

// Two bars of √½ each, at right angles: pulled straight when the cart is 2 √½ away from the post.
TEST_P(EveryMethod, RefusesALoopThatCannotCloseAnyMore) {
  expect_refusal({.bodies = {fixed(ball("post", Vec3(-0.5, 0, 0))),
                             driven(ball("cart", Vec3(0.5, 0, 0)), Vec3(1, 0, 0)),
                             support::make_box("one", Vec3(0.1, 0.1, 0.1), Vec3(-0.25, 0, 0.25)),
                             support::make_box("two", Vec3(0.1, 0.1, 0.1), Vec3(0.25, 0, 0.25))},
                  .joints = {joint("first", JointType::Ball, "post", "one", Vec3(-0.5, 0, 0)),
                             joint("knee", JointType::Ball, "one", "two", Vec3(0, 0, 0.5)),
                             joint("last", JointType::Ball, "cart", "two", Vec3(0.5, 0, 0))},
                  .duration = 1},
                 {"first", "knee", "last"}, 0.39, 0.45);
}

// The rams reach the box from both sides at 0.6 s.
TEST_P(EveryMethod, RefusesABodyThatIsCrushedBetweenDrivenOnes) {
  const Vec3 size(0.2, 0.2, 0.2);
  for (const double restitution : {0.0, 0.5}) {
    // A box that is pushed along without bouncing begins 120,000 contacts there: refused as well,
    // but after 20 s.
    if (GetParam() == "elastic" && restitution == 0) continue;
    expect_refusal(
        {.between = {.restitution = restitution, .friction = 0.3},
         .bodies = {support::make_ground(),
                    driven(support::make_box("ram", size, Vec3(-0.5, 0, 0.1)), Vec3(0.5, 0, 0)),
                    driven(support::make_box("other", size, Vec3(0.5, 0, 0.1)), Vec3(-0.5, 0, 0)),
                    support::make_box("box", size, Vec3(0.02, 0, 0.1))},
         .duration = 1},
        {"ram", "other", "box"}, 0.55, 0.65);
  }
}

TEST_P(EveryMethod, RefusesAPressThatReachesTheFloor) {
  const Vec3 size(0.2, 0.2, 0.2);
  expect_refusal(
      {.between = {.friction = 0.3},
       .bodies = {support::make_ground(), support::make_box("low", size, Vec3(0, 0, 0.1)),
                  support::make_box("high", size, Vec3(0, 0, 0.3)),
                  driven(support::make_box("press", size, Vec3(0, 0, 0.51)), Vec3(0, 0, -0.5))},
       .duration = 0.1},
      {"ground", "press", "low", "high"}, 0.015, 0.03);
}

}  // namespace
}  // namespace carom::simulation
