#include "carom/audit/joint_error.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/audit/small_scenes.h"

namespace carom::audit {
namespace {

using model::JointType;

// Two bodies one metre above and below a joint frame at the origin whose axes are the world's.
struct Pair {
  model::Joint joint;
  State state;
};
Pair make_pair(JointType type) {
  Pair pair;
  pair.joint.type = type;
  pair.joint.a = BodyId{0};
  pair.joint.b = BodyId{1};
  pair.joint.X_AJ.p = Vec3(0, 0, -1);
  pair.joint.X_BJ.p = Vec3(0, 0, 1);
  pair.state.bodies = {BodyState{.x = {0, 0, 1}}, BodyState{.x = {0, 0, -1}}};
  return pair;
}

double error_of(const Pair& pair) {
  const JointError error =
      compute_joint_error(pair.joint, pair.state[pair.joint.a], pair.state[pair.joint.b]);
  return std::max(error.gap, error.turn);
}

double error_after(JointType type, const Vec3& shift, const Vec3& rotation) {
  Pair pair = make_pair(type);
  const Pose moved = Pose{shift, math::quat_exp(rotation)} * pair.state.bodies[1].pose();
  pair.state.bodies[1].x = moved.p;
  pair.state.bodies[1].q = moved.q;
  return error_of(pair);
}

TEST(JointError, IsZeroForEveryMotionThatTheJointAllows) {
  const Vec3 none = Vec3::Zero();
  EXPECT_NEAR(error_after(JointType::Ball, none, {0.3, -1.2, 0.7}), 0, 1e-15);
  EXPECT_NEAR(error_after(JointType::Hinge, none, {0, 0, 1.3}), 0, 1e-15);
  EXPECT_NEAR(error_after(JointType::Slider, {0, 0, 0.4}, none), 0, 1e-15);
  EXPECT_NEAR(error_after(JointType::Universal, none, {0, 0, 1.3}), 0, 1e-15);
  EXPECT_NEAR(error_after(JointType::Universal, none, {0.9, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(error_after(JointType::Fixed, none, none), 0, 1e-15);
}

TEST(JointError, CountsWhatIsBeyondALimit) {
  Pair hinge = make_pair(JointType::Hinge);
  hinge.joint.limits = {-0.5, 4};
  const auto turn = [&](double angle) {  // of a against b, about the axis through both
    hinge.state.bodies[0].q = math::quat_exp(angle * Vec3::UnitZ());
    return error_of(hinge);
  };
  EXPECT_EQ(turn(0.2), 0);
  EXPECT_NEAR(turn(3.9), 0, 1e-14);
  EXPECT_NEAR(turn(4.1), 0.1, 1e-14);
  EXPECT_NEAR(turn(-0.7), 0.2, 1e-14);
  Pair slider = make_pair(JointType::Slider);
  slider.joint.limits = {0, 1};
  slider.state.bodies[0].x.z() += 1.25;
  EXPECT_NEAR(error_of(slider), 0.25, 1e-15);
  Pair rope = make_pair(JointType::Distance);
  rope.joint.limits = {0.1, 0.5};
  rope.state.bodies[0].x.y() += 0.4;
  EXPECT_EQ(error_of(rope), 0);
  rope.state.bodies[0].x.y() += 0.2;
  EXPECT_NEAR(error_of(rope), 0.1, 1e-15);
}

TEST(JointError, IsTheDistanceOfTheAnchors) {
  const Vec3 none = Vec3::Zero(), shift(0.03, 0.04, 0);
  for (const JointType type : {JointType::Ball, JointType::Hinge, JointType::Slider,
                               JointType::Universal, JointType::Fixed}) {
    EXPECT_NEAR(error_after(type, shift, none), 0.05, 1e-15);
  }
  EXPECT_NEAR(error_after(JointType::Ball, {0, 0, 0.1}, none), 0.1, 1e-15);
}

TEST(JointError, IsTheForbiddenAngle) {
  const Vec3 none = Vec3::Zero();
  EXPECT_NEAR(error_after(JointType::Hinge, none, {0.02, 0, 0}), 0.02, 1e-15);
  EXPECT_NEAR(error_after(JointType::Slider, none, {0, 0, 0.02}), 0.02, 1e-15);
  EXPECT_NEAR(error_after(JointType::Universal, none, {0, 0.02, 0}), 0.02, 1e-15);
  EXPECT_NEAR(error_after(JointType::Fixed, none, {0.01, 0.02, -0.02}), 0.03, 1e-15);
}

TEST(JointError, OfADistanceJointIsTheChangeOfLength) {
  Pair pair = make_pair(JointType::Distance);
  pair.joint.X_AJ.p = pair.joint.X_BJ.p = Vec3::Zero();
  pair.joint.length = 2;
  EXPECT_NEAR(error_of(pair), 0, 1e-15);
  pair.state.bodies[1].x = Vec3(1.5, 0, -1);
  EXPECT_NEAR(error_of(pair), 0.5, 1e-15);
}

// A pendulum bob that flies off along the tangent is as far off as the circle is curved.
TEST(JointError, OfAPendulumThatFliesStraightIsReported) {
  Scene scene = make_scene();
  add(scene, make_fixed(geometry::Sphere{0.1}), {});
  add(scene, make_dynamic(geometry::Sphere{0.1}), {.x = {0, 0, -1}, .v = {2, 0, 0}});
  model::Joint joint;
  joint.a = BodyId{0};
  joint.b = BodyId{1};
  joint.type = JointType::Distance;
  joint.length = 1;
  scene.joints.push_back(joint);
  const auto result =
      audit_stretch(scene, 0.1, {make_motion({0, 0, 0}), make_motion({0, 0, -1}, {2, 0, 0})});
  EXPECT_NEAR(result.max_joint_error, std::hypot(1, 0.2) - 1, 1e-15);
}

}  // namespace
}  // namespace carom::audit
