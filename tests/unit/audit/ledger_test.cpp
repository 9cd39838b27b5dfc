#include <gtest/gtest.h>

#include <cmath>

#include "unit/audit/small_scenes.h"

namespace carom::audit {
namespace {

using geometry::Box;
using geometry::Sphere;

constexpr double kG = 9.81;
const Vec3 kGravity(0, 0, -kG);
const BodyId kFirst{0}, kSecond{1};

State make_state(std::vector<BodyState> bodies) {
  State state;
  state.bodies = std::move(bodies);
  return state;
}

record::AuditResult audit_impact(const Scene& scene, const record::ContactEvent& contact,
                                 const State& before, const State& after) {
  Audit audit;
  audit.begin(scene);
  audit.impact({std::span(&contact, 1), {}, before, after});
  return audit.result();
}

record::ContactEvent make_contact(const Vec3& point, const Vec3& impulse) {
  record::ContactEvent contact;
  contact.a = kSecond;
  contact.b = kFirst;
  contact.point = point;
  contact.impulse = impulse;
  return contact;
}

void expect_balanced(const record::AuditResult& result, double tolerance) {
  EXPECT_LE(result.energy_max_gain, tolerance);
  EXPECT_LE(result.energy_ledger_error, tolerance);
  EXPECT_LE(result.momentum_error, tolerance);
  EXPECT_LE(result.angular_momentum_error, tolerance);
}

TEST(Ledger, BalancesFreeFall) {
  Scene scene = make_scene(kGravity);
  add(scene, make_dynamic(Sphere{0.5}, 3), {.x = {1, 2, 9}, .v = {4, 0, 1}, .w = {1, 2, 3}});
  const auto result =
      audit_stretch(scene, 0.7, {make_motion({1, 2, 9}, {4, 0, 1}, kGravity, {1, 2, 3})});
  expect_balanced(result, 1e-12);
  const double spin = 0.5 * 0.4 * 3 * 0.25 * 14;  // ½ (2/5) m r² ω²
  EXPECT_NEAR(result.energy_initial, 0.5 * 3 * 17 + 3 * kG * 9 + spin, 1e-12);
  EXPECT_NEAR(result.energy_final, result.energy_initial, 1e-12);
}

TEST(Ledger, ReportsAFallThatIsTooSlow) {
  Scene scene = make_scene(kGravity);
  add(scene, make_dynamic(Sphere{0.5}, 3), {.x = {0, 0, 9}});
  const auto result = audit_stretch(scene, 1, {make_motion({0, 0, 9}, Vec3::Zero(), kGravity / 2)});
  EXPECT_NEAR(result.momentum_error, 3 * kG / 2, 1e-12);
  // Fell g/4, moves at g/2: ½ m g²/4 - m g · g/4 = -m g²/8.
  EXPECT_NEAR(result.energy_ledger_error, 3 * kG * kG / 8, 1e-12);
  EXPECT_EQ(result.energy_max_gain, 0);
}

TEST(Ledger, ReportsEnergyOutOfNothing) {
  Scene scene = make_scene();
  add(scene, make_dynamic(Sphere{0.5}, 2), {.v = {1, 0, 0}});
  Audit audit;
  audit.begin(scene);
  const Flight slow{0, 1, {make_motion({0, 0, 0}, {1, 0, 0})}};
  const Flight fast{1, 1, {make_motion({1, 0, 0}, {3, 0, 0})}};
  audit.stretch({slow, {}});
  expect_balanced(audit.result(), 1e-14);
  audit.stretch({fast, {}});
  EXPECT_NEAR(audit.result().energy_max_gain, 0.5 * 2 * (9 - 1), 1e-14);
  EXPECT_NEAR(audit.result().energy_ledger_error, 8, 1e-14);
  EXPECT_NEAR(audit.result().momentum_error, 4, 1e-14);
}

TEST(Ledger, KeepsAnErrorThatLaterCancels) {
  Scene scene = make_scene();
  add(scene, make_dynamic(Sphere{0.5}, 2), {.v = {1, 0, 0}});
  Audit audit;
  audit.begin(scene);
  for (const double v : {1.0, 3.0, 1.0}) {
    const Flight flight{0, 1, {make_motion({0, 0, 0}, {v, 0, 0})}};
    audit.stretch({flight, {}});
  }
  EXPECT_NEAR(audit.result().energy_final, audit.result().energy_initial, 1e-14);
  EXPECT_NEAR(audit.result().energy_max_gain, 8, 1e-14);
  EXPECT_NEAR(audit.result().momentum_error, 4, 1e-14);
}

TEST(Ledger, BooksWhatABounceDissipates) {
  Scene scene = make_scene();
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{0.5}, 2), {.x = {7, 0, 0.5}, .v = {0, 0, -4}});
  const State before = make_state({{}, {.x = {7, 0, 0.5}, .v = {0, 0, -4}}});
  const State after = make_state({{}, {.x = {7, 0, 0.5}, .v = {0, 0, 2}}});
  const auto result = audit_impact(scene, make_contact({7, 0, 0}, {0, 0, 12}), before, after);
  expect_balanced(result, 1e-13);
  EXPECT_NEAR(result.energy_dissipated, 0.5 * 2 * 16 * (1 - 0.25), 1e-13);  // ½ m v² (1 - e²)

