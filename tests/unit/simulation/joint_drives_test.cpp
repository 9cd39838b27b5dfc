// Motors and friction of joints against closed forms: constant forces until a speed is reached,
// which then is held. Bounds are kept exactly, what a motor does is work from outside.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/dynamics/flight.h"
#include "carom/simulation/simulation.h"
#include "support/same_bits.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

using model::JointType;

constexpr double kGravity = 10;

model::BodySpec make_post() {
  model::BodySpec post = support::make_ball("post", 0.01, Vec3::Zero());
  post.motion = model::Motion::Fixed;
  return post;
}

// 2 kg on a vertical rail: a weight of 20 N.
support::SceneParts make_lift(const model::MethodSettings& method, const model::Motor& motor) {
  model::BodySpec car = support::make_box("car", Vec3(0.1, 0.1, 0.1), Vec3(0.4, 0, 0));
  car.mass = 2;
  return {.gravity = Vec3(0, 0, -kGravity),
          .bodies = {make_post(), car},
          .joints = {{.name = "rail",
                      .type = JointType::Slider,
                      .between = {"car", "post"},
                      .axis = Vec3::UnitZ(),
                      .motor = motor}},
          .method = method,
          .duration = 1};
}

// A wheel of 0.04 kg m² about a vertical axis.
support::SceneParts make_wheel(const model::MethodSettings& method, double spin) {
  model::BodySpec wheel = support::make_box("wheel", Vec3(0.1, 0.1, 0.1), Vec3::Zero());
  wheel.inertia = Mat3(Vec3(0.02, 0.02, 0.04).asDiagonal());
  wheel.angular_velocity = spin * Vec3::UnitZ();
  return {.bodies = {make_post(), wheel},
          .joints = {{.name = "axle",
                      .type = JointType::Hinge,
                      .between = {"wheel", "post"},
                      .anchor = Vec3::Zero(),
                      .axis = Vec3::UnitZ()}},
          .method = method,
          .duration = 3};
}

class Watch : public record::Sink {
 public:
  void segment(const record::Segment& segment) override {
    const RigidMotion& motion = segment.flight.motions[1];
    const double h = segment.flight.duration;
    turned += h / 6 *
              (math::angular_velocity_at(motion.rotation, 0).z() +
               4 * math::angular_velocity_at(motion.rotation, h / 2).z() +
               math::angular_velocity_at(motion.rotation, h).z());
    for (const record::CarriedForce& force : segment.forces.start) {
      if (force.motor) strongest = std::max(strongest, force.force.norm() + force.torque.norm());
    }
  }
  void event(const record::ContactEvent& event) override {
    if (event.kind == record::EventKind::Impact) impacts.push_back(event.t);
  }
  double turned = 0, strongest = 0;
  std::vector<double> impacts;
};

struct Outcome {
  record::AuditResult audit;
  State end;
  double turned = 0, strongest = 0;
  std::vector<double> impacts;
};
Outcome run(const support::SceneParts& parts) {
  const Scene scene = support::build(parts);
  Simulation simulation(scene);
  Watch watch;
  simulation.add(watch);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  EXPECT_TRUE(summary.audit.passed());
  return {summary.audit, simulation.state(), watch.turned, watch.strongest, watch.impacts};
}

class Drives : public testing::TestWithParam<model::MethodSettings> {
 protected:
  // Of one step in which a speed is reached under time stepping, else round-off.
  double tolerance() const { return GetParam().name == "time-stepping" ? 3e-3 : 1e-8; }
};

// 5 m/s² for 0.2 s, and then one metre a second.
TEST_P(Drives, AMotorLiftsAWeightAndKeepsItsSpeed) {
  const Outcome found = run(make_lift(GetParam(), {1, 30}));
  EXPECT_NEAR(found.end.bodies[1].x.z(), 0.1 + 0.8, tolerance());
  EXPECT_NEAR(found.end.bodies[1].v.z(), 1, 1e-9);
  EXPECT_DOUBLE_EQ(found.strongest, 30);
  const double work = 2 * (0.5 + kGravity * found.end.bodies[1].x.z());
  EXPECT_NEAR(found.audit.energy_final - found.audit.energy_initial, work, 1e-9);
  EXPECT_LE(found.audit.energy_max_gain, 1e-9);  // beside the motor's work
}

TEST_P(Drives, AMotorTooWeakForItsWeightSlowsItsFall) {
  const Outcome found = run(make_lift(GetParam(), {1, 15}));
  EXPECT_NEAR(found.end.bodies[1].x.z(), -0.5 * 2.5, 1e-9);
  EXPECT_DOUBLE_EQ(found.strongest, 15);
}

