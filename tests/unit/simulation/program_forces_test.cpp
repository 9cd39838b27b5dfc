// Forces that a program applies while it steps, in every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/base/diagnostics.h"
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

// A ball that nothing pulls, of mass 1, beside one that drag slows down.
Scene make_scene(const std::string& method) {
  return support::build({.gravity = Vec3::Zero(),
                         .bodies = {make_ball("ball", 0.1, Vec3::Zero()),
                                    make_ball("slow", 0.1, Vec3(0, 5, 0), Vec3(1, 0, 0))},
                         .method = {method, {}},
                         .duration = 2,
                         .output_every = 0.05,
                         .forces = {model::DragSpec{.bodies = {"slow"}, .linear = 1}}});
}

constexpr BodyId kBall{0};
constexpr double kInertia = 0.4 * 0.01;

void expect_passed(const Simulation& simulation) {
  const record::AuditResult audit = simulation.summary().audit;
  for (std::size_t i = 0; i < record::kJudged; ++i) {
    const auto what = static_cast<record::Judged>(i);
    EXPECT_FALSE(audit.exceeds(what)) << record::kJudgedNames[i].key << " " << audit.found()[what]
                                      << " of " << audit.limits[what];
  }
}

class Pushed : public testing::TestWithParam<std::string> {
 protected:
  // Of what others have to round-off: `elastic` has it to its tolerance.
  static double small() { return GetParam() == "elastic" ? 1e-7 : 1e-9; }
};

TEST_P(Pushed, AWrenchLastsForOneCall) {
  Simulation simulation(make_scene(GetParam()));
  simulation.apply_wrench(kBall, {.force = Vec3(1, 0, 0)});
  simulation.apply_wrench(kBall, {.force = Vec3(1, 0, 0), .torque = Vec3(0, 0, 0.01)});
  ASSERT_TRUE(simulation.advance_to(0.5).ok);
  EXPECT_NEAR(simulation.state()[kBall].v.x(), 1, small());
  EXPECT_NEAR(simulation.state()[kBall].x.x(), 0.25, small());
  EXPECT_NEAR(simulation.state()[kBall].w.z(), 0.005 / kInertia, 1e-7);
  ASSERT_TRUE(simulation.advance_to(1).ok);
  EXPECT_NEAR(simulation.state()[kBall].v.x(), 1, small());
  EXPECT_NEAR(simulation.state()[kBall].x.x(), 0.75, small());
  expect_passed(simulation);
}

TEST_P(Pushed, AnotherLastsUntilItIsChanged) {
  Simulation simulation(make_scene(GetParam()));
  simulation.apply_wrench(kBall, {.force = Vec3(2, 0, 0)}, Lasting::UntilChanged);
  ASSERT_TRUE(simulation.advance_to(0.25).ok);
  ASSERT_TRUE(simulation.advance_to(0.5).ok);
  EXPECT_NEAR(simulation.state()[kBall].v.x(), 1, small());
  simulation.apply_wrench(kBall, {.force = Vec3(-4, 0, 0)}, Lasting::UntilChanged);
  ASSERT_TRUE(simulation.advance_to(0.75).ok);
  EXPECT_NEAR(simulation.state()[kBall].v.x(), 0, small());
  simulation.apply_wrench(kBall, {}, Lasting::UntilChanged);
  ASSERT_TRUE(simulation.advance_to(1).ok);
  EXPECT_NEAR(simulation.state()[kBall].v.x(), 0, small());
  expect_passed(simulation);
}

// A force of 1 N at a point 0.1 m off the centre, which goes round with the ball: its torque about
// the centre begins with 0.1 N m.
TEST_P(Pushed, AForceAtAPointTurnsTheBody) {
  Simulation simulation(make_scene(GetParam()));
  simulation.apply_wrench(kBall, {.force = Vec3(0, 1, 0), .point = Vec3(0.1, 0, 0)});
  ASSERT_TRUE(simulation.advance_to(0.01).ok);
  EXPECT_NEAR(simulation.state()[kBall].v.y(), 0.01, small());
  // φ'' = (0.1/I) cos φ, of which to third order φ' = 0.1 t/I (1 - φ²/10 …): below 1e-5.
  EXPECT_NEAR(simulation.state()[kBall].w.z(), 0.1 * 0.01 / kInertia, 1e-5);
  expect_passed(simulation);
}

// x'' = -ω² x by a law: x = cos ωt, of which the stepping methods miss (ωh)²/24 ωt at most.
TEST_P(Pushed, ALawIsASpring) {
  Simulation simulation(make_scene(GetParam()));
  State state = simulation.state();
  state[kBall].x.x() = 1;
  simulation.set_state(state);
  simulation.set_force_law({kBall}, [](BodyId body, const State& at) -> Wrench {
    return {-25 * at[body].x, Vec3::Zero()};
  });
  ASSERT_TRUE(simulation.advance_to(1).ok);
  const bool varies = GetParam() == "analytic" || GetParam() == "elastic";
  EXPECT_NEAR(simulation.state()[kBall].x.x(), std::cos(5.0), varies ? 1e-6 : 1e-5);
  simulation.set_force_law({}, {});
  const Vec3 v = simulation.state()[kBall].v;
  ASSERT_TRUE(simulation.advance_to(1.5).ok);
  EXPECT_LT((simulation.state()[kBall].v - v).norm(), small());
  expect_passed(simulation);
}

