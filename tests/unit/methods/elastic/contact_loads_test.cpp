// Forces of pairs in contact against equation 3 written out, and their derivatives against
// differences.
#include "carom/methods/elastic/contact_loads.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/methods/elastic/touching.h"

namespace carom::methods {
namespace {

constexpr double kResultant = 0.5 * 1e9 / (1 - 0.3 * 0.3);  // of the default material with itself
constexpr double kFriction = 0.4, kRolling = 0.02, kSpinning = 0.03, kRestitution = 0.6;
constexpr double kRadius = 0.05, kDepth = 2e-6;
constexpr double kGravity = 9.81;

Scene make_scene(const std::vector<model::BodySpec>& bodies) {
  Scene scene = support::build({.bodies = bodies});
  scene.pairs.set(MaterialId{0}, MaterialId{0}, {kRestitution, kFriction, kRolling, kSpinning});
  return scene;
}

struct Loaded : Touching {
  Loaded(const std::vector<model::BodySpec>& bodies, const Elastic& how)
      : Touching(make_scene(bodies), how.gauge), options(how), loads(scene, dictionary.touches()) {
    dictionary.set_hysteresis(1e-12);
  }
  void begin() {
    select();
    loads.prepare(options);
    bristles = VecX::Zero(3 * static_cast<math::Index>(touches().size()));
  }
  const std::vector<Node>& evaluate() {
    loads.evaluate(state, bristles);
    return loads.nodes();
  }

  // About the centre of body b.
  struct Total {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  };
  Total total(std::size_t about) {
    Total sum;
    for (const Node& node : evaluate()) {
      sum.force += node.force;
      sum.moment += (node.point - state.bodies[about].x).cross(node.force) + node.couple;
    }
    return sum;
  }

