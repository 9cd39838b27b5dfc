#include "carom/contact/pairs.h"

#include <gtest/gtest.h>

#include "support/mesh_floor.h"

namespace carom::contact {
namespace {

using support::build;
using support::make_ball;
using support::make_box;
using support::make_ground;
using support::make_mesh_floor;

RigidMotion make_motion(const Vec3& x, const Vec3& v, const Vec3& a = Vec3::Zero(),
                        const Vec3& w = Vec3::Zero()) {
  return {x, v, a, math::SteadySpin{Quat::Identity(), w}};
}

struct Question {
  explicit Question(Scene made) : scene(std::move(made)), workers(1), pairs(scene, workers) {}
  Scene scene;
  base::Workers workers;
  Pairs pairs;

  std::vector<ContactTime> times(double duration, std::vector<RigidMotion> motions) {
    std::vector<ContactTime> out;
    EXPECT_EQ(pairs.times_of_contact({0, duration, std::move(motions)}, out).status,
              SearchStatus::Complete);
    return out;
  }
  ContactSet contacts() {
    ContactSet out;
    pairs.find_contacts(dynamics::make_initial_state(scene), out);
    return out;
  }
};

TEST(FindContacts, TouchesABoxOnItsFourLowerCorners) {
  Question ask(build({.between = {0.3, 0.4},
                      .bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))}}));
  const ContactSet found = ask.contacts();
  ASSERT_EQ(found.size(), 4U);
  for (const Contact& contact : found) {
    EXPECT_EQ(index(contact.a), 1U);
    EXPECT_EQ(index(contact.b), 0U);
    EXPECT_EQ(contact.at.normal, Vec3::UnitZ());
    EXPECT_EQ(contact.restitution, 0.3);
    EXPECT_EQ(contact.friction, 0.4);
    EXPECT_NEAR(contact.at.point.z(), 0, 1e-15);
  }
}

TEST(FindContacts, LeavesOutJoinedBodiesAndShapesThatDoNotCollide) {
  model::BodySpec ghost = make_ball("ghost", 0.5, Vec3(0, 0, 0.5));
  ghost.shapes[0].collide = false;
  Question ask(build(
      {.bodies = {make_ball("a", 0.5, Vec3(0, 0, 5)), make_ball("b", 0.5, Vec3(0, 0, 5.9)), ghost},
       .joints = {{.name = "j", .between = {"a", "b"}}}}));
  EXPECT_TRUE(ask.contacts().empty());
}

TEST(FindContacts, DoesNotPairBodiesThatCannotMove) {
  model::BodySpec pin = make_ball("pin", 0.5, Vec3(0, 0, 0));
  pin.motion = model::Motion::Fixed;
  Question ask(build({.bodies = {make_ground(), pin, make_ball("ball", 0.5, Vec3(0, 0, 5))}}));
  EXPECT_TRUE(ask.contacts().empty());
}

TEST(FindOverlaps, NamesEveryPairTheDeepestFirst) {
  Question ask(
      build({.bodies = {make_ball("a", 0.5, Vec3(0, 0, 0)), make_ball("b", 0.5, Vec3(0, 0, 0.9)),
                        make_ball("c", 0.5, Vec3(0, 0, 1.7))}}));
  const auto overlaps = ask.pairs.find_overlaps(dynamics::make_initial_state(ask.scene));
  ASSERT_EQ(overlaps.size(), 2U);
  EXPECT_NEAR(overlaps[0].depth, 0.2, 1e-15);
  EXPECT_EQ(index(overlaps[0].a) + index(overlaps[0].b), 3U);
  EXPECT_NEAR(overlaps[1].depth, 0.1, 1e-15);
  const Vec3 from_b = index(overlaps[0].a) > index(overlaps[0].b) ? Vec3(0, 0, 1) : Vec3(0, 0, -1);
  EXPECT_LT((overlaps[0].normal - from_b).norm(), 1e-15);
}

