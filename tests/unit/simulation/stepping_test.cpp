// Stepping from a program gives what one run gives, and questions in between are answered.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/diagnostics.h"
#include "carom/base/random.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"
#include "support/same_bits.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

using support::make_ball;
using support::make_box;
using support::make_ground;
using support::same_bits;
using support::SceneParts;

constexpr double kGravity = 9.81;

// A ball that falls from height h above the ground and bounces, beside a box at rest.
Scene make_scene(const std::string& method, double duration = 0.5) {
  return support::build({.between = {.restitution = 0.5, .friction = 0.3},
                         .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.6)),
                                    make_box("box", Vec3(1, 1, 1), Vec3(2, 0, 0.5))},
                         .method = {method, {}},
                         .duration = duration,
                         .output_every = 0.02});
}

constexpr double kFall = 0.5;  // m, before the ball touches

std::vector<std::string> methods_that_finish() {
  return {"zeno-free", "time-stepping", "analytic", "microcollision", "elastic"};
}

class Stepping : public testing::TestWithParam<std::string> {};

TEST_P(Stepping, OneStepAtATimeIsOneRun) {
  record::TraceSink whole, stepped;
  Simulation run(make_scene(GetParam())), steps(make_scene(GetParam()));
  run.add(whole);
  steps.add(stepped);
  const record::Summary summary = run.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  while (steps.time() < 0.3) {
    const Progress progress = steps.step();
    ASSERT_TRUE(progress.ok) << progress.reason;
  }
  const record::Summary rest = steps.run();  // goes on from there
  EXPECT_TRUE(rest.finished);
  EXPECT_EQ(rest.counters.steps, summary.counters.steps);
  support::expect_same(whole.trace(), stepped.trace());
}

TEST_P(Stepping, SavedAndRestoredItGoesOnBitForBit) {
  Simulation steps(make_scene(GetParam()));
  std::string saved;
  State then;
  base::Random random(7);
  for (int i = 0; steps.time() < 0.45; ++i) {
    if (i > 0 && random.uniform() < 0.3) {
      saved = steps.save();
      then = steps.state();
    }
    ASSERT_TRUE(steps.step().ok);
  }
  ASSERT_FALSE(saved.empty());
  Simulation other(make_scene(GetParam()));
  other.restore(saved);
  EXPECT_TRUE(same_bits(other.state(), then));
  EXPECT_TRUE(other.save() == saved);
  while (other.time() < steps.time()) ASSERT_TRUE(other.step().ok);
  EXPECT_TRUE(same_bits(other.state(), steps.state()));
  EXPECT_TRUE(other.save() == steps.save());
  steps.restore(saved);  // back in time, in the same one
  while (steps.time() < other.time()) ASSERT_TRUE(steps.step().ok);
  EXPECT_TRUE(other.save() == steps.save());
}

TEST_P(Stepping, GoesOnBeyondTheScenesDuration) {
  Simulation simulation(make_scene(GetParam(), 0.05));
  record::TraceSink kept;
  simulation.add(kept);
  ASSERT_TRUE(simulation.advance_to(0.2).ok);
  EXPECT_EQ(simulation.time(), 0.2);
  EXPECT_NEAR(simulation.state().bodies[1].x.z(), 0.6 - 0.5 * kGravity * 0.04, 1e-9);
  EXPECT_NEAR(kept.trace().outputs.back().t, 0.2, 1e-12);
  ASSERT_TRUE(simulation.step().ok);
  EXPECT_GT(simulation.time(), 0.2);
}

// The ball touches the ground at √(2h/g) and leaves it with half of its speed.
TEST_P(Stepping, EventsAreMetWhereTheyHappen) {
  Simulation simulation(make_scene(GetParam()));
  const double touches = std::sqrt(2 * kFall / kGravity);
  const bool in_steps = GetParam() == "time-stepping";
  bool met = false;
  while (!met && simulation.time() < 0.5) {
    ASSERT_TRUE(simulation.advance_to_next_event(0.5).ok);
    for (const record::ContactEvent& event : simulation.events())
      met = met || event.a == BodyId{1} || event.b == BodyId{1};
  }
  ASSERT_TRUE(met);
  EXPECT_NEAR(simulation.time(), touches, in_steps ? 2e-3 : 1e-9);
  const double speed = simulation.state().bodies[1].v.z();
  if (GetParam() == "elastic")
    EXPECT_NEAR(speed, -kGravity * touches, 1e-6);  // it begins to deform
  else
    EXPECT_NEAR(speed, 0.5 * kGravity * touches, in_steps ? 5e-2 : 1e-6);
}

TEST_P(Stepping, WithoutAnEventItComesToTheLatestTime) {
  Simulation simulation(make_scene(GetParam()));
  ASSERT_TRUE(simulation.advance_to_next_event(0.1).ok);
  while (simulation.time() < 0.1) ASSERT_TRUE(simulation.advance_to_next_event(0.1).ok);
  EXPECT_EQ(simulation.time(), 0.1);
}

