// Limits of joints against closed forms: a slider that falls on its limit is a bouncing ball, a
// pendulum that strikes one loses e² of its energy, a rope goes taut.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

using model::JointType;

constexpr double kHeight = 1.25, kGravity = 10, kRestitution = 0.5;  // falls for half a second

model::BodySpec make_post() {
  model::BodySpec post = support::make_ball("post", 0.01, Vec3::Zero());
  post.motion = model::Motion::Fixed;
  return post;
}

support::SceneParts make_lift(const model::MethodSettings& method) {
  return {.gravity = Vec3(0, 0, -kGravity),
          .bodies = {make_post(), support::make_box("car", Vec3(0.1, 0.1, 0.1), Vec3(0.4, 0, 0))},
          .joints = {{.name = "rail",
                      .type = JointType::Slider,
                      .between = {"car", "post"},
                      .axis = Vec3::UnitZ(),
                      .limits = std::pair(-kHeight, 0.5),
                      .restitution = kRestitution}},
          .method = method,
          .duration = 2};
}

class Impacts : public record::Sink {
 public:
  void event(const record::ContactEvent& event) override {
    if (event.kind == record::EventKind::Impact) times.push_back(event.t);
  }
  std::vector<double> times;
};

struct Outcome {
  record::Summary summary;
  std::vector<double> impacts;
  State end;
};
Outcome run(const support::SceneParts& parts) {
  const Scene scene = support::build(parts);
  Simulation simulation(scene);
  Impacts impacts;
  simulation.add(impacts);
  Outcome result{simulation.run(), {}, {}};
  result.impacts = impacts.times;
  result.end = simulation.state();
  EXPECT_TRUE(result.summary.finished) << result.summary.reason.value_or("");
  EXPECT_TRUE(result.summary.audit.passed());
  return result;
}

class EventMethods : public testing::TestWithParam<model::MethodSettings> {};

TEST_P(EventMethods, ASliderOnItsLimitIsABouncingBall) {
  const Outcome found = run(make_lift(GetParam()));
  double t = 0.5, speed = 5;
  ASSERT_GE(found.impacts.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(found.impacts[i], t, 1e-9) << i;
    speed *= kRestitution;
    t += 2 * speed / kGravity;
  }
  EXPECT_NEAR(found.end.bodies[1].x.z(), -kHeight, 1e-9);  // and rests there from 1.5 s on
  EXPECT_LT(found.end.bodies[1].v.norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, EventMethods,
                         testing::Values(support::zeno_free(1e-2),
                                         model::MethodSettings{"analytic", {}}),
                         [](const auto& of) {
                           return of.param.name == "analytic" ? "Analytic" : "ZenoFree";
                         });

TEST(JointLimits, HoldUnderTimeStepping) {
  const Outcome found = run(make_lift({"time-stepping", {{"step", 1e-3}}}));
  EXPECT_NEAR(found.end.bodies[1].x.z(), -kHeight, 1e-6);
  EXPECT_LE(found.summary.audit.max_joint_error, 1e-9);
}

// Every blow leaves e of the speed, so the k-th swing rises to e^2k of the height.
TEST(JointLimits, APendulumThatStrikesAStopKeepsThatPartOfItsEnergy) {
  support::SceneParts parts{.gravity = Vec3(0, 0, -kGravity),
                            .bodies = {make_post(), support::make_ball("bob", 0.05, Vec3(1, 0, 0))},
                            .joints = {{.name = "hinge",
                                        .type = JointType::Hinge,
                                        .between = {"bob", "post"},
                                        .anchor = Vec3::Zero(),
                                        .axis = Vec3::UnitY(),
                                        .limits = std::pair(-0.1, M_PI / 2),
                                        .restitution = 0.8}},
                            .method = support::zeno_free(1e-3),
                            .duration = 3};
  const Outcome found = run(parts);
  ASSERT_GE(found.impacts.size(), 3U);
  const double lost = found.summary.audit.energy_initial - found.summary.audit.energy_final;
  const double kept = std::pow(0.64, static_cast<double>(found.impacts.size()));
  EXPECT_NEAR(lost, (1 - kept) * kGravity, 1e-4 * kGravity);  // of a fall through one metre
}

TEST(JointLimits, ARopeIsSlackUntilItIsTaut) {
  support::SceneParts parts{
      .gravity = Vec3(0, 0, -kGravity),
      .bodies = {make_post(), support::make_ball("bob", 0.05, Vec3(0.1, 0, 0))},
      .joints = {{.name = "rope",
                  .type = JointType::Distance,
                  .between = {"bob", "post"},
                  .limits = std::pair(0.0, 1.0)}},
      .method = support::zeno_free(1e-3),
      .duration = 5};
  const Outcome found = run(parts);
  ASSERT_GE(found.impacts.size(), 1U);
  EXPECT_NEAR(found.impacts[0], std::sqrt(2 * std::sqrt(0.99) / kGravity), 1e-9);
  EXPECT_LE(found.end.bodies[1].x.norm(), 1 + 1e-8);
}

}  // namespace
}  // namespace carom::simulation