  Elastic options;
  ContactLoads loads;
  VecX bristles;
};

Elastic with(bool stick) {
  Elastic options;
  options.stick = stick;
  options.regularisation.damping = Damping::Flores;
  return options;
}

model::BodySpec make_ball() {
  return support::make_ball("ball", kRadius, Vec3(0.3, 0.2, kRadius - kDepth),
                            Vec3(0.2, -0.1, -0.5));
}

TEST(ContactLoads, OfABallOnAPlaneAreThoseOfEquation3) {
  Loaded ball({support::make_ground(), make_ball()}, with(false));
  ball[1].w = Vec3(3, 1, -2);
  ball.begin();
  ball[1].v.z() = 0.3;  // it began at 0.5
  const auto& nodes = ball.evaluate();
  ASSERT_EQ(nodes.size(), 1U);
  const double damping = 8 * (1 - kRestitution) / (5 * kRestitution) / 0.5;
  const double normal =
      4.0 / 3 * kResultant * std::sqrt(kRadius) * std::pow(kDepth, 1.5) * (1 - damping * 0.3);
  // Gaps are differences of places, good to 1e-17/kDepth.
  EXPECT_NEAR(nodes[0].force.z(), normal, 1e-10 * normal);
  const Vec3 point = nodes[0].point;
  EXPECT_NEAR((point - Vec3(0.3, 0.2, 0)).norm(), 0, 2 * kDepth);
  Vec3 slip = ball[1].v + ball[1].w.cross(point - ball[1].x);
  slip.z() = 0;
  EXPECT_GT(slip.norm(), 0.01);
  EXPECT_LT((nodes[0].force - Vec3(0, 0, normal) + kFriction * normal * slip.normalized()).norm(),
            1e-10 * normal);
  const Vec3 against = kRolling * ball[1].w.normalized() - kSpinning * Vec3::UnitZ();
  EXPECT_LT((nodes[0].couple + kRadius * normal * against).norm(), 1e-10 * normal * kRadius);
  EXPECT_NEAR(nodes[0].spring, 4.0 / 3 * kResultant * std::sqrt(kRadius) * std::pow(kDepth, 1.5),
              1e-10 * normal);
  EXPECT_NEAR(ball.loads.deepest(), kDepth, 1e-16);
}

TEST(ContactLoads, ASlowSlipIsRegularised) {
  Loaded ball({support::make_ground(), make_ball()}, with(false));
  ball.begin();
  ball[1].v = Vec3(0.005, 0, 0);
  const Node& node = ball.evaluate()[0];
  EXPECT_NEAR(-node.force.x() / node.force.z(), kFriction * 0.9230769230769231, 1e-12);
}

TEST(ContactLoads, BodiesThatPushEachOtherPushBack) {
  Loaded balls({support::make_ball("one", 0.03, Vec3::Zero()),
                support::make_ball("two", 0.05, Vec3(0.08 - kDepth, 0, 0))},
               with(false));
  balls.begin();
  const auto& nodes = balls.evaluate();
  ASSERT_EQ(nodes.size(), 1U);
  const double normal = 4.0 / 3 * kResultant * std::sqrt(0.01875) * std::pow(kDepth, 1.5);
  const double side = balls.touches()[0].a == BodyId{0} ? -1 : 1;
  EXPECT_NEAR(nodes[0].force.x(), side * normal, 1e-10 * normal);
}

// A spring for every corner that is in the plane.
TEST(ContactLoads, OfABoxOnAPlaneAreLinear) {
  Loaded box({support::make_ground(),
              support::make_box("box", Vec3(0.2, 0.4, 0.4), Vec3(0, 0, 0.2 - kDepth))},
             with(true));
  box.begin();
  const auto total = box.total(1);
  EXPECT_EQ(box.loads.nodes().size(), 4U);
  const double expected = 4 * kResultant * 0.3 * kDepth;
  EXPECT_NEAR(total.force.z(), expected, 1e-9 * expected);
  EXPECT_LT(total.moment.norm(), 1e-9 * expected);
  for (const Node& node : box.loads.nodes())
    EXPECT_NEAR(node.spring, expected / 4, 1e-9 * expected);
}

// (3a) once, with the length of the smaller box, somewhere in the face that both have.
TEST(ContactLoads, ByPortalsTwoBoxesPushAtOnePoint) {
  constexpr double kBall = 1e-3;
  for (const double smoothing : {0.0, kBall}) {
    Elastic options = with(true);
    options.gauge = {.portals = true, .smoothing = smoothing};
    const double height = 0.4 + 2 * smoothing - kDepth;
    Loaded boxes({support::make_box("low", Vec3(1, 1, 0.4), Vec3::Zero()),
                  support::make_box("box", Vec3(0.2, 0.4, 0.4), Vec3(0, 0, height))},
                 options);
    boxes.begin();
    const auto& nodes = boxes.evaluate();
    ASSERT_EQ(nodes.size(), 1U);
    const double expected = kResultant * 0.3 * kDepth;
    EXPECT_NEAR(std::abs(nodes[0].force.z()), expected, 1e-9 * expected);
    EXPECT_NEAR(nodes[0].depth, kDepth, 1e-12);
    EXPECT_LE(std::abs(nodes[0].point.x()), 0.1 + 1e-12);
    EXPECT_LE(std::abs(nodes[0].point.y()), 0.2 + 1e-12);
  }
}

// How much force and moment change between neighbours on a path, beside their greatest.
template <typename Place>
double greatest_jump(Loaded& boxes, std::size_t about, int steps, const Place& place) {
  double jump = 0, greatest = 0;
  Loaded::Total before;
  for (int i = 0; i <= steps; ++i) {
    place(double(i) / steps);
    const Loaded::Total now = boxes.total(about);
    greatest = std::max(greatest, now.force.norm());
    if (i > 0)
      jump =
          std::max({jump, (now.force - before.force).norm(), (now.moment - before.moment).norm()});
    before = now;
  }
  return jump / greatest;
}

Quat about_y(double angle) { return Quat(Eigen::AngleAxisd(angle, Vec3::UnitY())); }
Quat about_z(double angle) { return Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())); }

constexpr double kDeep = 1e-4;  // of boxes

