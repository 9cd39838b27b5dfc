// A row must be the rate of its own error, hold what the joint forbids and let go what it allows.
#include "carom/dynamics/joint_rows.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "support/scenes.h"

namespace carom::dynamics {
namespace {

using model::JointSpec;
using model::JointType;

Scene make_pair(const JointSpec& joint) {
  support::SceneParts parts;
  parts.bodies = {support::make_ball("a", 0.1, Vec3(0, 0, 0)),
                  support::make_ball("b", 0.1, Vec3(1, 0, 0))};
  parts.joints = {joint};
  return support::build(parts);
}

JointSpec make_joint(JointType type) {
  JointSpec joint{
      .name = "joint", .type = type, .between = {"a", "b"}, .anchor = Vec3(0.5, 0.2, 0)};
  joint.axis = Vec3::UnitZ();
  if (type == JointType::Universal) joint.axis_b = Vec3::UnitX();
  if (type == JointType::Distance) joint.anchor_b = Vec3(0.9, 0.1, 0.3);
  return joint;
}

const std::vector<std::pair<JointType, std::size_t>> kRowsOf = {
    {JointType::Ball, 3},   {JointType::Hinge, 5},     {JointType::Fixed, 6},
    {JointType::Slider, 5}, {JointType::Universal, 4}, {JointType::Distance, 1}};

std::vector<JointRow> rows_at(const Scene& scene, const State& state) {
  std::vector<JointRow> rows;
  compute_joint_rows(scene, state, rows);
  return rows;
}

State moved(const State& state, double s) {
  State later = state;
  for (BodyState& body : later.bodies) {
    body.x += s * body.v;
    body.q = math::quat_exp(s * body.w) * body.q;
  }
  return later;
}

TEST(JointRows, AreAsManyAsTheJointTakesFreedoms) {
  for (const auto& [type, count] : kRowsOf) {
    const Scene scene = make_pair(make_joint(type));
    EXPECT_EQ(rows_at(scene, make_initial_state(scene)).size(), count);
  }
}

TEST(JointRows, AreTheRatesOfTheirErrors) {
  base::Random random(5);
  const auto vector = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  for (const auto& [type, count] : kRowsOf) {
    const Scene scene = make_pair(make_joint(type));
    for (int trial = 0; trial < 5; ++trial) {
      State state = make_initial_state(scene);
      const Pose common{vector(), math::quat_exp(2 * vector())};  // the joint stays closed
      for (BodyState& body : state.bodies) {
        body.x = common * body.x;
        body.q = common.q * body.q;
        body.v = vector();
        body.w = vector();
      }
      if (type == JointType::Slider)
        state.bodies[0].x += 0.4 * (common.q * Vec3::UnitZ());  // slid along its axis
      const auto rows = rows_at(scene, state);
      const auto ahead = rows_at(scene, moved(state, 1e-5)),
                 behind = rows_at(scene, moved(state, -1e-5));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double difference = (ahead[i].error - behind[i].error) / 2e-5;
        EXPECT_NEAR(row_rate(rows[i], state), difference, 1e-7)
            << static_cast<int>(type) << " row " << i;
      }
    }
  }
}

// Velocities that the closed joint allows: those of b and what a may do besides.
void move_within(const JointSpec& joint, const Pose& common, base::Random& random, State& state) {
  const auto vector = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  BodyState &a = state.bodies[0], &b = state.bodies[1];
  b.v = vector();
  b.w = vector();
  const Vec3 z = common.q * Vec3::UnitZ(), x = common.q * Vec3::UnitX();
  Vec3 turn = Vec3::Zero(), opening = Vec3::Zero();  // of a against b
  if (joint.type == JointType::Ball || joint.type == JointType::Distance) turn = vector();
  if (joint.type == JointType::Hinge) turn = 1.5 * z;
  if (joint.type == JointType::Universal) turn = 1.5 * z - 0.7 * x;
  if (joint.type == JointType::Slider) opening = 0.8 * z;
  const Vec3 anchor_a = common * *joint.anchor;
  const Vec3 anchor_b = joint.anchor_b ? Vec3(common * *joint.anchor_b) : anchor_a;
  if (joint.type == JointType::Distance) opening = vector().cross(anchor_a - anchor_b);
  a.w = b.w + turn;
  a.v = b.twist().at(anchor_b - b.x) + opening - a.w.cross(anchor_a - a.x);
}

// Where nothing accelerates, the error of a closed joint grows with ½ bias t².
TEST(JointRows, TellHowVelocitiesAccelerateTheirErrors) {
  base::Random random(6);
  for (const auto& [type, count] : kRowsOf) {
    const JointSpec joint = make_joint(type);
    const Scene scene = make_pair(joint);
    State state = make_initial_state(scene);
    const Pose common{Vec3(0.3, -0.2, 0.5), math::quat_exp(Vec3(0.4, -0.8, 0.3))};
    for (BodyState& body : state.bodies) {
      body.x = common * body.x;
      body.q = common.q * body.q;
    }
    move_within(joint, common, random, state);
    const auto rows = rows_at(scene, state);
    const double s = 1e-3;
    const auto ahead = rows_at(scene, moved(state, s)), behind = rows_at(scene, moved(state, -s));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_NEAR(row_rate(rows[i], state), 0, 1e-14);
      const double second = (ahead[i].error - 2 * rows[i].error + behind[i].error) / (s * s);
      EXPECT_NEAR(rows[i].bias, second, 1e-5) << static_cast<int>(type) << " row " << i;
    }
  }
}