TEST(TimesOfContact, OfAFallingBallIsTheClosedForm) {
  Question ask(build({.bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 1.1))}}));
  const auto found = ask.times(1, {make_motion(Vec3::Zero(), Vec3::Zero()),
                                   make_motion(Vec3(0, 0, 1.1), Vec3::Zero(), Vec3(0, 0, -9.81))});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].s, 0.4515236409857309, 1e-12);
  EXPECT_NEAR(found[0].rate, -4.4294469180700204, 1e-10);
}

TEST(TimesOfContact, OfTwoBallsHeadOnIsGapOverSpeed) {
  Question ask(
      build({.bodies = {make_ball("a", 0.5, Vec3(0, 0, 0)), make_ball("b", 0.5, Vec3(3, 0, 0))}}));
  const auto found = ask.times(
      1, {make_motion(Vec3::Zero(), Vec3(3, 0, 0)), make_motion(Vec3(3, 0, 0), Vec3(-1, 0, 0))});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].s, 0.5, 1e-11);
}

// Once the search has seen them they pass each other by 1 mm: never in contact.
TEST(TimesOfContact, AreNoneWhereBallsPassEachOther) {
  Question ask(build(
      {.bodies = {make_ball("a", 0.5, Vec3(0, 0, 0)), make_ball("b", 0.5, Vec3(3, 1.001, 0))}}));
  EXPECT_TRUE(ask.times(2, {make_motion(Vec3::Zero(), Vec3(3, 0, 0)),
                            make_motion(Vec3(3, 1.001, 0), Vec3(-1, 0, 0))})
                  .empty());
}

TEST(TimesOfContact, ComeInTheOrderOfTime) {
  Question ask(
      build({.bodies = {make_ball("a", 0.5, Vec3(9, 0, 0)), make_ball("b", 0.5, Vec3(0, 0, 0)),
                        make_ball("c", 0.5, Vec3(-3, 0, 0))}}));
  const auto found = ask.times(
      10, {make_motion(Vec3(9, 0, 0), Vec3::Zero()), make_motion(Vec3::Zero(), Vec3(1, 0, 0)),
           make_motion(Vec3(-3, 0, 0), Vec3(2, 0, 0))});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[0].s, 2, 1e-10);    // c catches b: gap 2, closing at 1
  EXPECT_NEAR(found[1].s, 5.5, 1e-10);  // c would reach a: gap 11, closing at 2
  EXPECT_NEAR(found[2].s, 8, 1e-10);    // b reaches a: gap 8, closing at 1
}

TEST(TimesOfContact, AreNoneForAContactThatRests) {
  Question ask(build({.bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))}}));
  EXPECT_TRUE(ask.times(1, {make_motion(Vec3::Zero(), Vec3::Zero()),
                            make_motion(Vec3(0, 0, 0.5), Vec3(1, 0, 0))})
                  .empty());
}

TEST(TimesOfContact, SayWhenAContactThatLeavesComesBack) {
  Question ask(build({.bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1))}}));
  const auto found = ask.times(1, {make_motion(Vec3::Zero(), Vec3::Zero()),
                                   make_motion(Vec3(0, 0, 0.1), Vec3(0, 0, 2), Vec3(0, 0, -10))});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].s, 0.4, 1e-11);
}

// Four corners rest on the floor all the time; the wall is half a metre ahead.
TEST(TimesOfContact, SeeAnImpactBehindContactsThatRest) {
  Question ask(build({.bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5)),
                                 support::make_plane("wall", -Vec3::UnitX(), -1)}}));
  const auto found = ask.times(
      1, {make_motion(Vec3::Zero(), Vec3::Zero()), make_motion(Vec3(0, 0, 0.5), Vec3(1, 0, 0)),
          make_motion(Vec3::Zero(), Vec3::Zero())});
  ASSERT_EQ(found.size(), 4U);
  for (const ContactTime& time : found) {
    EXPECT_NEAR(time.s, 0.5, 1e-10);
    EXPECT_EQ(index(time.b), 2U);
  }
}