TEST(ContactLoads, AreContinuousWhereCornersOfABoxLift) {
  Loaded box(
      {support::make_ground(), support::make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5 - kDeep))},
      with(true));
  box.begin();
  for (const int steps : {1000, 2000}) {
    const double jump = greatest_jump(
        box, 1, steps, [&](double s) { box[1].q = about_y(8 * kDeep * s) * about_z(0.3); });
    EXPECT_LT(jump, 16.0 / steps) << steps;
  }
}

struct BoxOnBox : Loaded {
  BoxOnBox()
      : Loaded({support::make_box("low", Vec3(2, 2, 1), Vec3(0, 0, 0.5)),
                support::make_box("high", Vec3(1, 1, 1), Vec3(0, 0, 1.5 - kDeep))},
               with(true)) {
    begin();
    EXPECT_EQ(touches().size(), 1U);
  }
  double up(const Vec3& force) const {
    return touches()[0].a == BodyId{1} ? force.z() : -force.z();
  }
};
const double kBoxSpring = kResultant * std::sqrt(0.75);

// One spring for the region, whatever its corners.
TEST(ContactLoads, OfABoxOnABoxAreSharedByTheRegion) {
  BoxOnBox boxes;
  const double expected = kBoxSpring * kDeep;
  for (int i = 0; i <= 30; ++i) {
    boxes[1].q = about_z(0.1 * i);
    boxes[1].x.x() = 0.02 * i;
    const auto total = boxes.total(1);
    EXPECT_NEAR(boxes.up(total.force), expected, 1e-9 * expected) << i;
    if (boxes[1].x.x() > 0.2) continue;  // all of it still lies on the other
    EXPECT_LT(total.moment.norm(), 1e-9 * expected) << i;
  }
}

TEST(ContactLoads, AreContinuousWhereARegionChanges) {
  BoxOnBox boxes;
  for (const int steps : {1000, 2000}) {
    const double slid = greatest_jump(boxes, 0, steps, [&](double s) {
      boxes[1].q = about_z(0.4);
      boxes[1].x = Vec3(1.2 * s, 0.3 * s, 1.5 - kDeep);
    });
    EXPECT_LT(slid, 10.0 / steps) << steps;
    boxes[1].x = Vec3(0, 0, 1.5 - kDeep);
    const double tilted = greatest_jump(
        boxes, 0, steps, [&](double s) { boxes[1].q = about_y(8 * kDeep * s) * about_z(0.3); });
    EXPECT_LT(tilted, 20.0 / steps) << steps;
  }
}

// Until only an edge is left, and the far corners are out of sight.
TEST(ContactLoads, AreContinuousWhereABoxTiltsFurther) {
  BoxOnBox boxes;
  for (const int steps : {2000, 4000}) {
    const double jump = greatest_jump(boxes, 0, steps, [&](double s) {
      const double tilt = 0.01 + 0.1 * s;
      boxes[1].q = about_y(tilt);
      boxes[1].x = Vec3(0, 0, 1 - kDeep + 0.5 * (std::cos(tilt) + std::sin(tilt)));
    });
    EXPECT_LT(jump, 20.0 / steps) << steps;
  }
}

// ℓ and τ of a ball under its weight.
struct Bristle {
  double yield, settling;
};
Bristle bristle_of_the_ball() {
  const double stiffness = 4.0 / 3 * kResultant * std::sqrt(kRadius);
  const double depth = std::pow(kGravity / stiffness, 2.0 / 3);
  const double yield = 0.8 * kFriction * depth;
  return {yield, 2 * std::sqrt(yield / (kFriction * kGravity))};
}

TEST(ContactLoads, ABentBristleHoldsWithoutMotion) {
  Loaded ball({support::make_ground(), make_ball()}, with(true));
  ball[1].v.setZero();
  ball.begin();
  ball.bristles = Vec3(0.6, -0.3, 0);
  const Node& node = ball.evaluate()[0];
  EXPECT_LT((node.force - node.force.z() * Vec3(-kFriction * 0.6, kFriction * 0.3, 1)).norm(),
            1e-14 * node.force.norm());
  EXPECT_EQ(ball.loads.bristle_rates()[0].value.norm(), 0);
}