// Turns b about an axis through the anchor; the joint lets it happen or not.
double greatest_rate_turning_b(const JointSpec& joint, const Vec3& axis) {
  const Scene scene = make_pair(joint);
  State state = make_initial_state(scene);
  BodyState& b = state.bodies[1];
  b.w = axis;
  b.v = axis.cross(b.x - *joint.anchor);
  double greatest = 0;
  for (const JointRow& row : rows_at(scene, state))
    greatest = std::max(greatest, std::abs(row_rate(row, state)));
  return greatest;
}

TEST(JointRows, LetAHingeTurnAboutItsAxisAlone) {
  const JointSpec hinge = make_joint(JointType::Hinge);
  EXPECT_LT(greatest_rate_turning_b(hinge, Vec3::UnitZ()), 1e-14);
  EXPECT_GT(greatest_rate_turning_b(hinge, Vec3::UnitX()), 0.1);
  EXPECT_GT(greatest_rate_turning_b(hinge, Vec3::UnitY()), 0.1);
}

// First axis z on a, second axis x on b: about their common normal y it is stiff.
TEST(JointRows, LetAUniversalJointTurnAboutItsTwoAxes) {
  const JointSpec universal = make_joint(JointType::Universal);
  EXPECT_LT(greatest_rate_turning_b(universal, Vec3::UnitZ()), 1e-14);
  EXPECT_LT(greatest_rate_turning_b(universal, Vec3::UnitX()), 1e-14);
  EXPECT_GT(greatest_rate_turning_b(universal, Vec3::UnitY()), 0.1);
}

TEST(JointRows, LetASliderMoveAlongItsAxisAlone) {
  const Scene scene = make_pair(make_joint(JointType::Slider));
  for (int axis = 0; axis < 3; ++axis) {
    State state = make_initial_state(scene);
    state.bodies[1].v = Vec3::Unit(axis);
    double greatest = 0;
    for (const JointRow& row : rows_at(scene, state))
      greatest = std::max(greatest, std::abs(row_rate(row, state)));
    EXPECT_EQ(greatest < 1e-14, axis == 2) << greatest;
  }
}

// Forces of a joint act on both bodies along one line: together they turn nothing about the origin.
TEST(JointRows, PushBothBodiesAlongOneLine) {
  for (const auto& [type, count] : kRowsOf) {
    const Scene scene = make_pair(make_joint(type));
    State state = make_initial_state(scene);
    if (type == JointType::Slider) state.bodies[0].x += Vec3(0, 0, 0.4);
    for (const JointRow& row : rows_at(scene, state)) {
      const Vec3 moment = state[row.a].x.cross(row.linear_a) + row.angular_a +
                          state[row.b].x.cross(row.linear_b) + row.angular_b;
      EXPECT_LT(moment.norm(), 1e-14) << static_cast<int>(type);
      EXPECT_LT((row.linear_a + row.linear_b).norm(), 1e-15) << static_cast<int>(type);
    }
  }
}

}  // namespace
}  // namespace carom::dynamics
