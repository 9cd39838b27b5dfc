// The order of things in a step: collisions before forces, jumps where forces do not exist, changes
// of contacts where they happen.
#include "carom/methods/analytic/analytic.h"

#include <gtest/gtest.h>

#include "support/rig.h"

namespace carom::methods {
namespace {

using record::EventKind;
using support::make_ball;
using support::make_box;
using support::make_ground;
using support::Rig;
using support::SceneParts;

const model::MethodSettings kAnalytic{"analytic", {}};

AdvanceResult advance_until(Rig& rig, double t) {
  AdvanceResult result;
  while (result.ok() && rig.state.t < t) result = rig.advance_to(t);
  return result;
}

TEST(Analytic, CarriesARestingBoxInAFewSteps) {
  Rig rig({.bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))},
           .method = kAnalytic});
  int steps = 0;
  while (rig.state.t < 1 && ++steps < 100) ASSERT_TRUE(rig.advance_to(1).ok());
  EXPECT_EQ(rig.state.t, 1);
  EXPECT_LT(steps, 20);
  EXPECT_LT((rig.state.bodies[1].x - Vec3(0, 0, 0.5)).norm(), 1e-14);
  EXPECT_EQ(rig.witness.count(EventKind::ContactBegin), 1U);
}

TEST(Analytic, ResolvesACollisionBeforeItAsksForForces) {
  Rig rig({.between = {.restitution = 0.5},
           .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1), Vec3(0, 0, -2))},
           .method = kAnalytic});
  ASSERT_TRUE(rig.advance_to(1e-3).ok());
  ASSERT_EQ(rig.witness.impacts.size(), 1U);
  EXPECT_EQ(rig.witness.impacts[0].t, 0);
  EXPECT_NEAR(rig.witness.impacts[0].total_impulse().z(), 3, 1e-12);
  EXPECT_EQ(rig.witness.count(EventKind::ContactBegin), 0U);
}

// A contact that pushes and opens, slower than what leaves, would float away for good: χ̈ = 0 keeps
// its speed. It is stopped, by an impulse that the audit sees.
TEST(Analytic, StopsAContactThatOpensWhileItPushes) {
  SceneParts parts{.bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1))},
                   .method = kAnalytic};
  Rig rig(parts);
  const double slow = 0.5 * rig.scene.tolerances.leaving;
  rig.state.bodies[1].v = Vec3(0, 0, slow);
  ASSERT_TRUE(rig.advance_to(0.1).ok());
  ASSERT_EQ(rig.witness.impacts.size(), 1U);
  EXPECT_NEAR(rig.witness.impacts[0].total_impulse().z(), -slow, 1e-3 * slow);
  EXPECT_NEAR(rig.state.bodies[1].v.z(), 0, 1e-15);
}

// A rod that slides on its tip at 45 degrees with μ = 2: friction drives the tip in faster than the
// normal force pushes it out (Painlevé). An impact without collision stops the slip.
TEST(Analytic, AnswersAJamByAnImpact) {
  model::BodySpec rod{.name = "rod",
                      .shapes = {{.shape = geometry::Capsule{0.001, 1}}},
                      .mass = 1,
                      .position = Vec3(0, 0, 0.5 * std::sin(1.1) + 0.001),
                      .velocity = Vec3(-1, 0, 0)};
  rod.inertia = Mat3(Vec3(1.0 / 12, 1.0 / 12, 1e-3).asDiagonal());
  rod.orientation = math::quat_exp(Vec3(0, 1.5707963267948966 - 1.1, 0));
  Rig rig({.between = {.friction = 2}, .bodies = {make_ground(), rod}, .method = kAnalytic});
  ASSERT_TRUE(rig.advance_to(1e-3).ok());
  ASSERT_GE(rig.witness.impacts.size(), 1U);
  EXPECT_EQ(rig.witness.impacts[0].t, 0);
  const BodyState& after = rig.state.bodies[1];
  const Vec3 tip = rig.witness.impacts[0].contacts[0].point;
  EXPECT_GT(rig.witness.impacts[0].total_impulse().z(), 0.01);
  EXPECT_LT(after.twist().at(tip - after.x).norm(), 0.05);
}

// A block pushed over the edge of a table: the rear contacts vanish when its centre passes the
// edge, and where its corner leaves the table's top the edge takes over.
TEST(Analytic, HandsAContactOverWhereItsFeaturesPart) {
  model::BodySpec table = make_box("table", Vec3(2, 2, 1), Vec3(-1, 0, -0.5));
  table.motion = model::Motion::Fixed;
  model::BodySpec block = make_box("block", Vec3(0.4, 0.4, 0.2), Vec3(-0.3, 0, 0.1));
  block.velocity = Vec3(2, 0, 0);
  Rig rig({.bodies = {table, block}, .method = kAnalytic});
  ASSERT_TRUE(advance_until(rig, 0.149).ok());  // centre before the edge: flat
  EXPECT_LT(rig.state.bodies[1].w.norm(), 1e-12);
  EXPECT_NEAR(rig.state.bodies[1].x.x(), -0.002, 1e-12);
  ASSERT_TRUE(advance_until(rig, 0.2).ok());  // beyond it: tips forward
  EXPECT_GT(rig.state.bodies[1].w.y(), 0.1);
}

}  // namespace
}  // namespace carom::methods