// Pushed anew every 20 ms; saved while a force acts, and gone on with in another simulation.
TEST_P(Pushed, GoesOnBitForBit) {
  const auto push = [](Simulation& simulation, int i) {
    simulation.apply_wrench(kBall, {.force = Vec3(std::sin(i), 0.3, 0)});
    return simulation.advance_to(0.02 * (i + 1)).ok;
  };
  Simulation whole(make_scene(GetParam()));
  whole.apply_wrench(BodyId{1}, {.force = Vec3(0, 0, 1)}, Lasting::UntilChanged);
  std::string saved;
  for (int i = 0; i < 20; ++i) {
    if (i == 11) saved = whole.save();
    ASSERT_TRUE(push(whole, i));
  }
  Simulation other(make_scene(GetParam()));
  other.restore(saved);
  for (int i = 11; i < 20; ++i) ASSERT_TRUE(push(other, i));
  EXPECT_TRUE(same_bits(whole.state(), other.state()));
  EXPECT_TRUE(whole.save() == other.save());
}

TEST_P(Pushed, ForcesOfTheSceneGiveTheSameBitsStepByStep) {
  record::TraceSink whole, stepped;
  Simulation run(make_scene(GetParam())), steps(make_scene(GetParam()));
  run.add(whole);
  steps.add(stepped);
  static_cast<void>(run.run());
  while (steps.time() < 0.9) ASSERT_TRUE(steps.step().ok);
  static_cast<void>(steps.run());
  support::expect_same(whole.trace(), stepped.trace());
}

INSTANTIATE_TEST_SUITE_P(Methods, Pushed,
                         testing::Values("zeno-free", "naive", "time-stepping", "analytic",
                                         "microcollision", "elastic"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// A box of 1 kg on the floor with μ = 0.5: held up to 4.905 N, then a = F/m - μ g.
class PushedBox : public testing::TestWithParam<std::string> {
 protected:
  static Scene make_box_scene() {
    return support::build(
        {.between = {.friction = 0.5},
         .bodies = {make_ground(), make_box("box", Vec3(1, 1, 0.2), Vec3(0, 0, 0.1))},
         .method = {GetParam(), {}},
         .duration = 20});
  }
};

TEST_P(PushedBox, IsHeldByFrictionAndWokenByMore) {
  Simulation simulation(make_box_scene());
  const BodyId box{1};
  simulation.apply_wrench(box, {.force = Vec3(4, 0, 0)}, Lasting::UntilChanged);
  ASSERT_TRUE(simulation.advance_to(5).ok);  // long enough to fall asleep
  EXPECT_NEAR(simulation.state()[box].x.x(), 0, 1e-6);
  simulation.apply_wrench(box, {.force = Vec3(6, 0, 0)}, Lasting::UntilChanged);
  ASSERT_TRUE(simulation.advance_to(6).ok);
  const double a = 6 - 0.5 * 9.81;
  EXPECT_NEAR(simulation.state()[box].v.x(), a, 1e-3 * a);
  EXPECT_NEAR(simulation.state()[box].x.x(), a / 2, 2e-3 * a);
  expect_passed(simulation);
}

INSTANTIATE_TEST_SUITE_P(Methods, PushedBox,
                         testing::Values("zeno-free", "time-stepping", "analytic"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(ProgramForces, BadOnesAreRefused) {
  const Scene scene =
      support::build({.bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 1))}});
  Simulation simulation(scene);
  EXPECT_THROW(simulation.apply_wrench(BodyId{0}, {.force = Vec3::UnitX()}), base::BadInput);
  EXPECT_THROW(simulation.apply_wrench(BodyId{7}, {}), base::BadInput);
  EXPECT_THROW(simulation.apply_wrench(BodyId{1}, {.force = Vec3(NAN, 0, 0)}), base::BadInput);
  EXPECT_THROW(simulation.set_force_law({BodyId{1}, BodyId{1}},
                                        [](BodyId, const State&) { return Wrench{}; }),
               base::BadInput);
  simulation.set_force_law({BodyId{1}}, [](BodyId, const State&) { return Wrench{}; });
  const std::string saved = simulation.save();
  Simulation without(scene);
  EXPECT_THROW(without.restore(saved), base::BadInput);
}

TEST(Options, AreThoseOfTheMethodAndChecked) {
  const Scene scene = support::build({.bodies = {make_ball("ball", 0.1, Vec3::Zero())}});
  EXPECT_EQ(Simulation(scene, Analytic{.tolerance = 1e-7}).scene().method.name, "analytic");
  Simulation steps(scene, ZenoFree{.step = 0.01});
  ASSERT_TRUE(steps.step().ok);
  EXPECT_EQ(steps.time(), 0.01);
  EXPECT_THROW(Simulation(scene, ZenoFree{.step = -1}), base::BadInput);
  EXPECT_THROW(Simulation(scene, ZenoFree{.integrator = "heun"}), base::BadInput);
  EXPECT_THROW(Simulation(scene, Elastic{.others = {{"no such", 1.0}}}), base::BadInput);
}

}  // namespace
}  // namespace carom::simulation