TEST(ContactLoads, ABristleBendsAsItsLawSays) {
  Loaded ball({support::make_ground(), make_ball()}, with(true));
  ball.begin();
  const auto [yield, settling] = bristle_of_the_ball();
  const Vec3 z(0.6, -0.3, 0), v(3e-6, 1e-6, 0);
  ball.bristles = z;
  ball[1].v = v;
  const Node& node = ball.evaluate()[0];
  const Vec3 rate = (v - v.norm() * z) / std::hypot(yield, settling * v.norm());
  EXPECT_LT((ball.loads.bristle_rates()[0].value - rate).norm(), 1e-12 * rate.norm());
  const Vec3 drag = z + settling * rate;
  ASSERT_LT(drag.norm(), 1);
  EXPECT_LT((node.force / node.force.z() - Vec3::UnitZ() + kFriction * drag).norm(), 1e-12);
}

// Whichever way the bristle stands.
TEST(ContactLoads, ABallThatSlidesFastIsBrakedAgainstItsSlip) {
  Loaded ball({support::make_ground(), make_ball()}, with(true));
  ball.begin();
  ball[1].v = Vec3(0.6, 0.8, 0);
  for (const Vec3& bristle : {Vec3(0, 0, 0), Vec3(0.8, -0.6, 0), Vec3(-0.6, -0.8, 0)}) {
    ball.bristles = bristle;
    const Node& node = ball.evaluate()[0];
    const Vec3 drag = (Vec3::UnitZ() - node.force / node.force.z()) / kFriction;
    EXPECT_LE(drag.norm(), 1 + 1e-14);
    EXPECT_LT((drag - ball[1].v).norm(), 1e-5);
  }
}

TEST(ContactLoads, SlidingIsCoulombs) {
  Loaded ball({support::make_ground(), make_ball()}, with(true));
  ball.begin();
  ball[1].v = Vec3(0.6, 0.8, 0);
  ball.bristles = Vec3(0.6, 0.8, 0);
  const Node& node = ball.evaluate()[0];
  EXPECT_LT((node.force / node.force.z() - Vec3(-kFriction * 0.6, -kFriction * 0.8, 1)).norm(),
            1e-14);
  EXPECT_LT(ball.loads.bristle_rates()[0].value.norm(), 1e-9);
}

struct Differences {
  Mat3 force, couple, bristle_rate;
};

// By three numbers of the state.
Differences differentiate(Loaded& loaded, std::size_t node, double h, double* numbers) {
  Differences found;
  for (int k = 0; k < 3; ++k) {
    const double at = numbers[k];
    numbers[k] = at + h;
    loaded.evaluate();
    const Node after = loaded.loads.nodes()[node];
    const Vec3 rate_after = loaded.loads.bristle_rates()[0].value;
    numbers[k] = at - h;
    loaded.evaluate();
    const Node before = loaded.loads.nodes()[node];
    const Vec3 rate_before = loaded.loads.bristle_rates()[0].value;
    numbers[k] = at;
    found.force.col(k) = (after.force - before.force) / (2 * h);
    found.couple.col(k) = (after.couple - before.couple) / (2 * h);
    found.bristle_rate.col(k) = (rate_after - rate_before) / (2 * h);
  }
  loaded.evaluate();
  return found;
}

void expect_same(const Mat3& found, const Mat3& expected, double relative) {
  EXPECT_LE((found - expected).norm(), relative * expected.norm()) << found << "\nexpected\n"
                                                                   << expected;
}

void expect_right_derivatives(Loaded& loaded, std::size_t number) {
  loaded.evaluate();
  const Node node = loaded.loads.nodes()[number];
  const BristleRate rate = loaded.loads.bristle_rates()[0];
  const double slow = loaded.options.stick ? 1e-9 : 1e-6;
  const Differences by_place = differentiate(loaded, number, 1e-9, loaded[1].x.data());
  expect_same(node.by_place, by_place.force, 1e-5);
  const Differences by_velocity = differentiate(loaded, number, slow, loaded[1].v.data());
  expect_same(node.by_velocity, by_velocity.force, 1e-5);
  const Differences by_spin = differentiate(loaded, number, 1e-6, loaded[1].w.data());
  expect_same(node.couple_by_spin, by_spin.couple, 1e-5);
  if (!loaded.options.stick) return;
  const Differences by_bristle = differentiate(loaded, number, 1e-6, loaded.bristles.data());
  expect_same(node.by_bristle, by_bristle.force, 1e-5);
  expect_same(rate.by_bristle, by_bristle.bristle_rate, 1e-5);
  Mat3 rate_by_velocity = Mat3::Zero();
  for (const Node& each : loaded.loads.nodes()) rate_by_velocity += each.bristle.by_velocity;
  expect_same(rate_by_velocity, by_velocity.bristle_rate, 1e-5);
}