  const auto wrong = audit_impact(scene, make_contact({7, 0, 0}, {0, 0, 11}), before, after);
  EXPECT_NEAR(wrong.momentum_error, 1, 1e-13);
  EXPECT_NEAR(wrong.angular_momentum_error, 7, 1e-13);  // about the origin
  EXPECT_NEAR(wrong.energy_ledger_error, 1, 1e-13);     // ΔJ times the mean speed -1
}

// An elastic ball meets a wall that comes at it: v' = 2 V - v, and the wall pays for it.
TEST(Ledger, ChargesADrivenWallForItsWork) {
  Scene scene = make_scene();
  add(scene, make_driven(Box{Vec3(1, 1, 1)}), {.x = {-1, 0, 0}, .v = {1, 0, 0}});
  add(scene, make_dynamic(Sphere{0.5}, 2), {.x = {0.5, 0, 0}, .v = {-1, 0, 0}});
  const BodyState wall{.x = {-1, 0, 0}, .v = {1, 0, 0}};
  const auto result = audit_impact(scene, make_contact({0, 0, 0}, {8, 0, 0}),
                                   make_state({wall, {.x = {0.5, 0, 0}, .v = {-1, 0, 0}}}),
                                   make_state({wall, {.x = {0.5, 0, 0}, .v = {3, 0, 0}}}));
  expect_balanced(result, 1e-13);
  EXPECT_NEAR(result.energy_final - result.energy_initial, 0.5 * 2 * (9 - 1), 1e-13);
  EXPECT_NEAR(result.energy_dissipated, 0, 1e-13);
}

TEST(Ledger, ReportsAnImpactThatLosesMomentumBetweenTwoBodies) {
  Scene scene = make_scene();
  add(scene, make_dynamic(Sphere{0.5}, 1), {.x = {0, 0, 0}});
  add(scene, make_dynamic(Sphere{0.5}, 1), {.x = {1, 0, 0}, .v = {-1, 0, 0}});
  const auto contact = make_contact({0.5, 0, 0}, {1, 0, 0});
  const State before = make_state({{}, {.x = {1, 0, 0}, .v = {-1, 0, 0}}});
  const State right = make_state({{.v = {-1, 0, 0}}, {.x = {1, 0, 0}}});
  expect_balanced(audit_impact(scene, contact, before, right), 1e-15);
  const State wrong = make_state({{.v = {-0.75, 0, 0}}, {.x = {1, 0, 0}}});
  EXPECT_NEAR(audit_impact(scene, contact, before, wrong).momentum_error, 0.25, 1e-15);
}

// A push off the centre of a unit cube at rest: v = J/m, ω = r × J / I with I = m/6.
TEST(Ledger, ReportsASpinThatDoesNotFitTheImpulse) {
  Scene scene = make_scene();
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Box{Vec3(0.5, 0.5, 0.5)}), {.x = {0, 0, 0.5}});
  const auto contact = make_contact({0.5, 0, 0}, {0, 0, 1});
  const State before = make_state({{}, {.x = {0, 0, 0.5}}});
  const Vec3 w = 6 * Vec3(0.5, 0, -0.5).cross(Vec3::UnitZ());
  const State right = make_state({{}, {.x = {0, 0, 0.5}, .v = {0, 0, 1}, .w = w}});
  const auto good = audit_impact(scene, contact, before, right);
  EXPECT_LE(good.angular_momentum_error, 1e-14);
  EXPECT_LE(good.energy_ledger_error, 1e-14);
  EXPECT_NEAR(good.energy_max_gain, 0.5 + 0.75, 1e-14);  // the ground gave it: ½J² + ½(rJ)²/I
  const State wrong = make_state({{}, {.x = {0, 0, 0.5}, .v = {0, 0, 1}, .w = 2 * w}});
  EXPECT_NEAR(audit_impact(scene, contact, before, wrong).angular_momentum_error, 0.5, 1e-14);
}

