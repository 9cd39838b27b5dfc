// Expected velocities: exact fractions of the two complementarity problems, Coulomb's law in closed
// form; where energy can grow, by trying.
#include "carom/impact/laws/poisson.h"

#include <gtest/gtest.h>

#include <numbers>

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

Outcome collide(const Poisson& law, const Bodies& bodies,
                const std::vector<ContactSpec>& contacts) {
  return support::collide(law, bodies, contacts);
}

TEST(Poisson, IsNewtonsLawForOneContactWithoutFriction) { support::expect_newtons_law(Poisson{}); }

TEST(Poisson, SolvesCradlesAtOnce) {  // in exact fractions; one contact approaches
  const struct {
    std::vector<double> masses;
    double e;
    std::vector<double> expected;
  } cases[] = {{{1, 1, 1}, 1, {-1.0 / 3, 2.0 / 3, 2.0 / 3}},
               {{1, 2, 3}, 1, {-2.0 / 3, 1.0 / 3, 1.0 / 3}},
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
    const Outcome found =
        collide({}, make_point_masses(masses, speeds), make_cradle(masses.size(), e));
    expect_speeds(found.after, expected, 1e-12);
  }
}

// Poisson's impulse at the upper contact of a Galilean cannon: none in compression but the one that
// the floor sends through, so that decompression returns both as they came.
TEST(Poisson, ReturnsStackedBallsAsTheyCame) {
  for (const double ratio : {2.0, 3.0, 9.0}) {
    const Outcome found =
        collide({}, make_point_masses({ratio, 1}, {-1, -1}),
                {{0, -1, Vec3::Zero(), Vec3::UnitX()}, {1, 0, Vec3(0.5, 0, 0), Vec3::UnitX()}});
    expect_speeds(found.after, {1, 1}, 1e-12);
  }
}

// A point mass strikes at 45°: p_n = 1 in compression and e in decompression, and friction takes
// μ (1 + e) of the sliding speed at most. Along a corner of the polygon that is exact.
TEST(Poisson, LimitsFrictionByTheNormalImpulseOfBothPhases) {
  for (const double e : {0.0, 0.5}) {
    for (const double mu : {0.0, 0.4, 2.0}) {
      Bodies mass = make_point_masses({1}, {0});
      const math::Tangents tangents = math::make_tangents(Vec3::UnitX());
      mass.state.bodies[0].v = -Vec3::UnitX() + tangents.first;
      const Outcome found = collide({}, mass, {{0, -1, Vec3::Zero(), Vec3::UnitX(), e, mu}});
      EXPECT_NEAR(found.after.bodies[0].v.x(), e, 1e-13);
      EXPECT_NEAR(found.after.bodies[0].v.dot(tangents.first), std::max(0.0, 1 - mu * (1 + e)),
                  1e-13);
    }
  }
}

// Between two corners the polygon is nearer than the disc: 1 - cos(π / sides) less friction at
// most.
TEST(Poisson, InscribesItsPolygonInCoulombsDisc) {
  for (const int sides : {4, 8, 16}) {
    for (int i = 0; i < 32; ++i) {
      const double angle = 2 * std::numbers::pi * i / 32;
      Bodies mass = make_point_masses({1}, {0});
      mass.state.bodies[0].v = Vec3(-1, 3 * std::cos(angle), 3 * std::sin(angle));
      const Outcome found =
          collide({.sides = sides}, mass, {{0, -1, Vec3::Zero(), Vec3::UnitX(), 0, 0.5}});
      const double friction = found.impulses.contacts[0].tail<2>().norm();
      EXPECT_LE(friction, 0.5 * (1 + 1e-14));
      EXPECT_GE(friction, 0.5 * std::cos(std::numbers::pi / sides) * (1 - 1e-14));
    }
  }
}

TEST(Poisson, HoldsJoints) {  // two hinged rods fall flat, an end strikes a peg with e = 1/2
  const Scene scene = support::build(support::make_linkage(false));
  State state = dynamics::make_initial_state(scene);
  for (std::size_t i : {1U, 2U}) state.bodies[i].v = Vec3(0, 0, -1);
  std::vector<dynamics::JointRow> joints;
  dynamics::compute_joint_rows(scene, state, joints);
  contact::ContactProblem problem;
  contact::Assembler(scene).assemble(support::make_end_contact(0.5), joints, state, problem);
  ImpactWorkspace work;
  contact::Impulses impulses;
  ASSERT_EQ(resolve(Poisson{}, problem, work, impulses).status, ImpactStatus::Resolved);
  contact::apply_impulses(problem, impulses, state);
  EXPECT_NEAR(impulses.contacts[0].x(), 3.0 / 7, 1e-12);
  EXPECT_NEAR(impulses.equalities[2], -3.0 / 28, 1e-12);
  for (const dynamics::JointRow& row : joints)
    EXPECT_NEAR(dynamics::row_rate(row, state), 0, 1e-12);
}

