// A step allocates nothing once its memory has grown.
#include <gtest/gtest.h>

#include "allocation/count.h"
#include "support/rig.h"

namespace carom::methods {
namespace {

using support::allocations;
using support::make_ball;
using support::make_ground;
using support::SceneParts;

// No sinks: what they keep is theirs.
struct Bare {
  explicit Bare(const SceneParts& parts) : Bare(support::build(parts)) {}
  explicit Bare(const Scene& made)
      : scene(with_tolerances(made)),
        workers(1),
        recorder(scene),
        stepper(scene, workers, recorder),
        state(dynamics::make_initial_state(scene)) {}

  long allocations_in_steps(int count) {
    const long before = allocations;
    for (int i = 0; i < count; ++i) {
      const AdvanceResult result = stepper.advance(state, ++steps * step_of(scene));
      EXPECT_TRUE(result.ok()) << describe(result, scene, state.t);
    }
    return allocations - before;
  }

  Scene scene;
  base::Workers workers;
  record::Recorder recorder;
  Stepper stepper;
  State state;
  int steps = 0;
};

class Allocation : public testing::Test {
 protected:
  void SetUp() override {
#ifdef CAROM_ALLOCATIONS_UNSEEN
    GTEST_SKIP() << "allocations cannot be counted in this build";
#endif
  }
};

TEST_F(Allocation, IsCounted) {
  const long before = allocations;
  const std::vector<double> some(100);
  const MatX matrix = MatX::Zero(10, static_cast<math::Index>(some.size()));
  EXPECT_EQ(matrix.sum(), 0);
  EXPECT_EQ(allocations, before + 2);
}

TEST_F(Allocation, IsNoneForARestingBox) {
  Bare bare({.bodies = {make_ground(), support::make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))}});
  bare.allocations_in_steps(100);
  EXPECT_EQ(bare.allocations_in_steps(1000), 0);
}

TEST_F(Allocation, IsNoneForABouncingBall) {
  Bare bare({.between = {.restitution = 0.9},
             .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.2))}});
  bare.allocations_in_steps(500);  // some bounces
  EXPECT_EQ(bare.allocations_in_steps(2000), 0);
}

TEST_F(Allocation, IsNoneForManyBallsOnAPlane) {
  model::BodySpec ball = make_ball("ball", 0.1, Vec3(0, 0, 0.1));
  ball.grid = model::GridSpec{.count = {5, 5, 1}, .spacing = Vec3(0.2, 0.2, 0.2)};
  Bare bare({.between = {.friction = 0.3}, .bodies = {make_ground(), ball}});
  bare.allocations_in_steps(100);
  EXPECT_EQ(bare.allocations_in_steps(200), 0);
}

TEST_F(Allocation, IsNoneForAPendulum) {
  model::BodySpec hook = make_ball("hook", 0.01, Vec3::Zero());
  hook.motion = model::Motion::Fixed;
  Bare bare({.bodies = {hook, support::make_box("rod", Vec3(1, 0.1, 0.1), Vec3(0.5, 0, 0))},
             .joints = {{.name = "hang",
                         .type = model::JointType::Hinge,
                         .between = {"hook", "rod"},
                         .anchor = Vec3::Zero(),
                         .axis = Vec3::UnitY()}}});
  bare.allocations_in_steps(100);
  EXPECT_EQ(bare.allocations_in_steps(500), 0);
}

SceneParts make_tower(int boxes, const model::MethodSettings& method) {
  SceneParts parts{.between = {.friction = 0.5}, .bodies = {make_ground()}, .method = method};
  for (int i = 0; i < boxes; ++i) {
    parts.bodies.push_back(support::make_box("box" + std::to_string(i), Vec3(1, 1, 1),
                                             Vec3(0.03 * (i % 2), 0, 0.5 + i)));
  }
  return parts;
}

// Without forces to begin with sweeps creep, and Newton's method finds them.
TEST_F(Allocation, IsNoneForForcesFoundFromNothing) {
  const Scene scene = support::build(make_tower(6, {}));
  const State state = dynamics::make_initial_state(scene);
  base::Workers workers(1);
  contact::ContactSet contacts;
  contact::Pairs(scene, workers).find_contacts(state, contacts);
  contact::ContactProblem problem;
  contact::Assembler(scene).assemble(contacts, {}, state, problem);
  contact::StepRates step_rates(scene);
  const contact::Rates rates = step_rates.predict(problem, state, 0.001, 0.001);
  resting::Carrier carrier(workers);
  contact::Impulses impulses;
  const auto carry = [&] {
    impulses.contacts.assign(problem.contacts.size(), Vec3::Zero());
    return carrier.carry(problem, rates, 1e-5, {}, impulses).residual;
  };
  EXPECT_LT(carry(), 1e-14);
  const long before = allocations;
  EXPECT_LT(carry(), 1e-14);
  EXPECT_EQ(allocations, before);
}

