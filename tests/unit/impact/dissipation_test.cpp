// Friction after a normal response and its coupling back. Expected values: Coulomb's law in closed
// form, and what the rounds must never do.
#include "carom/impact/dissipation.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "carom/impact/laws/sequential.h"
#include "support/problems.h"

namespace carom::impact {
namespace {

using support::Bodies;
using support::ContactSpec;

// A rod of unit mass and length whose end meets the floor, as in Mirtich and Canny's figure 6.
Bodies make_rod(double angle, const Vec3& velocity) {
  Bodies rod = support::make_point_masses({1}, {0});
  rod.inertias[0] = 1.0 / 12 * Mat3::Identity();
  rod.state.bodies[0].x = 0.5 * Vec3(std::cos(angle), 0, std::sin(angle));
  rod.state.bodies[0].v = velocity;
  return rod;
}

Bodies random_bodies(base::Random& random, int count) {
  Bodies bodies;
  const auto vector = [&] {
    return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  for (int i = 0; i < count; ++i) {
    bodies.masses.push_back(std::pow(10, random.uniform(-2, 2)));
    bodies.inertias.push_back(bodies.masses.back() * random.uniform(0.1, 1) * Mat3::Identity());
    BodyState at;
    at.x = vector();
    at.v = vector();
    at.w = vector();
    bodies.state.bodies.push_back(at);
  }
  return bodies;
}

std::vector<ContactSpec> random_contacts(base::Random& random, int bodies, double friction) {
  std::vector<ContactSpec> contacts;
  const int count = 1 + static_cast<int>(random.next() % 8);
  for (int i = 0; i < count; ++i) {
    const int a = static_cast<int>(random.next() % static_cast<std::uint64_t>(bodies));
    const int b = static_cast<int>(random.next() % static_cast<std::uint64_t>(a + 1)) - 1;
    const Vec3 point(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Vec3 normal = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 1.2).normalized();
    contacts.push_back({a, b, point, normal, 0, friction});
  }
  return contacts;
}

double kinetic(const ImpactWorkspace& work) { return 0.5 * work.y.view().squaredNorm(); }

TEST(Friction, SlowsAPointMassByItsCone) {
  Bodies mass = support::make_point_masses({2}, {0});
  mass.inertias[0] = 1e12 * Mat3::Identity();
  mass.state.bodies[0].v = Vec3(3, 0, -1);
  const auto problem =
      support::make_problem(mass, {{0, -1, mass.state.bodies[0].x, Vec3::UnitZ(), 0, 0.4}});
  ImpactWorkspace work;
  contact::Impulses out;
  EXPECT_EQ(resolve(Sequential{}, problem, work, out).status, ImpactStatus::Resolved);
  State after = mass.state;
  contact::apply_impulses(problem, out, after);
  EXPECT_NEAR(after.bodies[0].v.x(), 3 - 0.4, 1e-12);
  EXPECT_NEAR(after.bodies[0].v.z(), 0, 1e-13);
}

// Friction on the end of a steep rod drives it into the floor again: one way leaves that, two ways
// do not.
TEST(Coupling, PushesApartWhatFrictionDrivesTogether) {
  const Bodies rod = make_rod(std::atan(2.0), Vec3(-1, 0, -1));
  const auto problem = support::make_problem(rod, {{0, -1, Vec3::Zero(), Vec3::UnitZ(), 0, 1.5}});
  ImpactWorkspace work;
  contact::Impulses out;
  const ImpactResult one_way =
      resolve(Sequential{.options = {.coupling = Coupling::OneWay}}, problem, work, out);
  EXPECT_GT(one_way.residual, 0.01);
  const ImpactResult two_way = resolve(Sequential{}, problem, work, out);
  EXPECT_LT(two_way.residual, 1e-12);
  State after = rod.state;
  contact::apply_impulses(problem, out, after);
  EXPECT_LT(support::kinetic_energy(rod, after), support::kinetic_energy(rod, rod.state));
}

// The argument for its end: no step gives energy back, cones only grow, and it does end.
TEST(Coupling, TakesEnergyInEveryRoundAndEnds) {
  base::Random random(23);
  for (int trial = 0; trial < 400; ++trial) {
    const int count = 1 + static_cast<int>(random.next() % 4);
    const Bodies bodies = random_bodies(random, count);
    const auto problem =
        support::make_problem(bodies, random_contacts(random, count, random.uniform(0, 2)));
    ImpactWorkspace work;
    contact::Impulses out;
    begin(problem, work, out);
    set_up(problem, problem.islands[0], {}, work);
    double energy = kinetic(work);
    for (int round = 0; greatest_approach(work) > 1e-11 && round < 100; ++round) {
      const VecX before = work.impulse.view();
      respond_inelastically(work);
      EXPECT_LE(kinetic(work), energy * (1 + 1e-13)) << trial;
      energy = kinetic(work);
      for (const std::int32_t row : work.normals)
        EXPECT_GE(work.impulse.view()[row], before[row]) << trial;
      add_friction(work);
      EXPECT_LE(kinetic(work), energy * (1 + 1e-13)) << trial;
      energy = kinetic(work);
    }
    set_up(problem, problem.islands[0], {}, work);
    finish(work);
    EXPECT_LT(greatest_approach(work), 1e-10) << trial;
  }
}

}  // namespace
}  // namespace carom::impact