// A ball that is thrown anew in mid-air comes down where a parabola does, and the audit has booked
// what that took.
TEST_P(Stepping, AStateCanBeSet) {
  Simulation simulation(make_scene(GetParam()));
  ASSERT_TRUE(simulation.advance_to(0.1).ok);
  State state = simulation.state();
  state.bodies[1].x = Vec3(-1, 0, 1);
  state.bodies[1].v = Vec3(0, 1, 2);
  simulation.set_state(state);
  EXPECT_EQ(simulation.time(), 0.1);
  ASSERT_TRUE(simulation.advance_to(0.4).ok);
  const BodyState& ball = simulation.state().bodies[1];
  EXPECT_NEAR(ball.x.z(), 1 + 2 * 0.3 - 0.5 * kGravity * 0.09, 1e-9);
  EXPECT_NEAR(ball.x.y(), 0.3, 1e-9);
  const record::AuditResult audit = simulation.summary().audit;
  EXPECT_TRUE(audit.passed()) << "gained " << audit.energy_max_gain << " J";
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Stepping, testing::ValuesIn(methods_that_finish()),
                         [](const auto& name) {
                           std::string word = name.param;
                           std::erase(word, '-');
                           return word;
                         });

TEST(Simulation, TellsWhatCarriesABoxAtRest) {
  Simulation simulation(make_scene("zeno-free"));
  ASSERT_TRUE(simulation.advance_to(0.1).ok);
  Vec3 carried = Vec3::Zero();
  for (const record::CarriedForce& force : simulation.forces())
    if (force.a == BodyId{2} || force.b == BodyId{2})
      carried += (force.a == BodyId{2} ? 1 : -1) * force.force;
  EXPECT_NEAR(carried.z(), kGravity, 1e-9);  // of 1 kg
  int corners = 0;
  for (const contact::Contact& contact : simulation.contacts()) {
    EXPECT_NEAR(contact.at.point.z(), 0, 1e-9);
    corners += contact.a == BodyId{2} || contact.b == BodyId{2} ? 1 : 0;
  }
  EXPECT_EQ(corners, 4);
}

TEST(Simulation, RefusesStatesThatCannotBe) {
  Simulation simulation(make_scene("zeno-free"));
  State state = simulation.state();
  state.bodies.pop_back();
  EXPECT_THROW(simulation.set_state(state), base::BadInput);
  state = simulation.state();
  state.bodies[1].x.z() = 0.05;  // half in the ground
  EXPECT_THROW(simulation.set_state(state), base::BadInput);
  state.bodies[1].x.z() = std::nan("");
  EXPECT_THROW(simulation.set_state(state), base::BadInput);
  state = simulation.state();
  state.bodies[0].v.x() = 1;  // of the ground, which is fixed
  EXPECT_THROW(simulation.set_state(state), base::BadInput);
  EXPECT_EQ(simulation.time(), 0);
}

// All alike but for one number.
TEST(Simulation, RefusesBytesOfAnotherScene) {
  const auto make = [](double mass, double friction, double gravity, double step) {
    model::BodySpec ball = make_ball("ball", 0.1, Vec3(0, 0, 0.6));
    ball.mass = mass;
    return support::build({.gravity = Vec3(0, 0, -gravity),
                           .between = {.friction = friction},
                           .bodies = {make_ground(), ball},
                           .method = {"zeno-free", {{"step", step}}}});
  };
  Simulation simulation(make(1, 0.5, 9.81, 1e-3)), same(make(1, 0.5, 9.81, 1e-3));
  const std::string saved = simulation.save();
  same.restore(saved);
  for (const Scene& scene : {make(2, 0.5, 9.81, 1e-3), make(1, 0.4, 9.81, 1e-3),
                             make(1, 0.5, 9.8, 1e-3), make(1, 0.5, 9.81, 2e-3)}) {
    Simulation other(scene);
    EXPECT_THROW(other.restore(saved), base::BadInput);
  }
}

TEST(Simulation, RefusesBytesOfOthers) {
  Simulation simulation(make_scene("zeno-free")), other(make_scene("analytic"));
  std::string saved = simulation.save();
  EXPECT_THROW(other.restore(saved), base::BadInput);
  EXPECT_THROW(simulation.restore("nothing"), base::BadInput);
  saved[saved.size() / 2] ^= 1;
  EXPECT_THROW(simulation.restore(saved), base::BadInput);
}

TEST(Simulation, OwnsItsScene) {
  Simulation simulation(make_scene("zeno-free"));  // of a temporary
  Simulation moved = std::move(simulation);
  EXPECT_TRUE(moved.step().ok);
  EXPECT_EQ(moved.scene().bodies.size(), 3U);
}

}  // namespace
}  // namespace carom::simulation