// A block slides to the right under Coulomb friction: the heat is the force times the way.
TEST(Ledger, BooksTheHeatOfSliding) {
  const double mass = 2, mu = 0.3, h = 0.5, v0 = 3;
  Scene scene = make_scene(kGravity);
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{0.5}, mass), {.x = {0, 0, 0.5}, .v = {v0, 0, 0}});
  // The force acts at the centre, so that the block does not turn.
  const std::vector<record::CarriedForce> forces = {
      {kSecond, kFirst, Vec3(0, 0, 0.5), Vec3(-mu * mass * kG, 0, mass * kG)}};
  const RigidMotion slide = make_motion({0, 0, 0.5}, {v0, 0, 0}, {-mu * kG, 0, 0});
  const auto result = audit_stretch(scene, h, {make_motion(Vec3::Zero()), slide}, forces);
  expect_balanced(result, 1e-12);
  const double way = v0 * h - mu * kG * h * h / 2;
  EXPECT_NEAR(result.energy_dissipated, mu * mass * kG * way, 1e-12);
}

// A block at rest on a running belt: the belt pays force times its own way, the block keeps half
// of what the mean slip leaves.
TEST(Ledger, ChargesADrivenBeltForItsDrag) {
  const double belt_speed = 5, force = 2, h = 0.25;
  Scene scene = make_scene();
  add(scene, make_driven(Box{Vec3(9, 1, 1)}), {.x = {0, 0, -1}, .v = {belt_speed, 0, 0}});
  add(scene, make_dynamic(Sphere{0.5}), {.x = {0, 0, 0.5}});
  const std::vector<record::CarriedForce> forces = {
      {kSecond, kFirst, Vec3(0, 0, 0.5), Vec3(force, 0, 0)}};
  const auto result = audit_stretch(scene, h,
                                    {make_motion({0, 0, -1}, {belt_speed, 0, 0}),
                                     make_motion({0, 0, 0.5}, Vec3::Zero(), {force, 0, 0})},
                                    forces);
  expect_balanced(result, 1e-13);
  EXPECT_NEAR(result.energy_dissipated, force * (belt_speed * h - force * h * h / 2), 1e-13);
  EXPECT_NEAR(result.energy_final, 0.5 * std::pow(force * h, 2), 1e-13);
}

// A sphere skids: friction at its lowest point turns it, ω' = r × F / I exactly, as I is isotropic.
TEST(Ledger, BalancesAForceThatTurnsItsBody) {
  const double mass = 2, radius = 0.5, h = 0.1;
  Scene scene = make_scene(kGravity);
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{radius}, mass), {.x = {0, 0, radius}, .v = {3, 0, 0}});
  const Body& ball = scene.bodies[1];
  const Vec3 force(-4, 0, mass * kG), lever(0, 0, -radius);
  RigidMotion skid = make_motion({0, 0, radius}, {3, 0, 0}, {-4 / mass, 0, 0});
  skid.rotation =
      math::TorquedTop(ball.principal, Quat::Identity(), Vec3::Zero(), lever.cross(force));
  const auto result = audit_stretch(scene, h, {make_motion(Vec3::Zero()), skid},
                                    {{kSecond, kFirst, Vec3(0, 0, 0), force}});
  expect_balanced(result, 1e-12);
  // Slip speed falls from 3 at the rate F/m + F r²/I = (F/m)(1 + 5/2).
  const double slip = 3 * h - 2 * 3.5 * h * h / 2;
  EXPECT_NEAR(result.energy_dissipated, 4 * slip, 1e-12);
}

TEST(Audit, GoesOnBitForBitFromItsSavedBytes) {
  Scene scene = make_scene(kGravity);
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{0.5}, 1.1), {.x = {0.1, 0, 0.7}, .w = {1, 2, 3}});
  const auto stretch = [](Audit& audit, double z, double v) {
    const Flight flight{0, 0.1, {make_motion(Vec3::Zero()), make_motion({0.1, 0, z}, {0, 0, v})}};
    audit.stretch({flight, {}});
  };
  Audit whole, first, second;
  whole.begin(scene);
  first.begin(scene);
  for (Audit* audit : {&whole, &first}) stretch(*audit, 0.7, -3);
  second.begin(scene);
  second.restore(first.save());
  EXPECT_EQ(second.save(), first.save());
  for (Audit* audit : {&whole, &second}) stretch(*audit, 0.4, 1.7);
  EXPECT_EQ(whole.save(), second.save());
  EXPECT_NE(whole.save(), first.save());
  EXPECT_NEAR(second.result().max_penetration, 0.1, 1e-12);
}

}  // namespace
}  // namespace carom::audit
