// Expected velocities and impulses: exact fractions of the complementarity problem (29), Baraff's
// figures 11 to 13, his section 6.5 posed as an impact.
#include "carom/impact/laws/simultaneous.h"

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
using Solver = Simultaneous::Solver;

Outcome collide(const Simultaneous& law, const Bodies& bodies,
                const std::vector<ContactSpec>& contacts) {
  return support::collide(law, bodies, contacts);
}

Outcome collide_cradle(const Simultaneous& law, const std::vector<double>& masses,
                       const std::vector<double>& speeds, double restitution = 1) {
  return support::collide_cradle(law, masses, speeds, restitution);
}

class Solvers : public testing::TestWithParam<Solver> {
 protected:
  Simultaneous law() const { return {.solver = GetParam()}; }
};

TEST_P(Solvers, SendOffTwoOfThreeBallsTogether) {  // figure 11
  const Outcome found = collide_cradle(law(), {1, 1, 1}, {1, 0, 0});
  EXPECT_EQ(found.result.iterations, 1);
  expect_speeds(found.after, {-1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-12);
  EXPECT_NEAR(found.impulses.contacts[0].x(), 4.0 / 3, 1e-12);
  EXPECT_NEAR(found.impulses.contacts[1].x(), 2.0 / 3, 1e-12);
  EXPECT_NEAR(support::kinetic_energy(make_point_masses({1, 1, 1}, {0, 0, 0}), found.after), 0.5,
              1e-12);
}

// Figure 12: a heavy ball falls on a light one on the floor; x is up. One iteration, at any ratio.
TEST_P(Solvers, BringAHeavyBallToRestOnALightOneAtOnce) {
  for (const double mass : {1.0, 9.0, 99.0, 1e6}) {
    const Outcome found = collide(
        law(), make_point_masses({1, mass}, {0, -1}),
        {{0, -1, Vec3::Zero(), Vec3::UnitX(), 0}, {1, 0, Vec3(0.5, 0, 0), Vec3::UnitX(), 0}});
    const double tolerance = GetParam() == Solver::Exact ? 1e-12 : 1e-9;  // the library's
    EXPECT_EQ(found.result.iterations, 1) << mass;
    EXPECT_NEAR(found.impulses.contacts[0].x(), mass, tolerance * mass);
    EXPECT_NEAR(found.impulses.contacts[1].x(), mass, tolerance * mass);
    EXPECT_NEAR(found.after.bodies[0].v.x(), 0, tolerance) << mass;
    EXPECT_NEAR(found.after.bodies[1].v.x(), 0, tolerance) << mass;
  }
}

// Figure 13: a bar on two supports, struck from below at its centre, leaves both.
TEST_P(Solvers, PushNothingAtSupportsThatABarLeaves) {
  Bodies bodies;
  bodies.masses = {1, 1};
  bodies.inertias = {Mat3::Identity() / 12, Mat3::Identity()};
  bodies.state.bodies.resize(2);
  bodies.state.bodies[1].x = Vec3(0, 0, -0.5);
  bodies.state.bodies[1].v = Vec3(0, 0, 1);
  const Outcome found = collide(law(), bodies,
                                {{0, -1, Vec3(-0.5, 0, 0), Vec3::UnitZ()},
                                 {0, -1, Vec3(0.5, 0, 0), Vec3::UnitZ()},
                                 {0, 1, Vec3::Zero(), Vec3::UnitZ()}});
  EXPECT_EQ(found.impulses.contacts[0].x(), 0);
  EXPECT_EQ(found.impulses.contacts[1].x(), 0);
  EXPECT_NEAR(found.impulses.contacts[2].x(), 1, 1e-12);
  EXPECT_NEAR(found.after.bodies[0].v.z(), 1, 1e-12);
  EXPECT_NEAR(found.after.bodies[1].v.z(), 0, 1e-12);
  EXPECT_NEAR(found.after.bodies[0].w.norm(), 0, 1e-12);
}

TEST_P(Solvers, SolveUnequalCradlesAtOnce) {  // the complementarity problem in exact fractions
  const struct {
    std::vector<double> masses;
    double e;
    std::vector<double> expected;
  } cases[] = {{{1, 2, 3}, 1, {-2.0 / 3, 1.0 / 3, 1.0 / 3}},
               {{3, 2, 1}, 1, {0, 1, 1}},
               {{1, 3, 1}, 1, {-3.0 / 5, 2.0 / 5, 2.0 / 5}},
               {{1, 10, 1}, 1, {-5.0 / 6, 1.0 / 6, 1.0 / 6}},
               {{4, 2, 1}, 1, {1.0 / 7, 8.0 / 7, 8.0 / 7}},
               {{1, 1, 1, 1, 1}, 1, {-3.0 / 5, 2.0 / 5, 2.0 / 5, 2.0 / 5, 2.0 / 5}},
               {{1, 1, 1}, 0.5, {0, 0.5, 0.5}},
               {{1, 1, 1}, 0, {1.0 / 3, 1.0 / 3, 1.0 / 3}}};
  for (const auto& [masses, e, expected] : cases) {
    std::vector<double> speeds(masses.size(), 0);
    speeds[0] = 1;
    const Outcome found = collide_cradle(law(), masses, speeds, e);
    EXPECT_EQ(found.result.iterations, 1);
    expect_speeds(found.after, expected, 1e-12);
  }
}

// Both balls of a Galilean cannon arrive together: the upper contact sees nothing, and stays shut.
TEST_P(Solvers, FireNoGalileanCannon) {
  for (const double ratio : {2.0, 3.0, 9.0, 10.526315789473685}) {
    const Outcome found =
        collide(law(), make_point_masses({ratio, 1}, {-1, -1}),
                {{0, -1, Vec3::Zero(), Vec3::UnitX()}, {1, 0, Vec3(0.5, 0, 0), Vec3::UnitX()}});
    expect_speeds(found.after, {1, 1}, 1e-12);
  }
}

// Footnote 9: the second contact separates at first; the impulse of the first one closes it. The
// middle ball takes speed 2, then gives it to the one that left at 1: a second round.
TEST_P(Solvers, GoAnotherRoundWhereASeparatingContactIsClosed) {
  const Outcome found = collide_cradle(law(), {1, 1, 1}, {2, 0, 1});
  EXPECT_EQ(found.result.iterations, 2);
  expect_speeds(found.after, {0, 1, 2}, 1e-12);
}

TEST_P(Solvers, HoldJoints) {  // two hinged rods fall flat, an end strikes a peg
  const struct {
    double e, vz1, w1, vz2, w2, hinge, contact;
  } cases[] = {{0, -15.0 / 14, -3.0 / 7, -9.0 / 14, 9.0 / 7, -1.0 / 14, 2.0 / 7},
               {0.5, -31.0 / 28, -9.0 / 14, -13.0 / 28, 27.0 / 14, -3.0 / 28, 3.0 / 7},
               {1, -8.0 / 7, -6.0 / 7, -2.0 / 7, 18.0 / 7, -1.0 / 7, 4.0 / 7}};
  for (const auto& expected : cases) {
    const Scene scene = support::build(support::make_linkage(false));
    State state = dynamics::make_initial_state(scene);
    for (std::size_t i : {1U, 2U}) state.bodies[i].v = Vec3(0, 0, -1);
    std::vector<dynamics::JointRow> joints;
    dynamics::compute_joint_rows(scene, state, joints);
    contact::ContactProblem problem;
    contact::Assembler(scene).assemble(support::make_end_contact(expected.e), joints, state,
                                       problem);
    ImpactWorkspace work;
    contact::Impulses impulses;
    ASSERT_EQ(resolve(law(), problem, work, impulses).status, ImpactStatus::Resolved);
    contact::apply_impulses(problem, impulses, state);
    EXPECT_NEAR(impulses.contacts[0].x(), expected.contact, 1e-12);
    EXPECT_NEAR(impulses.equalities[2], expected.hinge, 1e-12);
    EXPECT_NEAR(state.bodies[1].v.z(), expected.vz1, 1e-12);
    EXPECT_NEAR(support::planar_spin(state.bodies[1]), expected.w1, 1e-12);
    EXPECT_NEAR(state.bodies[2].v.z(), expected.vz2, 1e-12);
    EXPECT_NEAR(support::planar_spin(state.bodies[2]), expected.w2, 1e-12);
  }
}

TEST_P(Solvers, StopABodyThatTwoWallsSqueeze) {
  Bodies ball = make_point_masses({1}, {0});
  ball.state.bodies[0].v = Vec3(0.3, -2, 0);
  const std::vector<ContactSpec> walls = {{0, -1, Vec3::Zero(), Vec3::UnitX()},
                                          {0, -1, Vec3::Zero(), -Vec3::UnitX()}};
  const Outcome held = collide(law(), ball, walls);
  EXPECT_EQ(held.result.lineality, 1);
  EXPECT_EQ(held.result.iterations, 0);
  Simultaneous unaware = law();
  unaware.lineality = Lineality::Off;  // then no round ends it; the cap does, and is counted
  const Outcome bounced = collide(unaware, ball, walls);
  EXPECT_EQ(bounced.result.status, ImpactStatus::Resolved);
  EXPECT_EQ(bounced.result.iterations, 100);
  EXPECT_EQ(bounced.result.fallbacks.inelastic_end, 1);
  for (const Outcome& found : {held, bounced}) {
    EXPECT_NEAR(found.after.bodies[0].v.x(), 0, 1e-13);
    EXPECT_EQ(found.after.bodies[0].v.y(), -2);
  }
}

TEST_P(Solvers, LimitFrictionByTheNormalImpulse) {
  for (const double mu : {0.0, 0.4, 2.0}) {
    Bodies mass = make_point_masses({1}, {0});
    mass.state.bodies[0].v = Vec3(-1, 1, 0);
    const Outcome found = collide(law(), mass, {{0, -1, Vec3::Zero(), Vec3::UnitX(), 0, mu}});
    EXPECT_NEAR(found.after.bodies[0].v.x(), 0, 1e-14);
    EXPECT_NEAR(found.after.bodies[0].v.y(), std::max(0.0, 1 - mu), 1e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(Simultaneous, Solvers, testing::Values(Solver::Exact, Solver::Heuristic));

// Section 6.5 as an impact without restitution: bar 1 of mass 1 and length 4 on posts at -1 and
// `post`, bar 2 of mass 4 and length 2 on its end at 2.
Outcome drop_two_bars(Solver solver, double post, double speed) {
  Bodies bars;
  bars.masses = {1, 4};
  bars.inertias = {16.0 / 12 * Mat3::Identity(), 16.0 / 12 * Mat3::Identity()};
  bars.state.bodies.resize(2);
  bars.state.bodies[1].x = Vec3(3, 0, 1);
  for (BodyState& bar : bars.state.bodies) bar.v = Vec3(0, 0, -speed);
  return collide({.solver = solver}, bars,
                 {{0, -1, Vec3(-1, 0, -0.5), Vec3::UnitZ(), 0},
                  {0, -1, Vec3(post, 0, -0.5), Vec3::UnitZ(), 0},
                  {1, 0, Vec3(2, 0, 0.5), Vec3::UnitZ(), 0}});
}

TEST(Simultaneous, IsExactWhereTheHeuristicMayMispredict) {  // a second of gravity as speed
  const Outcome exact = drop_two_bars(Solver::Exact, 0, 9.81);
  EXPECT_NEAR(exact.impulses.contacts[0].x(), 0, 1e-10);
  EXPECT_NEAR(exact.impulses.contacts[1].x(), 981.0 / 80, 1e-10);
  EXPECT_NEAR(exact.impulses.contacts[2].x(), 981.0 / 400, 1e-10);
  EXPECT_NEAR(exact.after.bodies[1].v.z(), -2943.0 / 320, 1e-10);
}

// With the second post at -1/2 the impulses of least sum are unique: A₁₂ = 11/8 makes them
// (8/11, 0, 0), which predicts V = {1, 3} where {1} is right; 19/16 j₂ - j₃/4 = 1, 5 j₃ = j₂/4.
TEST(Simultaneous, SaysThatTheHeuristicMispredicted) {
  const Outcome exact = drop_two_bars(Solver::Exact, -0.5, 1);
  EXPECT_NEAR(exact.impulses.contacts[1].x(), 40.0 / 47, 1e-12);
  EXPECT_NEAR(exact.impulses.contacts[2].x(), 2.0 / 47, 1e-12);
  EXPECT_EQ(exact.result.fallbacks.least_sum, 0);
  const Outcome guessed = drop_two_bars(Solver::Heuristic, -0.5, 1);
  EXPECT_EQ(guessed.result.fallbacks.least_sum, 1);
  EXPECT_NEAR(guessed.impulses.contacts[0].x(), 8.0 / 11, 1e-10);
  EXPECT_NEAR(guessed.impulses.contacts[1].x(), 0, 1e-10);
  EXPECT_NEAR(guessed.impulses.contacts[2].x(), 0, 1e-10);
}

TEST(Simultaneous, PredictsTheContactThatVanishes) {  // the centre strike of figure 13
  Bodies bodies = make_point_masses({1, 1}, {0, -1});
  const Outcome found =
      collide({.solver = Solver::Heuristic}, bodies,
              {{0, -1, Vec3::Zero(), -Vec3::UnitX(), 1}, {1, 0, Vec3::Zero(), Vec3::UnitX(), 1}});
  EXPECT_EQ(found.result.fallbacks.predicted, 1);
  expect_speeds(found.after, {-1, 0}, 1e-12);
}

// What (28) and (29) promise, on random islands with joints, copies of contacts, and masses that
// differ by up to 1e8.
TEST(Simultaneous, PushesAndTakesEnergyOnly) {
  base::Random random(7);
  ImpactWorkspace work;
  for (unsigned trial = 0; trial < 100; ++trial) {
    support::ImpactCases cases(trial);
    support::ImpactCase c = trial % 2 == 0 ? cases.next_free() : cases.next_squeezed();
    for (contact::ContactRow& row : c.problem.contacts) {
      row.restitution = trial % 3 == 0 ? 1 : random.uniform();
      row.friction = trial % 5 == 0 ? random.uniform() : 0;
    }
    SCOPED_TRACE(trial);
    support::expect_lawful(Simultaneous{}, c, work);
  }
}

}  // namespace
}  // namespace carom::impact
