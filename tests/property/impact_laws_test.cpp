// What every impact law owes, on linkages of very light and very heavy bodies whose joints are not
// quite at rest before: energy does not grow, friction stays in its cone and normals push, joints
// are at rest afterwards, and what bodies give one another they take from one another.
#include <gtest/gtest.h>

#include "carom/impact/laws/table.h"
#include "reference/impact_check.h"
#include "support/random_impact.h"

namespace carom {
namespace {

using impact::Law;

constexpr double kRoundOff = 1e-9;  // of energy, speed or momentum

struct LinkageCrash {
  support::Bodies bodies;
  contact::ContactProblem problem;
};

// Two to six bodies, masses up to 1e6 apart, some of them in a chain of ball joints; up to five
// contacts among them and with the world, whose normals are no wedge.
LinkageCrash make_crash(std::uint64_t seed) {
  support::RandomImpact made(seed);
  support::RandomNumbers& random = made.random;
  const int count = 2 + random.below(5);
  for (int i = 0; i < count; ++i) {
    const double mass = std::pow(10, random.between(-3, 3));
    const Vec3 moments(1, random.between(0.6, 1.4), random.between(0.6, 1.4));
    made.add_body(mass, mass * random.between(0.01, 1) * moments.asDiagonal().toDenseMatrix(),
                  random.vector(1));
  }
  made.add_joints(random.below(count));
  for (BodyState& body : made.bodies.state.bodies) body.v += random.vector(1e-3);
  for (int left = 1 + random.below(5); left > 0; --left) {
    support::ContactSpec spec = made.somewhere(true);
    spec.normal = (random.vector(1) + Vec3(0, 0, 1.1)).normalized();
    if (spec.b > spec.a) spec.normal = -spec.normal;
    spec.restitution = random.one_in(2) ? random.between(0, 1) : random.below(2);
    spec.friction = random.one_in(4) ? 0 : random.between(0, 2);
    made.contacts.push_back({spec});
  }
  return {made.bodies, made.assemble()};
}

// Linear momentum that the bodies have gained beyond what the world's contacts gave, of the
// momentum that was exchanged.
double momentum_error(const LinkageCrash& crash, const contact::Impulses& impulses) {
  State after = crash.bodies.state;
  contact::apply_impulses(crash.problem, impulses, after);
  Vec3 gained = Vec3::Zero();
  double exchanged = 0;
  for (std::size_t i = 0; i < crash.bodies.masses.size(); ++i) {
    const Vec3 change =
        crash.bodies.masses[i] * (after.bodies[i].v - crash.bodies.state.bodies[i].v);
    gained += change;
    exchanged += change.norm();
  }
  for (std::size_t k = 0; k < impulses.contacts.size(); ++k) {
    const contact::ContactRow& row = crash.problem.contacts[k];
    const Vec3 impulse = contact::world_impulse(row, impulses.contacts[k]);
    if (row.a.block < 0) gained += impulse;
    if (row.b.block < 0) gained -= impulse;
    exchanged += impulse.norm();
  }
  return exchanged > 0 ? gained.norm() / exchanged : 0;
}

void expect_owed(const LinkageCrash& crash, const contact::Impulses& impulses) {
  const reference::LongContacts exact(crash.problem);
  const reference::LongVec before = reference::velocity_of(crash.bodies.state);
  const reference::LongVec after = reference::velocity_after(exact, impulses, before);
  const long double energy = exact.energy(before);
  EXPECT_LE(static_cast<double>(exact.energy(after) / energy), 1 + kRoundOff);
  for (const reference::LongRow& row : exact.joints) {
    const long double rate = row.dot(after) / (exact.length(row) * std::sqrt(2 * energy));
    EXPECT_LE(static_cast<double>(std::abs(rate)), kRoundOff);
  }
  double greatest = 0;
  for (const Vec3& impulse : impulses.contacts) greatest = std::max(greatest, impulse.norm());
  for (std::size_t k = 0; k < impulses.contacts.size(); ++k) {
    const Vec3& impulse = impulses.contacts[k];
    const double limit = crash.problem.contacts[k].friction * impulse.x();
    EXPECT_GE(impulse.x(), 0);
    EXPECT_LE(impulse.tail<2>().norm(), limit + kRoundOff * greatest);
  }
  EXPECT_LE(momentum_error(crash, impulses), kRoundOff);
}

TEST(ImpactLaws, GiveNoEnergyToLinkagesOfLightAndHeavyBodies) {
  impact::ImpactWorkspace work;
  contact::Impulses impulses;
  for (const impact::LawDescription& law : impact::laws()) {
    const Law made = law.make({});
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      const LinkageCrash crash = make_crash(seed);
      impact::resolve(made, crash.problem, work, impulses);
      SCOPED_TRACE(law.name + ", seed " + std::to_string(seed));
      expect_owed(crash, impulses);
    }
  }
}

}  // namespace
}  // namespace carom