TEST(ContactLoads, DerivativesOfABallOnAPlane) {
  for (const bool stick : {false, true}) {
    Loaded ball({support::make_ground(), make_ball()}, with(stick));
    ball.begin();
    // Slipping slowly and fast, turning slowly and fast; bristles within the cone and beyond it.
    for (const double size : {1e-5, 4e-3, 0.1}) {
      for (const double bend : {0.3, 0.9}) {
        ball[1].v = size * Vec3(0.6, 0.5, -0.4);
        ball[1].w = size * Vec3(0.3, -0.2, 0.7);
        if (stick) ball.bristles = bend * Vec3(0.8, -0.6, 0);
        SCOPED_TRACE(testing::Message() << stick << ' ' << size << ' ' << bend);
        expect_right_derivatives(ball, 0);
      }
    }
  }
}

TEST(ContactLoads, DerivativesOfABoxOnAPlane) {
  for (const bool stick : {false, true}) {
    Loaded box({support::make_ground(),
                support::make_box("box", Vec3(0.2, 0.4, 0.4), Vec3(0, 0, 0.2 - 1e-5))},
               with(stick));
    box.begin();
    box[1].v = Vec3(3e-7, -2e-7, -2e-4);
    if (stick)
      for (math::Index i = 0; i < box.bristles.size(); i += 3)
        box.bristles.segment<3>(i) = Vec3(0.3, 0.2, 0);
    for (std::size_t node = 0; node < 4; ++node) expect_right_derivatives(box, node);
  }
}

// Of corners that are not equally deep and slip differently.
TEST(ContactLoads, ABristleFollowsLoadsThatShift) {
  Loaded box({support::make_ground(),
              support::make_box("box", Vec3(0.2, 0.4, 0.4), Vec3(0, 0, 0.2 - 1e-5))},
             with(true));
  box.begin();
  box[1].q = math::quat_exp(Vec3(2e-5, 1e-5, 0));
  box[1].v = Vec3(3e-6, -2e-6, 0);
  box[1].w = Vec3(0, 0, 1e-4);
  box.evaluate();
  Mat3 by_place = Mat3::Zero();
  for (const Node& each : box.loads.nodes()) by_place += each.bristle.by_place;
  const Differences found = differentiate(box, 0, 1e-9, box[1].x.data());
  expect_same(by_place, found.bristle_rate, 1e-3);
}

// What is left out as the normal turns: no more than the force over the distance of the centres.
TEST(ContactLoads, DerivativesOfTwoBallsLackOnlyTheTurnOfTheNormal) {
  Loaded balls({support::make_ball("one", 0.03, Vec3::Zero()),
                support::make_ball("two", 0.05, Vec3(0.08 - kDepth, 0, 0), Vec3(-0.2, 0.1, 0))},
               with(false));
  balls.begin();
  const Node node = balls.evaluate()[0];
  const double sign = balls.touches()[0].a == BodyId{1} ? 1 : -1;
  const Differences by_place = differentiate(balls, 0, 1e-9, balls[1].x.data());
  const Mat3 missing = sign * by_place.force - node.by_place;
  EXPECT_LT(missing.col(0).norm(), 1e-5 * node.by_place.norm());
  EXPECT_LT(missing.norm(), 4 * node.force.norm() / 0.08);
  EXPECT_LT(missing.norm(), 1e-2 * node.by_place.norm());
}

}  // namespace
}  // namespace carom::methods
