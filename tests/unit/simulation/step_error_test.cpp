// By the paper's explicit Euler a body that falls gets x + h v in a step and x + h v + g h²/4 in
// two halves; its true error after a second is g h / 2 · 1 s, which is what twice the difference,
// once per step, adds up to.
#include "carom/simulation/step_error.h"

#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr double kRadius = 0.1, kGravity = 9.81;

Scene make_falling(const model::SettingValue& step) {
  return support::build({.bodies = {support::make_ball("ball", kRadius, Vec3::Zero())},
                         .method = {"zeno-free", {{"step", step}, {"integrator", "euler"}}}});
}

struct Ran {
  record::Trace trace;
  record::Summary summary;
};

Ran run(const Scene& scene, const RunOptions& options = {}) {
  Simulation simulation(scene, options);
  record::TraceSink sink;
  simulation.add(sink);
  const record::Summary summary = simulation.run();
  return {sink.trace(), summary};
}

void expect_same_outputs(const record::Trace& a, const record::Trace& b) {
  ASSERT_EQ(a.outputs.size(), b.outputs.size());
  for (std::size_t i = 0; i < a.outputs.size(); ++i) {
    for (std::size_t k = 0; k < a.outputs[i].bodies.size(); ++k) {
      const BodyState &p = a.outputs[i].bodies[k], &q = b.outputs[i].bodies[k];
      ASSERT_TRUE(p.x == q.x && p.v == q.v && p.q.coeffs() == q.q.coeffs() && p.w == q.w) << i;
    }
  }
}

// A top whose pivot is its foot, tilted: thin, heavy above, spun fast.
Scene make_top(const std::string& method, const model::SettingValue& step) {
  model::BodySpec top{
      .name = "top",
      .shapes = {{.shape = geometry::Sphere{0.005}, .pose = {Vec3(0, 0, -0.025), Quat::Identity()}},
                 {.shape = geometry::Cylinder{0.025, 0.01}}},
      .mass = 0.1,
      .inertia = Mat3(Vec3(5e-5, 5e-5, 4e-5).asDiagonal()),
      .center_of_mass = Vec3::Zero(),
      .position = Vec3(0, 0, 0.005 + 0.025 * std::cos(0.1)),
      .orientation = Quat(Eigen::AngleAxisd(0.1, Vec3::UnitX())),
      .angular_velocity = Vec3(0, 0, 200)};
  return support::build({.between = {.friction = 0.3},
                         .bodies = {support::make_ground(), top},
                         .method = {method, {{"step", step}}},
                         .duration = 0.1});
}

TEST(StepError, IsThatOfEulersMethod) {
  for (const double step : {1e-3, 1e-4}) {
    const record::StepError error = run(make_falling(step)).summary.step_error;
    EXPECT_GT(error.samples, 2);
    EXPECT_NEAR(error.value, step, 1e-9 * step);
    EXPECT_NEAR(error.per_second, kGravity * step / (2 * kRadius), 1e-6);
    EXPECT_EQ(error.too_long(), step > 2e-4);
  }
  const record::StepError error = run(make_falling(1e-3)).summary.step_error;
  EXPECT_NEAR(error.would_do, StepError::kTolerance * 2 * kRadius / kGravity, 1e-8);
}

TEST(StepError, IsSmallForWhatRestsFliesAndBounces) {
  for (const std::string method : {"zeno-free", "time-stepping"}) {
    const Scene scene =
        support::build({.between = {.restitution = 0.5, .friction = 0.5},
                        .bodies = {support::make_ground(),
                                   support::make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5)),
                                   support::make_ball("ball", kRadius, Vec3(3, 0, 1))},
                        .method = {method, {}},
                        .duration = 2});
    const record::StepError error = run(scene).summary.step_error;
    EXPECT_GT(error.samples, 2) << method;
    EXPECT_FALSE(error.too_long()) << method << ' ' << error.per_second;
  }
}

TEST(StepError, OfAFastTopIsGreat) {
  EXPECT_TRUE(run(make_top("time-stepping", 1e-3)).summary.step_error.too_long());
}

TEST(StepError, LeavesTheRunAlone) {
  const Scene scene = make_top("time-stepping", 1e-3);
  const Ran judged = run(scene), alone = run(scene, {.step_error = false});
  EXPECT_GT(judged.summary.step_error.samples, 1);
  EXPECT_EQ(alone.summary.step_error.samples, 0);
  expect_same_outputs(judged.trace, alone.trace);
}

TEST(AutomaticStep, KeepsToTheTolerance) {
  const Ran ran = run(make_falling(std::string("auto")));
  ASSERT_TRUE(ran.summary.finished);
  EXPECT_NEAR(ran.summary.step_error.value, 1e-3 / 8, 1e-12);  // the longest below 0.01 · 2 r / g
  EXPECT_FALSE(ran.summary.step_error.too_long());
  EXPECT_EQ(ran.summary.counters.steps, 8000);
  const double off = ran.trace.outputs.back().bodies[0].x.z() + kGravity / 2;
  EXPECT_LT(std::abs(off), StepError::kTolerance * kRadius);
}

