// One island's impulses: the polygon beside the cone, Poisson's two phases in closed form.
#include "carom/resting/island_forces.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "support/problems.h"

namespace carom::resting {
namespace {

using support::Bodies;
using support::ContactSpec;

contact::Rates rates_of(const contact::ContactProblem& problem, std::vector<Vec3>& keep) {
  keep.clear();
  for (const contact::ContactRow& row : problem.contacts) keep.push_back(row.rate);
  return {keep, {}};
}

struct Answer {
  IslandForces forces;
  contact::Impulses impulses;
  State after;
};

// An inelastic response, or Poisson's where restitution is asked for.
Answer answer(const Bodies& bodies, const std::vector<ContactSpec>& contacts, bool poisson,
              const ForceOptions& options) {
  const contact::ContactProblem problem = support::make_problem(bodies, contacts);
  std::vector<Vec3> keep;
  std::vector<double> restitution;
  for (const ContactSpec& contact : contacts) restitution.push_back(contact.restitution);
  Answer found{{}, {std::vector<Vec3>(contacts.size(), Vec3::Zero()), {}}, bodies.state};
  IslandSolver solver;
  const contact::Rates rates = rates_of(problem, keep);
  found.forces =
      poisson
          ? solver.collide(problem, problem.islands[0], rates, restitution, options, found.impulses)
          : solver.solve(problem, problem.islands[0], rates, HUGE_VAL, options, found.impulses);
  contact::apply_impulses(problem, found.impulses, found.after);
  return found;
}

Bodies make_ball(const Vec3& velocity, double mass = 2, double radius = 0.5) {
  Bodies bodies;
  bodies.masses = {mass};
  bodies.inertias = {0.4 * mass * radius * radius * Mat3::Identity()};
  BodyState at;
  at.x = Vec3(0, 0, radius);
  at.v = velocity;
  bodies.state.bodies = {at};
  return bodies;
}
ContactSpec floor_below(double restitution, double friction) {
  return {.a = 0,
          .b = -1,
          .point = Vec3::Zero(),
          .normal = Vec3::UnitZ(),
          .restitution = restitution,
          .friction = friction};
}

const std::vector<ForceOptions> kBoth = {{.sides = 0}, {.sides = 16}};

TEST(IslandSolver, SeparatesABallAtRestitutionTimesItsApproach) {
  for (const ForceOptions& options : kBoth) {
    for (const double e : {0.0, 0.3, 1.0}) {
      const Answer found = answer(make_ball(Vec3(0, 0, -3)), {floor_below(e, 0.4)}, true, options);
      EXPECT_NEAR(found.after.bodies[0].v.z(), 3 * e, 1e-12) << e;
      EXPECT_NEAR(found.impulses.contacts[0].x(), 2 * 3 * (1 + e), 1e-12) << e;
    }
  }
}

// A ball that slides without spin: friction μ (1 + e) m v_n, or what makes it roll, 2/7 of m v_t.
TEST(IslandSolver, BoundsFrictionByBothPhasesTogether) {
  const double e = 0.5, down = 2, mass = 2, radius = 0.5;
  for (const ForceOptions& options : kBoth) {
    for (const double mu : {0.05, 0.2, 2.0}) {
      const Answer found =
          answer(make_ball(Vec3(0, 7, -down)), {floor_below(e, mu)}, true, options);
      const double friction = std::min(mu * (1 + e) * mass * down, 2.0 / 7 * mass * 7);
      EXPECT_NEAR(found.after.bodies[0].v.y(), 7 - friction / mass, 1e-10) << mu;
      EXPECT_NEAR(found.after.bodies[0].w.x(), -friction * radius / (0.4 * mass * radius * radius),
                  1e-9)
          << mu;
      EXPECT_NEAR(found.after.bodies[0].v.z(), e * down, 1e-10) << mu;
    }
  }
}

// Two balls, one at rest: e of the approach, momentum as before.
TEST(IslandSolver, KeepsMomentumInACollision) {
  for (const ForceOptions& options : kBoth) {
    const Bodies bodies = support::make_point_masses({3, 1}, {2, 0});
    const Answer found = answer(bodies,
                                {{.a = 0,
                                  .b = 1,
                                  .point = Vec3(0.5, 0, 0),
                                  .normal = -Vec3::UnitX(),
                                  .restitution = 0.6,
                                  .friction = 0.3}},
                                true, options);
    const double common = 6.0 / 4;  // 3·2 / (3 + 1); each leaves it at e of what it came with
    EXPECT_NEAR(found.after.bodies[0].v.x(), common - 0.6 * (2 - common), 1e-12);
    EXPECT_NEAR(found.after.bodies[1].v.x(), common + 0.6 * common, 1e-12);
  }
}

// Restitution is given back in full, and whatever it drives together is kept apart.
TEST(IslandSolver, LetsNoContactCloseAfterACollision) {
  base::Random random(8);
  const auto any = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  for (int trial = 0; trial < 100; ++trial) {
    Bodies bodies;
    for (int i = 0; i < 3; ++i) {
      bodies.masses.push_back(random.uniform(0.5, 2));
      bodies.inertias.push_back(random.uniform(0.1, 0.3) * Mat3::Identity());
      BodyState at;
      at.x = any();
      at.v = any();
      at.w = any();
      bodies.state.bodies.push_back(at);
    }
    std::vector<ContactSpec> contacts;
    for (int k = 0; k < 5; ++k) {
      contacts.push_back({.a = k % 3,
                          .b = k < 3 ? (k + 1) % 3 : -1,
                          .point = any(),
                          .normal = any().normalized(),
                          .restitution = random.uniform(),
                          .friction = random.uniform(0, 0.5)});
    }
    const contact::ContactProblem problem = support::make_problem(bodies, contacts);
    for (const ForceOptions& options : kBoth) {
      const Answer found = answer(bodies, contacts, true, options);
      for (const contact::ContactRow& row : problem.contacts) {
        EXPECT_GT(support::rate_of(row, found.after).x(), -1e-7) << trial << ' ' << options.sides;
      }
    }
  }
}

// A polygon inside the disc: friction weaker by 1 - cos(π/16) at most where one contact slides, so
// velocities differ by no more than that part of the friction impulse.
TEST(IslandSolver, AgreesWithinThePolygonsErrorWithTheCone) {
  const double error = 1 - std::cos(M_PI / 16);
  base::Random random(9);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 v(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-2, -0.1));
    const double mu = random.uniform(0, 1);
    const Answer cone = answer(make_ball(v), {floor_below(0, mu)}, false, kBoth[0]);
    const Answer polygon = answer(make_ball(v), {floor_below(0, mu)}, false, kBoth[1]);
    const Vec3 a = cone.impulses.contacts[0], b = polygon.impulses.contacts[0];
    EXPECT_NEAR(a.x(), b.x(), 1e-9) << trial;
    const double strong = a.tail<2>().norm(), weak = b.tail<2>().norm();
    EXPECT_LE(weak, strong * (1 + 1e-9)) << trial;
    EXPECT_GE(weak, strong * (1 - error) - 1e-9) << trial;
    const double turned = a.tail<2>().dot(b.tail<2>());
    EXPECT_GE(turned, strong * weak * std::cos(M_PI / 16) - 1e-9) << trial;
  }
}

