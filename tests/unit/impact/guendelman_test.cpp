// Expected velocities: exact fractions of the pairwise exchange, the algebraic impulse solved by
// hand for point masses, spheres and rods.
#include "carom/impact/laws/guendelman.h"

#include <gtest/gtest.h>

#include "support/collide.h"
#include "support/impact_cases.h"
#include "support/linkage.h"
#include "support/problems.h"

namespace carom::impact {
namespace {

using support::Bodies;
using support::ContactSpec;
using support::expect_speeds;
using support::make_cradle;
using support::make_point_masses;
using support::make_problem;
using support::Outcome;

Outcome collide(const Guendelman& law, const Bodies& bodies,
                const std::vector<ContactSpec>& contacts) {
  return support::collide(law, bodies, contacts);
}

TEST(Guendelman, IsNewtonsLawForOneContact) { support::expect_newtons_law(Guendelman{}); }

TEST(Guendelman, PassesElasticImpactsDownTheLine) {  // one sweep, in the order of the contacts
  const Outcome found = collide({}, make_point_masses({1, 1, 1, 1}, {1, 0, 0, 0}), make_cradle(4));
  expect_speeds(found.after, {0, 0, 0, 1}, 1e-14);
  EXPECT_EQ(found.result.iterations, 1);
}

TEST(Guendelman, StopsInTheEndWhatSweepsDoNot) {  // a heavy ball on a light one on the floor
  for (const double mass : {9.0, 1e6}) {
    const Outcome found = collide(
        {}, make_point_masses({1, mass}, {0, -1}),
        {{0, -1, Vec3::Zero(), Vec3::UnitX(), 0}, {1, 0, Vec3(0.5, 0, 0), Vec3::UnitX(), 0}});
    EXPECT_EQ(found.result.fallbacks.inelastic_end, 1);
    EXPECT_EQ(found.result.iterations, 15);
    expect_speeds(found.after, {0, 0}, 1e-11);
  }
}

// A point mass at 45°: K = 1/m. It sticks if 1 <= μ (1 + e), and slides on at 1 - μ (1 + e) if not.
TEST(Guendelman, SticksOrSlidesAsTheConeSays) {
  for (const double e : {0.0, 0.5}) {
    for (const double mu : {0.0, 0.4, 2.0}) {
      Bodies mass = make_point_masses({1}, {0});
      mass.state.bodies[0].v = Vec3(-1, 1, 0);
      const Outcome found = collide({}, mass, {{0, -1, Vec3::Zero(), Vec3::UnitX(), e, mu}});
      EXPECT_NEAR(found.after.bodies[0].v.x(), e, 1e-14);
      EXPECT_NEAR(found.after.bodies[0].v.y(), std::max(0.0, 1 - mu * (1 + e)), 1e-14);
    }
  }
}

// A ball that slides gets 2/7 of its speed as spin when it sticks: K_t = 7/2 for a solid sphere.
TEST(Guendelman, MakesABallRollThatSticks) {
  Bodies ball = make_point_masses({1}, {0});
  ball.inertias = {0.4 * Mat3::Identity()};
  ball.state.bodies[0].v = Vec3(1, 0, -1);
  const Outcome found = collide({}, ball, {{0, -1, Vec3(0, 0, -1), Vec3::UnitZ(), 0, 1}});
  EXPECT_NEAR(found.after.bodies[0].v.x(), 5.0 / 7, 1e-14);
  EXPECT_NEAR(found.after.bodies[0].w.y(), 5.0 / 7, 1e-14);
  EXPECT_NEAR(found.impulses.contacts[0].tail<2>().norm(), 2.0 / 7, 1e-14);
}

// A slender rod of mass 1 and length 2 at tan θ = 1/2 strikes with its end, without slip but not
// able to stick: K_nn = 1 + 3 cos²θ = 17/5, K_nt = -3 sin θ cos θ = -6/5 or 6/5 as tangents turn.
// The normal impulse would drive it along K_nt; with μ = 1/4 against that, nᵀK(n - μ t) = 17/5 -
// 3/10 = 31/10 and j_n = 10/31.
TEST(Guendelman, SlidesWhereTheNormalImpulseWouldDriveIt) {
  Bodies rod;
  rod.masses = {1};
  rod.inertias = {1.0 / 3 * Mat3::Identity()};
  rod.state.bodies.resize(1);
  rod.state.bodies[0].v = Vec3(0, 0, -1);
  const Vec3 end = Vec3(2, 0, -1) / std::sqrt(5.0);
  const Outcome found = collide({}, rod, {{0, -1, end, Vec3::UnitZ(), 0, 0.25}});
  EXPECT_NEAR(found.impulses.contacts[0].x(), 10.0 / 31, 1e-14);
  EXPECT_NEAR(found.impulses.contacts[0].tail<2>().norm(), 2.5 / 31, 1e-14);
}

TEST(Guendelman, HoldsJoints) {  // two hinged rods fall flat, an end strikes a peg with e = 1/2
  const Scene scene = support::build(support::make_linkage(false));
  State state = dynamics::make_initial_state(scene);
  for (std::size_t i : {1U, 2U}) state.bodies[i].v = Vec3(0, 0, -1);
  std::vector<dynamics::JointRow> joints;
  dynamics::compute_joint_rows(scene, state, joints);
  contact::ContactProblem problem;
  contact::Assembler(scene).assemble(support::make_end_contact(0.5), joints, state, problem);
  ImpactWorkspace work;
  contact::Impulses impulses;
  ASSERT_EQ(resolve(Guendelman{}, problem, work, impulses).status, ImpactStatus::Resolved);
  contact::apply_impulses(problem, impulses, state);
  EXPECT_NEAR(impulses.contacts[0].x(), 3.0 / 7, 1e-12);
  EXPECT_NEAR(impulses.equalities[2], -3.0 / 28, 1e-12);
  for (const dynamics::JointRow& row : joints)
    EXPECT_NEAR(dynamics::row_rate(row, state), 0, 1e-12);
}

// A rod that sticks with e = 1: u_t comes to rest and the normal speed comes back whole, though
// K couples them. With u along the tangent that costs least, energy uᵀK⁻¹u / 2 = u_n² / (2 K_nn)
// becomes u_n² (K⁻¹)_nn / 2: a gain by K_nn (K⁻¹)_nn = K_nn K_tt / (K_nn K_tt - K_nt²).
TEST(Guendelman, GainsEnergyAsPublishedAndNoneWhenBounded) {
  Bodies rod;
  rod.masses = {1};
  rod.inertias = {1.0 / 3 * Mat3::Identity()};
  rod.state.bodies.resize(1);
  const Vec3 end = Vec3(1, 0, -1) / std::sqrt(2.0);
  // An impulse along z alone would stop nothing else: velocities M⁻¹ nᵀ.
  rod.state.bodies[0].v = Vec3(0, 0, -1);
  rod.state.bodies[0].w = 3 * end.cross(Vec3(0, 0, -1));
  const std::vector<ContactSpec> contact = {{0, -1, end, Vec3::UnitZ(), 1, 10}};
  const double before = support::kinetic_energy(rod, rod.state);
  const Outcome published = collide({.energy = Guendelman::Energy::AsPublished}, rod, contact);
  // K = [[5/2, -3/2], [-3/2, 5/2]] in the plane: 25 / 16.
  EXPECT_NEAR(support::kinetic_energy(rod, published.after) / before, 25.0 / 16, 1e-12);
  const Outcome bounded = collide({}, rod, contact);
  EXPECT_NEAR(support::kinetic_energy(rod, bounded.after) / before, 1, 1e-12);
  EXPECT_EQ(bounded.result.fallbacks.energy_bound, 1);
}

TEST(Guendelman, PushesWithinItsConesAndTakesEnergyOnly) {
  base::Random random(11);
  ImpactWorkspace work;
  for (unsigned trial = 0; trial < 60; ++trial) {
    support::ImpactCases cases(trial);
    support::ImpactCase c = trial % 2 == 0 ? cases.next_free() : cases.next_squeezed();
    for (contact::ContactRow& row : c.problem.contacts) {
      row.restitution = random.uniform();
      row.friction = trial % 4 == 0 ? 0 : random.uniform();
    }
    SCOPED_TRACE(trial);
    support::expect_lawful(Guendelman{}, c, work, 1e-12);
  }
}

}  // namespace
}  // namespace carom::impact