// 5 rad/s under 0.1 N m on 0.04 kg m²: two seconds and five radians.
TEST_P(Drives, FrictionStopsAWheelAtItsAngle) {
  support::SceneParts parts = make_wheel(GetParam(), 5);
  parts.joints[0].friction = 0.1;
  const Outcome found = run(parts);
  EXPECT_LT(found.end.bodies[1].w.norm(), 1e-9);
  EXPECT_NEAR(found.turned, 5, 2 * tolerance());
  EXPECT_NEAR(found.audit.energy_dissipated, 0.5 * 0.04 * 25, 1e-9);
}

// 0.2 N m less 0.1 on 0.04 kg m² up to 2 rad/s, for 0.8 s.
TEST_P(Drives, AMotorWorksAgainstFriction) {
  support::SceneParts parts = make_wheel(GetParam(), 0);
  parts.joints[0].friction = 0.1;
  parts.joints[0].motor = model::Motor{2, 0.2};
  const Outcome found = run(parts);
  EXPECT_NEAR(found.end.bodies[1].w.z(), 2, 1e-9);
  EXPECT_NEAR(found.turned, 0.8 + 2 * 2.2, 2 * tolerance());
  EXPECT_NEAR(found.audit.energy_dissipated, 0.1 * found.turned, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Methods, Drives,
                         testing::Values(support::zeno_free(1e-2),
                                         model::MethodSettings{"time-stepping", {{"step", 1e-3}}},
                                         model::MethodSettings{"analytic", {}},
                                         model::MethodSettings{"microcollision", {}}),
                         [](const auto& of) {
                           const std::string& name = of.param.name;
                           return name.substr(0, name.find('-'));
                         });

// Pressed by a constant torque against its stop, a door is a ball that bounces in one angle.
TEST(Door, PressedAgainstItsStopBouncesLikeABall) {
  support::SceneParts parts = make_wheel(support::zeno_free(1e-3), 0);
  parts.joints[0].limits = std::pair(-0.5, 1.0);
  parts.joints[0].restitution = 0.5;
  parts.joints[0].motor = model::Motor{-1e6, 0.04};  // 1 rad/s²
  const Outcome found = run(parts);
  double t = 1, speed = 1;
  ASSERT_GE(found.impacts.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(found.impacts[i], t, 1e-9) << i;
    speed *= 0.5;
    t += 2 * speed;
  }
  EXPECT_LT(found.end.bodies[1].w.norm(), 1e-9);  // t = 3: the last of them
}

// Two bars that a motor lifts and friction brakes, while the elbow strikes its limits.
support::SceneParts make_arm(const model::MethodSettings& method) {
  return {.gravity = Vec3(0, 0, -kGravity),
          .bodies = {make_post(), support::make_box("upper", Vec3(1, 0.1, 0.1), Vec3(0.5, 0, 0)),
                     support::make_box("lower", Vec3(1, 0.1, 0.1), Vec3(1.5, 0, 0))},
          .joints = {{.name = "shoulder",
                      .type = JointType::Hinge,
                      .between = {"upper", "post"},
                      .anchor = Vec3::Zero(),
                      .axis = Vec3::UnitY(),
                      .motor = model::Motor{-1, 25},
                      .friction = 0.5},
                     {.name = "elbow",
                      .type = JointType::Hinge,
                      .between = {"lower", "upper"},
                      .anchor = Vec3::UnitX(),
                      .axis = Vec3::UnitY(),
                      .limits = std::pair(-0.5, 1.0),
                      .restitution = 0.3,
                      .friction = 2}},
          .method = method,
          .duration = 1};
}

// A motor that reaches its speed cuts a microsecond off a step of 10 ms. At the rate at which a
// joint would be closed in that microsecond, the rest of the step throws it far to the other side.
TEST(Arm, HoldsTogetherWhereAMotorReachesItsSpeedWithinALongStep) {
  support::SceneParts parts = make_arm(support::zeno_free(1e-2));
  for (model::JointSpec& joint : parts.joints) {
    joint.limits.reset();
    joint.restitution = 0;
    joint.friction = 0;
  }
  const Scene scene = support::build(parts);
  Simulation simulation(scene);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  EXPECT_FALSE(summary.audit.exceeds(record::Judged::JointGap)) << summary.audit.max_joint_gap;
  EXPECT_NEAR(simulation.state().bodies[1].w.y(), -1, 1e-3);
}

// The elbow strikes its stop at 0.29 s.
TEST_P(Drives, GoOnBitForBitFromACheckpoint) {
  model::MethodSettings method = GetParam();
  if (method.options.contains("step")) method.options["step"] = 1e-3;
  const Scene scene = support::build(make_arm(method));
  Simulation whole(scene), resumed(scene);
  EXPECT_TRUE(whole.advance_to(0.2).ok);
  resumed.restore(whole.save());
  EXPECT_TRUE(whole.advance_to(0.35).ok);
  EXPECT_TRUE(resumed.advance_to(0.35).ok);
  EXPECT_TRUE(support::same_bits(whole.state(), resumed.state()));
}

}  // namespace
}  // namespace carom::simulation