// The corners of an edge, ahead of the centre by x and below it by z: friction 2 against their slip
// draws both in, 1/m + x²/I < 2 x z/I, but neither alone, which can turn about the other axes.
TEST(IslandSolver, FindsForcesWhereContactsJamOnlyTogether) {
  constexpr double x = 0.05, y = 0.1, z = 0.0866, inertia = 1e-5;
  ASSERT_LT(1 + x * x / inertia, 2 * x * z / inertia);
  ASSERT_GT(1 + (x * x + y * y) / inertia, 2 * x * z / inertia);
  Bodies bodies = make_ball(Vec3(0.1, 0, -0.01), 1, z);
  bodies.inertias = {inertia * Mat3::Identity()};
  std::vector<ContactSpec> corners(2, floor_below(0, 2));
  corners[0].point = Vec3(x, y, 0);
  corners[1].point = Vec3(x, -y, 0);
  const contact::ContactProblem problem = support::make_problem(bodies, corners);
  std::vector<Vec3> keep;
  Answer found{{}, {{Vec3::Zero(), Vec3::Zero()}, {}}, bodies.state};
  IslandSolver solver;
  found.forces =
      solver.solve(problem, problem.islands[0], rates_of(problem, keep), 1e-6, {}, found.impulses);
  contact::apply_impulses(problem, found.impulses, found.after);
  EXPECT_LT(found.forces.result.residual, 1e-9);
  EXPECT_LT(support::kinetic_energy(bodies, found.after),
            support::kinetic_energy(bodies, bodies.state));
  for (std::size_t k = 0; k < 2; ++k) {
    const Vec3& impulse = found.impulses.contacts[k];
    EXPECT_GE(support::rate_of(problem.contacts[k], found.after).x(), -1e-9);
    EXPECT_LE(impulse.tail<2>().norm(), 2 * impulse.x() * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace carom::resting
