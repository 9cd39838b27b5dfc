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
  audit.segment({slow, {}});
  expect_balanced(audit.result(), 1e-14);
  audit.segment({fast, {}});
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
    audit.segment({flight, {}});
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

// A rod hinged to a wheel that turns steadily, in the plane y = 0, θ from hanging down. The hinge
// pushes with m (ẍ − g); its work on the rod is what the wheel spends.
struct RodOnAWheel {
  static constexpr double kMass = 2, kLength = 0.7, kMoment = 0.3, kRim = 0.4, kTurn = 3;

  double t = 0, angle = 0.6, rate = -1.5;

  Vec3 along() const { return {std::sin(angle), 0, -std::cos(angle)}; }
  Vec3 across() const { return {std::cos(angle), 0, std::sin(angle)}; }
  Vec3 spin() const { return {0, -rate, 0}; }
  Quat wheel_attitude() const { return math::quat_exp(Vec3(0, kTurn * t, 0)); }
  Vec3 hinge() const { return wheel_attitude() * Vec3(kRim, 0, 0); }
  Vec3 hinge_velocity() const { return Vec3(0, kTurn, 0).cross(hinge()); }
  Vec3 hinge_acceleration() const { return -kTurn * kTurn * hinge(); }

  // (I + m l²) θ'' = −m l (p̈ − g) · across
  double angular_acceleration() const {
    const double pull = kMass * kLength * (hinge_acceleration() - kGravity).dot(across());
    return -pull / (kMoment + kMass * kLength * kLength);
  }
  math::MotionEnd state() const {
    const double bend = angular_acceleration();
    return {{hinge() + kLength * along(), math::quat_exp(Vec3(0, -angle, 0))},
            {hinge_velocity() + kLength * rate * across(), spin()},
            {hinge_acceleration() + kLength * (bend * across() - rate * rate * along()),
             Vec3(0, -bend, 0)}};
  }
  record::CarriedForce force() const {
    return {kSecond, kFirst, hinge(), kMass * (state().A.v - kGravity)};
  }

  RodOnAWheel after(double h) const {  // many steps of Runge and Kutta
    RodOnAWheel at = *this;
    constexpr int kSteps = 400;
    const double dt = h / kSteps;
    for (int i = 0; i < kSteps; ++i) at = at.stepped(dt);
    return at;
  }
  RodOnAWheel stepped(double dt) const {
    const auto slope = [this](double d, double angle_rate, double bend) {
      const RodOnAWheel at{t + d, angle + d * angle_rate, rate + d * bend};
      return std::pair(at.rate, at.angular_acceleration());
    };
    const auto [a1, b1] = slope(0, 0, 0);
    const auto [a2, b2] = slope(dt / 2, a1, b1);
    const auto [a3, b3] = slope(dt / 2, a2, b2);
    const auto [a4, b4] = slope(dt, a3, b3);
    return {t + dt, angle + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4),
            rate + dt / 6 * (b1 + 2 * b2 + 2 * b3 + b4)};
  }
};

record::AuditResult audit_rod_on_a_wheel(double h, bool forces_vary) {
  const RodOnAWheel from, half = from.after(h / 2), to = from.after(h);
  const math::MotionEnd start = from.state();
  Scene scene = make_scene(kGravity);
  Body rod = make_dynamic(Sphere{0.01}, RodOnAWheel::kMass);
  rod.inertia = Vec3::Constant(RodOnAWheel::kMoment).asDiagonal();
  rod.inverse_inertia = rod.inertia.inverse();
  rod.principal = math::make_principal_inertia(rod.inertia);
  const Vec3 turn(0, RodOnAWheel::kTurn, 0);
  add(scene, make_driven(Sphere{0.01}), {.w = turn});
  add(scene, rod, {.x = start.X.p, .q = start.X.q, .v = start.V.v, .w = start.V.w});
  const record::CarriedForce forces[] = {from.force(), half.force(), to.force()};
  const std::span<const record::CarriedForce> all(forces);
  const Flight flight{0,
                      h,
                      {make_motion(Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), turn),
                       math::make_hermite_motion(start, to.state(), h)}};
  Audit audit;
  audit.begin(scene);
  if (forces_vary) audit.segment({flight, {all.first(1), all.subspan(1, 1), all.last(1)}});
  if (!forces_vary) audit.segment({flight, {all.first(1)}});
  return audit.result();
}

TEST(Ledger, BalancesForcesThatVaryToTheFifthPowerOfASegment) {
  const auto coarse = audit_rod_on_a_wheel(0.04, true), fine = audit_rod_on_a_wheel(0.02, true);
  const auto order = [](double one, double half) { return std::log2(one / half); };
  EXPECT_NEAR(order(coarse.energy_ledger_error, fine.energy_ledger_error), 5, 0.3);
  EXPECT_NEAR(order(coarse.momentum_error, fine.momentum_error), 5, 0.3);
  EXPECT_NEAR(order(coarse.angular_momentum_error, fine.angular_momentum_error), 5, 0.3);
  EXPECT_LT(fine.energy_ledger_error, 1e-7);
  EXPECT_GT(std::abs(fine.energy_final - fine.energy_initial), 0.1);  // which the wheel has paid
  EXPECT_NEAR(fine.energy_dissipated, 0, 1e-7);
}

TEST(Ledger, ReportsForcesThatAreTakenToBeConstantButAreNot) {
  EXPECT_GT(audit_rod_on_a_wheel(0.02, false).momentum_error,
            1000 * audit_rod_on_a_wheel(0.02, true).momentum_error);
}

// A body that moves along y = s⁵ and is not seen to fall: the moment of its weight is ∫ m g y dt.
TEST(Ledger, IntegratesTheMomentOfWeightAlongAPathOfDegreeFive) {
  Scene scene = make_scene(kGravity);
  add(scene, make_dynamic(Sphere{0.5}, 3), {});
  const math::MotionEnd end{{Vec3::UnitY(), Quat::Identity()},
                            {Vec3(0, 5, 0), Vec3::Zero()},
                            {Vec3(0, 20, 0), Vec3::Zero()}};
  const auto result = audit_stretch(scene, 1, {math::make_hermite_motion({}, end, 1)});
  EXPECT_NEAR(result.angular_momentum_error, 3 * kG / 6, 1e-14);
}

TEST(Audit, GoesOnBitForBitFromItsSavedBytes) {
  Scene scene = make_scene(kGravity);
  add(scene, make_ground(), {});
  add(scene, make_dynamic(Sphere{0.5}, 1.1), {.x = {0.1, 0, 0.7}, .w = {1, 2, 3}});
  const auto segment = [](Audit& audit, double z, double v) {
    const Flight flight{0, 0.1, {make_motion(Vec3::Zero()), make_motion({0.1, 0, z}, {0, 0, v})}};
    audit.segment({flight, {}});
  };
  Audit whole, first, second;
  whole.begin(scene);
  first.begin(scene);
  for (Audit* audit : {&whole, &first}) segment(*audit, 0.7, -3);
  second.begin(scene);
  second.restore(first.save());
  EXPECT_EQ(second.save(), first.save());
  for (Audit* audit : {&whole, &second}) segment(*audit, 0.4, 1.7);
  EXPECT_EQ(whole.save(), second.save());
  EXPECT_NE(whole.save(), first.save());
  EXPECT_NEAR(second.result().max_penetration, 0.1, 1e-12);
}

}  // namespace
}  // namespace carom::audit