// A box stands on one edge, at rest there, and tips: its other lower edge comes down. With w about
// y the lower corners are at x = ∓1/2 (cos, sin): the leaning face is flat when the angle is used
// up.
TEST(TimesOfContact, SeeTheOtherEdgeOfABoxThatTips) {
  const double tilt = 0.3, spin = 2;
  model::BodySpec box = make_box("box", Vec3(1, 1, 1), Vec3::Zero());
  Question ask(build({.bodies = {make_ground(), box}}));
  const Quat q0 = math::quat_exp(Vec3(0, tilt, 0));
  const Vec3 corner = q0 * Vec3(0.5, 0, -0.5);  // the edge stood on
  const Vec3 w(0, -spin, 0);
  const Vec3 lift = -w.cross(w.cross(corner)) + Vec3(0, 0, 1);  // keeps the edge from sinking
  const auto found = ask.times(0.5, {make_motion(Vec3::Zero(), Vec3::Zero()),
                                     {-corner, -w.cross(corner), lift, math::SteadySpin{q0, w}}});
  const auto height = [&](double s) {  // of the other edge, in closed form
    const Vec3 x = -corner + s * (-w.cross(corner)) + 0.5 * s * s * lift;
    return (x + math::quat_exp(s * w) * (q0 * Vec3(-0.5, 0, -0.5))).z();
  };
  double low = 0, high = 0.5;
  ASSERT_GT(height(low), 0.2);
  ASSERT_LT(height(high), 0);
  for (int i = 0; i < 60; ++i) (height(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  int impacts = 0;
  for (const ContactTime& time : found) {
    if (std::abs(time.s - low) < 1e-10) ++impacts;
  }
  EXPECT_EQ(impacts, 2);
}

// A cone of base radius 1 and length 1 dropped from rest with its base 4.5 above the ground.
TEST(TimesOfContact, OfAFallingConeAreThoseOfItsBase) {
  model::BodySpec cone{.name = "cone", .shapes = {{.shape = geometry::Cone{1, 1}}}, .mass = 1};
  cone.center_of_mass = Vec3::Zero();
  cone.inertia = Mat3::Identity();
  Question ask(build({.bodies = {make_ground(), cone}}));
  const RigidMotion fall{Vec3(0, 0, 5), Vec3::Zero(), Vec3(0, 0, -9), math::SteadySpin{}};
  const auto found = ask.times(2, {RigidMotion{}, fall});
  ASSERT_FALSE(found.empty());
  for (const ContactTime& time : found) EXPECT_NEAR(time.s, 1, 1e-12);
}

TEST(FindContacts, OnSeamsOfAFlatMeshPointUp) {
  Question ask(build(
      {.bodies = {make_mesh_floor(), make_box("box", Vec3(1, 1, 1), Vec3(0.13, 0.21, 0.5))}}));
  const ContactSet found = ask.contacts();
  EXPECT_GE(found.size(), 4U);
  for (const Contact& contact : found) {
    const double up = index(contact.a) == 1 ? 1 : -1;
    EXPECT_LT((contact.at.normal - up * Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(contact.at.gap, 0, 1e-14);
  }
}

TEST(TimesOfContact, OfABoxSlidingOverSeamsHaveNoImpact) {
  Question ask(
      build({.bodies = {make_mesh_floor(), make_box("box", Vec3(1, 1, 1), Vec3(-1, 0.21, 0.5))}}));
  const auto found =
      ask.times(0.5, {RigidMotion{}, make_motion(Vec3(-1, 0.21, 0.5), Vec3(4, 0.3, 0))});
  for (const ContactTime& time : found) EXPECT_GT(time.rate, -ask.scene.tolerances.velocity);
}

TEST(TimesOfContact, OfABallFallingOnASeamAreThoseOfAFreeFall) {
  Question ask(build({.bodies = {make_mesh_floor(), make_ball("ball", 0.25, Vec3(0, 0, 1.25))}}));
  const auto found =
      ask.times(1, {RigidMotion{}, make_motion(Vec3(0, 0, 1.25), Vec3::Zero(), Vec3(0, 0, -8))});
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(found.front().s, 0.5, 1e-12);
}

}  // namespace
}  // namespace carom::contact
