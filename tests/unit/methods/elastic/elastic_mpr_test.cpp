// The elastic method with the paper's own distance: Minkowski portal refinement and smoothing
// balls. Expected values are closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/diagnostics.h"
#include "carom/math/rotation.h"
#include "support/rig.h"

namespace carom::methods {
namespace {

using support::Rig;
using support::SceneParts;

constexpr double kGravity = 9.81;
constexpr double kResultant = 0.5 * 1e9 / (1 - 0.3 * 0.3);  // of the default material with itself
constexpr double kTolerance = 1e-8;                         // of the solver, the default

model::MethodSettings by_portals(double smoothing = 0, double reduction = 1) {
  return {"elastic",
          {{"distance", std::string("mpr")}, {"smoothing", smoothing}, {"reduction", reduction}}};
}

// Its top is at z = 0.
model::BodySpec make_floor_box() {
  model::BodySpec floor = support::make_box("floor", Vec3(2, 2, 1), Vec3(0.03, -0.02, -0.5));
  floor.motion = model::Motion::Fixed;
  return floor;
}

// With the diagonal through its lowest corner upright, `height` below its centre.
struct OnItsCorner {
  static constexpr double kEdge = 0.1;
  static constexpr double kHeight = 0.8660254037844386 * kEdge;
  model::BodySpec box;
  OnItsCorner(double above, double speed)
      : box(support::make_box("box", Vec3::Constant(kEdge), Vec3(0, 0, kHeight + above))) {
    box.orientation = math::turn_between(Vec3(1, 1, 1), Vec3(0, 0, -1));
    box.velocity = Vec3(0, 0, -speed);
  }
};

double first_begin(const Rig& rig) {
  for (const record::ContactEvent& event : rig.witness.events)
    if (event.kind == record::EventKind::ContactBegin) return event.t;
  return -1;
}

TEST(ElasticByPortals, ABallOnAPlaneMovesAsByTheExactDistance) {
  SceneParts parts{.between = {.restitution = 0.7, .friction = 0.3},
                   .bodies = {support::make_ground(),
                              support::make_ball("ball", 0.05, Vec3(0, 0, 0.2), Vec3(1, 0, 0))},
                   .method = {"elastic", {}}};
  Rig exact(parts);
  parts.method = by_portals();
  Rig portals(parts);
  ASSERT_TRUE(exact.advance_to(0.6).ok());
  ASSERT_TRUE(portals.advance_to(0.6).ok());
  EXPECT_GE(exact.witness.count(record::EventKind::ContactBegin), 2U);
  EXPECT_LT((exact.state.bodies[1].x - portals.state.bodies[1].x).norm(), 10 * kTolerance);
  EXPECT_LT((exact.state.bodies[1].v - portals.state.bodies[1].v).norm(), 1e-6);
}

// Along the line of centres both keep their momentum, and e of their relative velocity.
TEST(ElasticByPortals, TwoBallsGiveBackTheRestitutionAskedFor) {
  constexpr double kBack = 0.6;
  SceneParts parts{.gravity = Vec3::Zero(),
                   .between = {.restitution = kBack},
                   .bodies = {support::make_ball("one", 0.05, Vec3(0, 0, 0), Vec3(1, 0, 0)),
                              support::make_ball("two", 0.04, Vec3(0.3, 0, 0))},
                   .method = by_portals()};
  Rig rig(parts);
  ASSERT_TRUE(rig.advance_to(0.4).ok());
  EXPECT_NEAR(rig.state.bodies[0].v.x(), 0.5 * (1 - kBack), 1e-6);
  EXPECT_NEAR(rig.state.bodies[1].v.x(), 0.5 * (1 + kBack), 1e-6);
  EXPECT_NEAR(first_begin(rig), 0.3 - 0.09, 1e-9);
  parts.bodies[1].position = Vec3(0.3, 0.05, 0.02);  // and not along it, as the exact distance says
  Rig portals(parts);
  parts.method = {"elastic", {}};
  Rig exact(parts);
  ASSERT_TRUE(portals.advance_to(0.4).ok());
  ASSERT_TRUE(exact.advance_to(0.4).ok());
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_LT((exact.state.bodies[i].v - portals.state.bodies[i].v).norm(), 1e-6);
}

// (3a) at rest with Table 1 and δ' = 0: m g = k_red c_res c_geo δ, c_geo the radius of the box
// where the paper has 1 m. Over a plane every corner has such a spring, on a box there is but one.
TEST(ElasticByPortals, ABoxOnItsFaceRestsAsDeepAsItsSpringsSay) {
  constexpr double kEdge = 0.1, kReduction = 1e-3, kSpring = 0.8660254037844386 * kEdge;
  const double one = kGravity / (kReduction * kResultant * kSpring);
  for (const bool plane : {true, false}) {
    for (const double smoothing : {0.0, 1e-3}) {
      SCOPED_TRACE(testing::Message() << "plane " << plane << ", smoothing " << smoothing);
      const double extension = plane ? smoothing : 2 * smoothing;
      model::BodySpec floor = plane ? support::make_ground() : make_floor_box();
      if (!plane) floor.position = Vec3(0, 0, -0.5);  // the point is under the centre
      Rig rig({.between = {.restitution = 0.3},
               .bodies = {floor, support::make_box("box", Vec3::Constant(kEdge),
                                                   Vec3(0, 0, 0.5 * kEdge + extension))},
               .method = by_portals(smoothing, kReduction),
               .duration = 2});
      ASSERT_TRUE(rig.advance_to(1.5).ok());
      const BodyState& box = rig.state.bodies[1];
      const double depth = extension + 0.5 * kEdge - box.x.z();
      EXPECT_NEAR(depth, plane ? one / 4 : one, 100 * kTolerance * kEdge);
      EXPECT_LT(box.v.norm(), 1e-6);
    }
  }
}

// Without gravity the push goes through the centre: nothing turns, and m, k do not matter.
TEST(ElasticByPortals, ASmoothedCornerGivesBackTheRestitutionAskedFor) {
  constexpr double kSmoothing = 1e-3, kSpeed = 1, kAbove = 0.05, kBack = 0.6;
  for (const bool plane : {true, false}) {
    SCOPED_TRACE(plane);
    const OnItsCorner from(kAbove, kSpeed);
    Rig rig({.gravity = Vec3::Zero(),
             .between = {.restitution = kBack},
             .bodies = {plane ? support::make_ground() : make_floor_box(), from.box},
             .method = by_portals(kSmoothing)});
    ASSERT_TRUE(rig.advance_to(0.2).ok());
    const BodyState& box = rig.state.bodies[1];
    EXPECT_NEAR(box.v.z(), kBack * kSpeed, 1e-5);
    EXPECT_LT(box.w.norm(), 1e-4);
    const double gap = kAbove - (plane ? 1 : 2) * kSmoothing;
    EXPECT_NEAR(first_begin(rig), gap / kSpeed, 1e-9);
    EXPECT_EQ(rig.witness.count(record::EventKind::ContactEnd), 1U);
  }
}

// Where the corner, or the ball around it, is between ε and 2ε deep.
TEST(ElasticByPortals, AFallingCornerBeginsToTouchInTime) {
  constexpr double kAbove = 0.05, kHysteresis = 1e-8;  // the paper's
  for (const double smoothing : {0.0, 1e-3}) {
    for (const bool plane : {true, false}) {
      SCOPED_TRACE(testing::Message() << "plane " << plane << ", smoothing " << smoothing);
      SceneParts parts{
          .bodies = {plane ? support::make_ground() : make_floor_box(), OnItsCorner(kAbove, 0).box},
          .method = by_portals(smoothing)};
      parts.method.options["hysteresis"] = kHysteresis;
      Rig rig(parts);
      ASSERT_TRUE(rig.advance_to(0.12).ok());
      const double way = kAbove - (plane ? 1 : 2) * smoothing;
      EXPECT_GE(first_begin(rig), std::sqrt(2 * (way + kHysteresis) / kGravity) - 1e-12);
      EXPECT_LE(first_begin(rig), std::sqrt(2 * (way + 2 * kHysteresis) / kGravity) + 1e-12);
    }
  }
}

TEST(ElasticByPortals, BoxesGoOnBitForBit) {
  model::BodySpec thrown = support::make_box("thrown", Vec3(0.1, 0.08, 0.06), Vec3(0, 0.02, 0.3));
  thrown.angular_velocity = Vec3(3, 1, 2);
  const SceneParts parts{.between = {.restitution = 0.3, .friction = 0.4},
                         .bodies = {make_floor_box(), thrown},
                         .method = by_portals(1e-3, 1e-3)};
  Rig whole(parts);
  ASSERT_TRUE(whole.advance_to(0.2).ok());
  std::string bytes;
  whole.stepper.save(bytes);
  Rig resumed(parts);
  std::string_view left = bytes;
  resumed.stepper.restore(left);
  resumed.state = whole.state;
  ASSERT_TRUE(whole.advance_to(0.26).ok());
  ASSERT_TRUE(resumed.advance_to(0.26).ok());
  EXPECT_GE(whole.witness.count(record::EventKind::ContactBegin), 1U);
  EXPECT_EQ(whole.state.bodies[1].x, resumed.state.bodies[1].x);
  EXPECT_EQ(whole.state.bodies[1].w, resumed.state.bodies[1].w);
}

TEST(ElasticByPortals, ShapesThatOverlapByTheirBallsAtTheStartAreRefused) {
  SceneParts parts{.bodies = {support::make_ground(),
                              support::make_box("box", Vec3::Constant(0.1), Vec3(0, 0, 0.05))},
                   .method = by_portals(1e-3)};
  EXPECT_THROW(Rig{parts}, base::BadInput);
  parts.bodies[1].position.z() += 1e-3;
  EXPECT_NO_THROW(Rig{parts});
  parts.bodies[1] = support::make_ball("ball", 0.05, Vec3(0, 0, 0.05));  // is round by itself
  EXPECT_NO_THROW(Rig{parts});
}

}  // namespace
}  // namespace carom::methods