TEST(AutomaticStep, IsNoLongerThanUsualWhereNothingIsWrong) {
  const Scene scene = support::build({.bodies = {support::make_ball("ball", kRadius, Vec3::Zero())},
                                      .method = {"zeno-free", {{"step", std::string("auto")}}}});
  EXPECT_EQ(run(scene).summary.counters.steps, 1000);
}

// A disc that leans by 0.3 rad and rolls. Where `analytic` has it is right to 1e-6 or so.
Ran roll(const model::MethodSettings& method, const RunOptions& options = {}) {
  constexpr double kLean = 0.3, kHalf = 0.01, kSpin = -10;
  model::BodySpec disc{.name = "disc",
                       .shapes = {{.shape = geometry::Cylinder{kRadius, 2 * kHalf}}},
                       .mass = 1,
                       .position = Vec3(0, 0, kRadius * std::cos(kLean) + kHalf * std::sin(kLean)),
                       .orientation = Quat(Eigen::AngleAxisd(M_PI / 2 - kLean, Vec3::UnitY())),
                       .velocity = Vec3(0, -kSpin * kRadius, 0),
                       .angular_velocity = kSpin * Vec3(std::cos(kLean), 0, std::sin(kLean))};
  return run(support::build({.between = {.friction = 0.8},
                             .bodies = {support::make_ground(), disc},
                             .method = method}),
             options);
}
Ran roll_in_hops(double epsilon, const RunOptions& options = {}) {
  return roll({"microcollision", {{"epsilon", epsilon}}}, options);
}

// Hops bring it to another place, by an angle in proportion to the root of their height.
TEST(HopError, IsThatOfADiscThatRolls) {
  const BodyState truth = roll({"analytic", {}}).trace.outputs.back().bodies[1];
  for (const double epsilon : {1e-4, 2.5e-5}) {
    const Ran ran = roll_in_hops(epsilon);
    const record::StepError& estimate = ran.summary.step_error;
    const BodyState& end = ran.trace.outputs.back().bodies[1];
    const double error = std::max((end.x - truth.x).norm() / kRadius,
                                  math::quat_log(end.q * truth.q.conjugate()).norm());
    EXPECT_EQ(estimate.setting, "epsilon");
    EXPECT_EQ(estimate.value, epsilon);
    EXPECT_GE(estimate.samples, 1);
    EXPECT_NEAR(estimate.per_second, error, 0.25 * error) << epsilon;  // after a second
    EXPECT_TRUE(estimate.too_long());
    const double part = StepError::kTolerance / estimate.per_second;
    EXPECT_NEAR(estimate.would_do, epsilon * part * part, 1e-12 * epsilon);
  }
}

TEST(HopError, LeavesTheRunAlone) {
  expect_same_outputs(roll_in_hops(1e-4).trace, roll_in_hops(1e-4, {.step_error = false}).trace);
}

// A ball that lands and rolls, a block that lies: hops cost them next to nothing.
TEST(HopError, IsSmallForWhatRestsAndRolls) {
  model::BodySpec ball = support::make_ball("ball", kRadius, Vec3(3, 0, kRadius));
  ball.velocity = Vec3(1, 0, 0);
  ball.angular_velocity = Vec3(0, 1 / kRadius, 0);
  const Scene scene = support::build(
      {.between = {.restitution = 0.5, .friction = 0.5},
       .bodies = {support::make_ground(),
                  support::make_box("box", Vec3(0.2, 0.2, 0.2), Vec3(0, 0, 0.1)), ball},
       .method = {"microcollision", {}},
       .duration = 1});
  const record::StepError error = run(scene).summary.step_error;
  EXPECT_GE(error.samples, 1);
  EXPECT_FALSE(error.too_long()) << error.per_second;
}

TEST(HopError, IsNoneWhereNothingRests) {
  const Scene scene = support::build({.gravity = Vec3::Zero(),
                                      .bodies = {support::make_ball("ball", kRadius, Vec3::Zero())},
                                      .method = {"microcollision", {}}});
  EXPECT_FALSE(run(scene).summary.step_error.applies);
}

class StopAfter : public record::Sink {
 public:
  explicit StopAfter(base::Watch& watch) : watch_(watch) {}
  void output(const State& state) override {
    if (state.t > 0.03) watch_.stop = true;
  }

 private:
  base::Watch& watch_;
};

TEST(AutomaticStep, GoesOnBitForBit) {
  const Scene scene = make_top("time-stepping", std::string("auto"));
  const Ran whole = run(scene);
  EXPECT_GT(whole.summary.counters.steps, 100);
  base::Watch watch;
  StopAfter stopper(watch);
  record::TraceSink part, rest;
  Simulation first(scene, {.watch = &watch}), second(scene);
  first.add(stopper);
  first.add(part);
  ASSERT_FALSE(first.run().finished);
  second.add(rest);
  const record::Summary summary = second.resume(part.trace());
  expect_same_outputs(whole.trace, rest.trace());
  EXPECT_EQ(summary.counters.steps, whole.summary.counters.steps);
  EXPECT_EQ(summary.step_error.samples, whole.summary.step_error.samples);
  EXPECT_EQ(summary.step_error.per_second, whole.summary.step_error.per_second);
}

}  // namespace
}  // namespace carom::simulation
