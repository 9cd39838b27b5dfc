// Expected outcomes: exact fractions for rods, integrations by other code for curved trajectories,
// a first-order twin for random contacts, energy and cones for all.
#include "carom/impact/impulse_space/impulse_space.h"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/base/random.h"
#include "reference/impulse_stepping.h"
#include "unit/impact/frictional_references.h"

namespace carom::impact {
namespace {

// mM = 4 - 3 r̂ r̂ᵀ with the rod's centre up and to +x of the contact; axes z, x, y.
Mat3 rod_matrix(double tan_theta) {
  const Vec3 along = Vec3(tan_theta, 1, 0).normalized();
  return 4 * Mat3::Identity() - 3 * along * along.transpose();
}

Vec3 normal_first(const Vec3& xyz) { return {xyz.z(), xyz.x(), xyz.y()}; }

Mat3 normal_first(const Mat3& M) {
  Mat3 order;
  order << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  return order * M * order.transpose();
}

Collision make_collision(const RodImpact& rod, Restitution rule) {
  return {rod_matrix(rod.tan_theta), Vec3(-1, rod.u_x, 0), rod.friction, rod.restitution, rule};
}

double energy_change(const Collision& collision, const Vec3& p) {
  return p.dot(collision.u) + 0.5 * p.dot(collision.K * p);
}

double impact_energy(const Collision& collision) {
  return 0.5 * collision.u.dot(collision.K.ldlt().solve(collision.u));
}

void expect_vector(const Vec3& found, const Vec3& expected, double tolerance) {
  for (const int i : {0, 1, 2}) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

void expect_outcome(const Collision& collision, const RodOutcome& expected) {
  const CollisionResult found = pass_through(collision);
  EXPECT_EQ(found.status, CollisionStatus::Ended);
  expect_vector(found.impulse, {expected.p_z, expected.p_x, 0}, 1e-14);
  expect_vector(found.u_plus, {expected.u_z, expected.u_x, 0}, 1e-14);
  EXPECT_NEAR(energy_change(collision, found.impulse), expected.energy_change, 1e-14);
}

TEST(ImpulseSpace, PassesRodsExactlyByEveryRule) {
  for (const RodImpact& rod : rod_impacts()) {
    SCOPED_TRACE(rod.name);
    expect_outcome(make_collision(rod, Restitution::Poisson), rod.poisson);
    expect_outcome(make_collision(rod, Restitution::Newton), rod.newton);
    expect_outcome(make_collision(rod, Restitution::Stronge), rod.stronge);
  }
}

TEST(ImpulseSpace, TellsThePhasesOfRods) {
  for (const RodImpact& rod : rod_impacts()) {
    SCOPED_TRACE(rod.name);
    const CollisionResult found = pass_through(make_collision(rod, Restitution::Poisson));
    const auto end = found.phases.begin() + found.phase_count;
    EXPECT_EQ(std::vector<Phase>(found.phases.begin(), end), rod.phases);
    EXPECT_NEAR(found.compression_impulse, rod.compression_impulse, 1e-14);
  }
}

// The tangents of a contact may lie anywhere.
TEST(ImpulseSpace, PassesRodsWhoseTangentsAreTurned) {
  Mat3 turn = Mat3::Identity();
  const double angle = 0.7;
  turn.block<2, 2>(1, 1) << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  for (const RodImpact& rod : rod_impacts()) {
    SCOPED_TRACE(rod.name);
    Collision collision = make_collision(rod, Restitution::Poisson);
    collision.K = turn * collision.K * turn.transpose();
    collision.u = turn * collision.u;
    const CollisionResult found = pass_through(collision);
    expect_vector(turn.transpose() * found.impulse, {rod.poisson.p_z, rod.poisson.p_x, 0}, 1e-13);
    EXPECT_LE(found.steps, 3);
  }
}

TEST(ImpulseSpace, GainsEnergyByNewtonsRuleWhereSlipReverses) {
  const RodImpact& rod = rod_impacts().back();
  ASSERT_STREQ(rod.name, "I");
  const auto change = [&](Restitution rule) {
    const Collision collision = make_collision(rod, rule);
    return energy_change(collision, pass_through(collision).impulse);
  };
  EXPECT_GT(change(Restitution::Newton), 0.0137);
  EXPECT_LT(change(Restitution::Poisson), -0.0431);
  EXPECT_LT(change(Restitution::Stronge), -0.0307);
}

TEST(ImpulseSpace, FollowsTheTrajectoriesOfFigure5) {
  for (const Trajectory& start : figure_5()) {
    SCOPED_TRACE(testing::Message() << start.u_x << ' ' << start.u_y);
    const Collision collision{rod_matrix(0.5), Vec3(-1, start.u_x, start.u_y), 0.55, 0.5};
    const CollisionResult found = pass_through(collision);
    EXPECT_EQ(found.status, CollisionStatus::Ended);
    expect_vector(found.impulse, normal_first(start.p), 1e-11);
    expect_vector(found.u_plus, normal_first(start.u_plus), 1e-11);
    EXPECT_NEAR(found.compression_impulse, start.compression_impulse, 1e-11);
  }
}

TEST(ImpulseSpace, PassesCornersOfABox) {
  for (const BoxImpact& box : box_impacts()) {
    SCOPED_TRACE(box.friction);
    const Collision collision{normal_first(box_collision_matrix()), normal_first(box.u),
                              box.friction, box.restitution};
    const CollisionResult found = pass_through(collision);
    expect_vector(found.impulse, normal_first(box.p), 1e-11);
    expect_vector(found.u_plus, normal_first(box.u_plus), 1e-11);
    EXPECT_NEAR(energy_change(collision, found.impulse), box.energy_change, 1e-11);
  }
}

// A sphere's collision matrix has equal tangents and no coupling: it slides straight, and stops
// once friction has taken 2/7 of what its slip would need without rolling.
TEST(ImpulseSpace, PassesSpheresInClosedForm) {
  const double m = 2;
  Mat3 K = Vec3(1, 3.5, 3.5).asDiagonal();
  K /= m;
  const CollisionResult sliding = pass_through({K, Vec3(-1, 3, 4), 0.1, 0.5});
  expect_vector(sliding.impulse, m * 1.5 * Vec3(1, -0.1 * 0.6, -0.1 * 0.8), 1e-15);
  EXPECT_EQ(sliding.steps, 2);
  const CollisionResult stopping = pass_through({K, Vec3(-1, 0.3, 0.4), 0.5, 0.5});
  expect_vector(stopping.u_plus, {0.5, 0, 0}, 1e-15);
  expect_vector(stopping.impulse, m * Vec3(1.5, -0.3 / 3.5, -0.4 / 3.5), 1e-15);
}

// Painlevé's rod, tan θ = 2, sliding at -1 m/s with u_n = 0, μ = 1.5, e = 0: p = (2/5, 3/10).
TEST(ImpulseSpace, AnswersAnImpactWithoutCollision) {
  const Collision collision{rod_matrix(2), Vec3(0, -1, 0), 1.5, 0};
  const CollisionResult found = pass_through(collision);
  expect_vector(found.impulse, {0.3, 0.4, 0}, 1e-15);
  expect_vector(found.u_plus, Vec3::Zero(), 1e-15);
  EXPECT_NEAR(energy_change(collision, found.impulse), -0.2, 1e-15);
  const CollisionResult other_way = pass_through({rod_matrix(2), Vec3(0, 1, 0), 1.5, 0});
  EXPECT_EQ(other_way.impulse, Vec3::Zero());
}

// Of that rod, sliding needs u_n to fall first: to -2/39 after p_n = 10/39.
TEST(ImpulseSpace, LetsFrictionDriveTheContactInUntilItStops) {
  CollisionPath path;
  pass_through({rod_matrix(2), Vec3(0, -1, 0), 1.5, 0}, &path);
  ASSERT_EQ(path.size(), 3U);
  expect_vector(path[1], {-2.0 / 39, 0, 0}, 1e-15);
}

TEST(ImpulseSpace, LeavesWhatSeparatesAlone) {
  const CollisionResult found = pass_through({rod_matrix(2), Vec3(0.1, -1, 0), 1.5, 1});
  EXPECT_EQ(found.impulse, Vec3::Zero());
  EXPECT_EQ(found.u_plus, Vec3(0.1, -1, 0));
}

// Eq. (10) for a rod: 3t / (1 + 4t²) <= μ, at most 3/4 at t = 1/2.
TEST(ImpulseSpace, SticksAsSoonAsFrictionCanHold) {
  for (const double t : {0.1, 0.5, 1.0, 2.0, 7.0}) {
    const double needed = 3 * t / (1 + 4 * t * t);
    EXPECT_LE(needed, 0.75);
    EXPECT_TRUE(SlidingContact(rod_matrix(t), needed + 1e-12).sticks());
    EXPECT_FALSE(SlidingContact(rod_matrix(t), needed - 1e-12).sticks());
  }
}

Collision arbitrary_collision(base::Random& random, Restitution rule, double spread = 1) {
  Mat3 B;
  for (double& b : B.reshaped()) {
    b = random.uniform(-1, 1) * std::pow(10, random.uniform(-spread, 0));
  }
  const Vec3 u(random.uniform(-1, 0), random.uniform(-1, 1), random.uniform(-1, 1));
  const double speed = std::pow(10, random.uniform(-2, 2));
  return {B * B.transpose() + 1e-4 * Mat3::Identity(), speed * u, random.uniform(0, 3),
          random.uniform(), rule};
}

// The conjecture of Mirtich and Canny, §4.4, by looking in all directions.
TEST(ImpulseSpace, DepartsInTheOnlyDirectionThatLeavesRest) {
  base::Random random(1);
  constexpr int kDirections = 3600;
  int departing = 0;
  for (int i = 0; i < 500; ++i) {
    const Collision collision = arbitrary_collision(random, Restitution::Poisson);
    const SlidingContact contact(collision.K, collision.friction / 3);
    const auto at = [](int k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5) / kDirections;
      return Direction{std::cos(angle), std::sin(angle)};
    };
    int leaving = 0;
    for (int k = 0; k < kDirections; ++k) {
      const bool root = (contact.turning(at(k)) > 0) != (contact.turning(at(k + 1)) > 0);
      leaving += root && contact.speeding(at(k)) > 0 && contact.speeding(at(k + 1)) > 0 ? 1 : 0;
    }
    if (contact.sticks()) {
      EXPECT_EQ(leaving, 0) << i;
      continue;
    }
    ++departing;
    const Ray ray = contact.departure();
    EXPECT_NEAR(contact.turning(ray.direction), 0, 1e-14 * contact.scale());
    EXPECT_NEAR(contact.speeding(ray.direction), ray.speeding, 1e-14 * contact.scale());
    EXPECT_GT(ray.speeding, 0);
    EXPECT_LE(leaving, 1) << i;
    EXPECT_GE(leaving, ray.speeding > 0.01 * contact.scale() ? 1 : 0) << i;
  }
  EXPECT_GT(departing, 100);
}

class Rules : public testing::TestWithParam<Restitution> {};

TEST_P(Rules, NeverGainEnergyNorLeaveTheConeNorApproach) {
  base::Random random(2);
  for (int i = 0; i < 20'000; ++i) {
    const Collision collision = arbitrary_collision(random, GetParam(), i % 2 == 0 ? 0 : 3);
    const CollisionResult found = pass_through(collision);
    const Vec3& p = found.impulse;
    ASSERT_EQ(found.status, CollisionStatus::Ended) << i;
    ASSERT_LE(energy_change(collision, p), 1e-13 * impact_energy(collision)) << i;
    ASSERT_LE(std::hypot(p.y(), p.z()), collision.friction * p.x() * (1 + 1e-13)) << i;
    ASSERT_GE(found.u_plus.x(), -1e-13 * collision.u.norm()) << i;
  }
}

// The twin is of first order: four times the steps, a quarter of the error.
TEST_P(Rules, AreTheLimitOfSmallStepsOfTheNormalImpulse) {
  base::Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Collision collision = arbitrary_collision(random, GetParam(), 0);
    const Vec3 found = pass_through(collision).impulse;
    const auto error = [&](int steps) {
      return (reference::step_through(collision, found.x() / steps, 2 * steps) - found).norm() /
             found.norm();
    };
    const double fine = error(8000);
    EXPECT_LE(fine, 1e-2) << i;
    EXPECT_LE(fine, std::max(0.3 * error(2000), 1e-3)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(ImpulseSpace, Rules,
                         testing::Values(Restitution::Poisson, Restitution::Stronge));

TEST(ImpulseSpace, EndsPoissonsWayAtOnePlusEOfTheCompression) {
  base::Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const Collision collision = arbitrary_collision(random, Restitution::Poisson);
    const CollisionResult found = pass_through(collision);
    EXPECT_NEAR(found.impulse.x(), (1 + collision.restitution) * found.compression_impulse,
                1e-14 * found.impulse.x());
  }
}

// K = RRᵀ of rank 1 to 3, as joints leave it, with the energy of the bodies themselves.
TEST(ImpulseSpace, NeitherGainsEnergyNorApproachesWhereJointsLeaveLittleFreedom) {
  base::Random random(6);
  for (int i = 0; i < 20'000; ++i) {
    MatX R(3, 1 + static_cast<math::Index>(random.next() % 3));
    for (double& r : R.reshaped()) r = random.uniform(-1, 1) * std::pow(10, random.uniform(-2, 0));
    VecX y(R.cols());
    for (double& each : y.reshaped()) each = random.uniform(-1, 1);
    if (R.row(0).dot(y) > 0) y = -y;
    const Collision collision{R * R.transpose(), R * y, random.uniform(0, 3), random.uniform(),
                              i % 2 == 0 ? Restitution::Poisson : Restitution::Stronge};
    const CollisionResult found = pass_through(collision);
    const VecX after = y + R.transpose() * found.impulse;
    ASSERT_EQ(found.status, CollisionStatus::Ended) << i;
    ASSERT_LE(after.squaredNorm(), y.squaredNorm() * (1 + 1e-11)) << i;
    ASSERT_GE(R.row(0).dot(after), -1e-11 * R.row(0).norm() * y.norm()) << i;
  }
}

// A bead on a wire gives way along one direction only.
TEST(ImpulseSpace, PassesContactsThatJointsLeaveOneDirection) {
  const Vec3 wire(0.6, 0.8, 0);
  const Mat3 K = wire * wire.transpose();
  const CollisionResult smooth = pass_through({K, -wire, 0, 0.5});
  expect_vector(smooth.u_plus, 0.5 * wire, 1e-15);
  const CollisionResult rough = pass_through({K, -wire, 0.5, 0.5});
  EXPECT_EQ(rough.status, CollisionStatus::Ended);
  EXPECT_GE(rough.u_plus.x(), 0);
  EXPECT_LT(rough.u_plus.norm(), 0.5);
}

// Driven in along a direction in which the wire cannot give way while friction holds it.
TEST(ImpulseSpace, SaysWhenFrictionHoldsAContactThatStillApproaches) {
  const Vec3 wire(0.6, 0.8, 0);
  const CollisionResult found = pass_through({wire * wire.transpose(), Vec3(-1, 0, 0), 5, 0.5});
  EXPECT_EQ(found.status, CollisionStatus::Jammed);
}

TEST(ImpulseSpace, ReversesAMicrocollisionWithoutWork) {
  base::Random random(5);
  int reversed = 0;
  for (int i = 0; i < 1000; ++i) {
    const Collision collision = arbitrary_collision(random, Restitution::Poisson);
    const Vec3 needed = -2 * collision.K.ldlt().solve(collision.u);
    const bool within = std::hypot(needed.y(), needed.z()) <= collision.friction * needed.x();
    const auto found = find_reversal(collision.K, collision.u, collision.friction);
    ASSERT_EQ(found.has_value(), within) << i;
    if (!found) continue;
    ++reversed;
    expect_vector(collision.K * *found, -2 * collision.u, 1e-11 * collision.u.norm());
    EXPECT_NEAR(energy_change(collision, *found), 0, 1e-11 * impact_energy(collision));
  }
  EXPECT_GT(reversed, 100);
}

}  // namespace
}  // namespace carom::impact