// Two walls nearly face each other, one gives everything back and one nothing. With normals
// (±cos a, sin a) and v = (0, -1) both compress with p = 1 / (2 sin a); the first returns p, and
// the second adds x = p cos 2a, what it takes to keep the ball from it.
TEST(Poisson, ReturnsFromEachContactWhatItsOwnCoefficientSays) {
  const double a = 0.2;
  Bodies ball = make_point_masses({1}, {0});
  ball.state.bodies[0].v = Vec3(0, -1, 0);
  const Outcome found = collide({}, ball,
                                {{0, -1, Vec3::Zero(), Vec3(std::cos(a), std::sin(a), 0), 1},
                                 {0, -1, Vec3::Zero(), Vec3(-std::cos(a), std::sin(a), 0), 0}});
  const double p = 1 / (2 * std::sin(a));
  const double x = p * std::cos(2 * a);
  EXPECT_NEAR(found.impulses.contacts[0].x(), 2 * p, 1e-12);
  EXPECT_NEAR(found.impulses.contacts[1].x(), p + x, 1e-12);
  EXPECT_NEAR(found.after.bodies[0].v.x(), (p - x) * std::cos(a), 1e-12);
  EXPECT_NEAR(found.after.bodies[0].v.y(), (p + x) * std::sin(a), 1e-12);
}

struct Spread {
  bool restitution, friction;  // from contact to contact, or one for all; any, or none
};

// One or two bodies of arbitrary inertia and up to four contacts anywhere.
struct Tumble {
  Bodies bodies;
  std::vector<ContactSpec> contacts;
};

Tumble make_tumble(base::Random& random, const Spread& spread) {
  const auto vector = [&] {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    return Vec3(x, y, random.uniform(-1, 1));
  };
  Tumble made;
  const int bodies = 1 + static_cast<int>(random.next() % 2);
  for (int i = 0; i < bodies; ++i) {
    made.bodies.masses.push_back(1);
    made.bodies.inertias.emplace_back((0.51 * Vec3::Ones() + 0.49 * vector()).asDiagonal());
    BodyState at;
    at.x = Vec3(i, 0, 0);
    at.v = vector();
    at.w = 3 * vector();
    made.bodies.state.bodies.push_back(at);
  }
  const double e = random.uniform();
  for (std::uint64_t k = 1 + random.next() % 4; k > 0; --k) {
    ContactSpec contact;
    contact.a = static_cast<int>(random.next() % 2) % bodies;
    contact.b = bodies == 2 && random.next() % 2 == 0 ? 1 - contact.a : -1;
    contact.point = vector();
    contact.normal = vector().normalized();
    contact.restitution = spread.restitution ? static_cast<double>(random.next() % 2) : e;
    contact.friction = spread.friction ? random.uniform(0, 3) : 0;
    made.contacts.push_back(contact);
  }
  return made;
}

int count_gains(Poisson::Energy energy, const Spread& spread, int trials) {
  base::Random random(13);
  int gains = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Tumble tumble = make_tumble(random, spread);
    const Outcome found = collide({.sides = 8, .energy = energy}, tumble.bodies, tumble.contacts);
    const double before = support::kinetic_energy(tumble.bodies, tumble.bodies.state);
    const double after = support::kinetic_energy(tumble.bodies, found.after);
    gains += after > before * (1 + 1e-9) ? 1 : 0;
  }
  return gains;
}

// What docs/methods/poisson.md proves, and the case that its proof leaves out.
TEST(Poisson, GainsEnergyOnlyWhereThereIsFrictionAndCoefficientsDiffer) {
  using enum Poisson::Energy;
  EXPECT_EQ(count_gains(AsPublished, {.restitution = false, .friction = true}, 5000), 0);
  EXPECT_EQ(count_gains(AsPublished, {.restitution = true, .friction = false}, 5000), 0);
  EXPECT_GT(count_gains(AsPublished, {.restitution = true, .friction = true}, 5000), 0);
  EXPECT_EQ(count_gains(Bounded, {.restitution = true, .friction = true}, 5000), 0);
}

TEST(Poisson, PushesWithinItsConesAndTakesEnergyOnly) {
  base::Random random(11);
  ImpactWorkspace work;
  int failed = 0, resolved = 0;
  for (unsigned trial = 0; trial < 200; ++trial) {
    support::ImpactCases cases(trial);
    support::ImpactCase c = trial % 2 == 0 ? cases.next_free() : cases.next_squeezed();
    if (c.problem.contacts.size() > 15) continue;
    const double e = random.uniform();
    for (contact::ContactRow& row : c.problem.contacts) {
      row.restitution = trial % 3 == 0 ? random.uniform() : e;
      row.friction = trial % 4 == 0 ? 0 : random.uniform();
    }
    SCOPED_TRACE(trial);
    const ImpactResult result = support::expect_lawful(Poisson{.sides = 8}, c, work, 1e-12);
    ++resolved;
    failed += result.fallbacks.failed > 0 ? 1 : 0;
  }
  EXPECT_GT(resolved, 80);
  EXPECT_LE(failed, 2);
}

}  // namespace
}  // namespace carom::impact
