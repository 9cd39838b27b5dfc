// Velocities at the end of a step in closed form: g h along the rows, gaps over the step.
#include "carom/contact/step_rates.h"

#include <gtest/gtest.h>

#include "support/scenes.h"

namespace carom::contact {
namespace {

constexpr double kStep = 0.01, kGravity = 9.81;

// A ball that moves over the ground, with one contact below it at the given gap.
struct OnGround {
  explicit OnGround(double gap, double bias = 0)
      : scene(support::build(
            {.bodies = {support::make_ground(),
                        support::make_ball("ball", 0.5, Vec3(0, 0, 0.5), Vec3(1, 2, -0.3))}})),
        state(dynamics::make_initial_state(scene)) {
    Contact contact;
    contact.a = BodyId{1};
    contact.b = BodyId{0};
    contact.at = {Vec3::Zero(), Vec3::UnitZ(), gap};
    contact.bias = bias;
    Assembler(scene).assemble({contact}, {}, state, problem);
  }
  Scene scene;
  State state;
  ContactProblem problem;
};

TEST(StepRates, AddWhatGravityGivesInAStep) {
  OnGround ball(0, -4);
  StepRates rates(ball.scene);
  const Vec3 found = rates.predict(ball.problem, ball.state, kStep, kStep).contacts[0];
  EXPECT_NEAR(found.x(), -0.3 - kGravity * kStep - 4 * kStep, 1e-15);
  EXPECT_NEAR(found.tail<2>().norm(), std::sqrt(5.0), 1e-15);
  EXPECT_EQ(rates.present(ball.problem).contacts[0], ball.problem.contacts[0].rate);
}

TEST(StepRates, LetAGapCloseAndNotMore) {
  OnGround ball(0.002);
  StepRates rates(ball.scene);
  EXPECT_NEAR(
      rates.predict_closing(ball.problem, ball.state, kStep, {kStep, kStep}).contacts[0].x(),
      -0.3 - kGravity * kStep + 0.002 / kStep, 1e-15);
}

// An overlap opens at a rate per second, and no faster than weight can stop on the way out: the
// speed asked for does not depend on the step.
TEST(StepRates, OpenAnOverlapAtARateHoweverShortTheStep) {
  for (const double depth : {0.002, 0.2}) {
    OnGround ball(-depth);
    StepRates rates(ball.scene);
    for (const double step : {kStep, 1e-6, 1e-15}) {
      const double asked =
          -0.3 - kGravity * step -
          rates.predict_closing(ball.problem, ball.state, step, {0.1 / 3, 0.1 / 3}).contacts[0].x();
      EXPECT_NEAR(asked, depth < 0.1 ? depth / 0.1 : std::sqrt(kGravity * depth), 1e-14) << step;
    }
  }
}

TEST(StepRates, LeaveAContactThatBouncesAsItIs) {
  OnGround ball(0.002);
  StepRates rates(ball.scene);
  EXPECT_EQ(rates.closing(ball.problem, std::vector<double>{1}, kStep).contacts[0].x(), -0.3);
  EXPECT_NEAR(rates.closing(ball.problem, std::vector<double>{0}, kStep).contacts[0].x(), -0.1,
              1e-15);
}

// A joint open by a micrometre: in a step that an event left a nanosecond long, its error over the
// step would be a kilometre per second. It gets the part of the step's speed that it is of the
// step.
TEST(StepRates, CloseAJointSlowlyInAShortStep) {
  model::BodySpec hook = support::make_ball("hook", 0.1, Vec3(0, 0, 1));
  hook.motion = model::Motion::Fixed;
  const Scene scene =
      support::build({.gravity = Vec3::Zero(),
                      .bodies = {hook, support::make_ball("bob", 0.1, Vec3::Zero())},
                      .joints = {{.name = "hang",
                                  .type = model::JointType::Ball,
                                  .between = {"bob", "hook"},
                                  .anchor = Vec3(0, 0, 1)}}});
  State state = dynamics::make_initial_state(scene);
  state.bodies[1].x.z() += 1e-6;
  std::vector<dynamics::JointRow> rows;
  dynamics::compute_joint_rows(scene, state, rows);
  ContactProblem problem;
  Assembler(scene).assemble({}, rows, state, problem);
  StepRates rates(scene);
  EXPECT_NEAR(rates.predict(problem, state, kStep, kStep).equalities[2], 1e-6 / kStep, 1e-12);
  EXPECT_LT(rates.predict(problem, state, 1e-9, 1e-9).equalities[2], 1e-6);
  const double part = 1e-9 / kStep * 1e-6 / kStep;
  EXPECT_NEAR(rates.predict(problem, state, 1e-9, kStep).equalities[2], part, 1e-9 * part);
  EXPECT_NEAR(rates.predict_closing(problem, state, 1e-9, {kStep, kStep}).equalities[2], part,
              1e-9 * part);
}

// A body whose principal axes are turning: Euler's w' = I⁻¹(Iw × w) at the contact.
TEST(StepRates, AddWhatGyrationGivesInAStep) {
  model::BodySpec box = support::make_box("box", Vec3(1, 2, 3), Vec3::Zero());
  box.inertia = Mat3(Vec3(1, 2, 3).asDiagonal());
  box.angular_velocity = Vec3(1, 2, 3);
  const Scene scene =
      support::build({.gravity = Vec3::Zero(), .bodies = {support::make_ground(), box}});
  const State state = dynamics::make_initial_state(scene);
  Contact contact;
  contact.a = BodyId{1};
  contact.b = BodyId{0};
  contact.at = {Vec3(0.5, 1, 1.5), Vec3::UnitZ(), 0};
  ContactProblem problem;
  Assembler(scene).assemble({contact}, {}, state, problem);
  StepRates rates(scene);
  const Vec3 gained(-6, 3, -2.0 / 3);  // (I₂ - I₃)w₂w₃/I₁ and so on
  const double expected =
      problem.contacts[0].rate.x() + kStep * (gained.x() * 1 - gained.y() * 0.5);
  EXPECT_NEAR(rates.predict(problem, state, kStep, kStep).contacts[0].x(), expected, 1e-14);
}

}  // namespace
}  // namespace carom::contact