TEST_F(Allocation, IsNoneForATowerOfBoxes) {
  model::MethodSettings awake = support::zeno_free(0.001);
  awake.options["sleeping"] = false;
  Bare bare(make_tower(6, awake));
  bare.allocations_in_steps(20);
  EXPECT_EQ(bare.allocations_in_steps(100), 0);
}

TEST_F(Allocation, IsNoneForATowerInTimeSteps) {
  for (const double sides : {1.0, 16.0}) {
    Bare bare(make_tower(6, {"time-stepping", {{"step", 0.001}, {"sides", sides}}}));
    bare.allocations_in_steps(20);
    EXPECT_EQ(bare.allocations_in_steps(200), 0) << sides;
  }
}

// Which solver an island needs shows after some steps.
TEST_F(Allocation, IsNoneForBoxesAndABallThatResistTurning) {
  for (const char* const method : {"zeno-free", "time-stepping"}) {
    SceneParts parts = make_tower(3, {method, {{"step", 0.001}}});
    parts.bodies.push_back(make_ball("ball", 0.1, Vec3(5, 0, 0.1), Vec3(1, 0, 0)));
    parts.bodies.back().angular_velocity = Vec3(0, 10, 5);
    Scene scene = support::build(parts);
    scene.pairs.set(MaterialId{0}, MaterialId{0},
                    {.friction = 0.5, .rolling_friction = 0.01, .spinning_friction = 0.01});
    Bare bare(scene);
    bare.allocations_in_steps(100);
    EXPECT_EQ(bare.allocations_in_steps(200), 0) << method;
  }
}

// Steps of their own length, to the end of the scene.
TEST_F(Allocation, IsNoneForContactForcesThatVary) {
  model::BodySpec hook = make_ball("hook", 0.01, Vec3(0, 5, 5));
  hook.motion = model::Motion::Fixed;
  model::BodySpec spinning = support::make_box("spinning", Vec3(1, 1, 1), Vec3(0, 0, 0.5));
  spinning.angular_velocity = Vec3(0, 0, 3);
  for (const char* formula : {"runge-kutta", "adams-moulton"}) {
    Bare bare({.bodies = {make_ground(), hook, spinning,
                          make_ball("ball", 0.1, Vec3(3, 0, 0.1), Vec3(1, 0, 0)),
                          make_ball("bob", 0.1, Vec3(1, 5, 5))},
               .joints = {{.name = "hang",
                           .type = model::JointType::Ball,
                           .between = {"hook", "bob"},
                           .anchor = Vec3(0, 5, 5)}},
               .method = {"analytic", {{"formula", std::string(formula)}}},
               .duration = 100});
    const auto advance_steps = [&](int count) {
      const long before = allocations;
      for (int i = 0; i < count; ++i) {
        EXPECT_TRUE(bare.stepper.advance(bare.state, 100).ok());
      }
      return allocations - before;
    };
    advance_steps(300);
    EXPECT_EQ(advance_steps(200), 0) << formula;
  }
}

// Steps as long as their error allows. Where contacts begin or end, and once in a thousand steps,
// the solver lays out its matrix anew, which takes memory.
TEST_F(Allocation, IsNoneForABallThatRollsElastically) {
  for (const bool sticks : {true, false}) {
    Bare bare({.between = {.friction = 0.3},
               .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1), Vec3(1, 0, 0))},
               .method = {"elastic",
                          {{"tolerance", 1e-8},
                           {"friction", std::string(sticks ? "stick" : "regularised")}}},
               .duration = 1000});
    const auto advance_steps = [&](int count) {
      const long before = allocations;
      for (int i = 0; i < count; ++i) {
        EXPECT_TRUE(bare.stepper.advance(bare.state, 1000).ok());
      }
      return allocations - before;
    };
    advance_steps(1500);
    const double start = bare.state.t;
    EXPECT_EQ(advance_steps(400), 0) << sticks << " from " << start << " to " << bare.state.t;
  }
}

TEST_F(Allocation, IsNoneForABallThatBouncesInTimeSteps) {
  Bare bare({.between = {.restitution = 0.9, .friction = 0.3},
             .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.2), Vec3(1, 0, 0))},
             .method = {"time-stepping", {{"step", 0.001}}}});
  bare.allocations_in_steps(500);
  EXPECT_EQ(bare.allocations_in_steps(2000), 0);
}

}  // namespace
}  // namespace carom::methods
