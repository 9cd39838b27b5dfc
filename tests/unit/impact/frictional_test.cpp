// Expected outcomes: exact collision matrices, planar impacts of falling rods solved piecewise
// (Routh), sorting of equal balls; momentum, energy, cones and feasibility for arbitrary crashes.
#include "carom/impact/laws/frictional.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "carom/base/random.h"
#include "support/problems.h"

namespace carom::impact {
namespace {

using support::Bodies;
using support::ContactSpec;
using support::make_cradle;
using support::make_point_masses;
using support::make_problem;

struct Outcome {
  ImpactResult result;
  contact::ContactProblem problem;
  contact::Impulses impulses;
  State after;

  Vec3 world_impulse(std::size_t i) const {
    return contact::world_impulse(problem.contacts[i], impulses.contacts[i]);
  }
};

Outcome collide(const Frictional& law, const Bodies& bodies,
                const std::vector<ContactSpec>& contacts) {
  Outcome outcome{{}, make_problem(bodies, contacts), {}, bodies.state};
  ImpactWorkspace work;
  outcome.result = resolve(law, outcome.problem, work, outcome.impulses);
  contact::apply_impulses(outcome.problem, outcome.impulses, outcome.after);
  return outcome;
}

// One body that a contact with the world touches at `lever` from its centre.
Bodies one_body(double mass, const Mat3& inertia, const Vec3& v, const Vec3& w) {
  Bodies body{{mass}, {inertia}, {}};
  BodyState at;
  at.v = v;
  at.w = w;
  body.state.bodies.push_back(at);
  return body;
}

// A thin rod of unit mass and length; what it weighs about its own axis does not matter, since no
// contact at its end turns it about that.
Mat3 rod_inertia() { return Mat3::Identity() / 12; }

Mat3 collision_matrix(const Bodies& body, const Vec3& lever) {
  const contact::ContactProblem problem = make_problem(body, {{0, -1, lever, Vec3::UnitZ()}});
  ImpactWorkspace work;
  contact::Impulses out;
  begin(problem, work, out);
  set_up(problem, problem.islands[0], {}, work);
  Mat3 axes, K;
  axes << problem.contacts[0].normal, problem.contacts[0].tangent1, problem.contacts[0].tangent2;
  for (int i = 0; i < 9; ++i) K(i / 3, i % 3) = work.island.rows().dot(i / 3, i % 3);
  return axes * K * axes.transpose();
}

void expect_vector(const Vec3& found, const Vec3& expected, double tolerance) {
  for (const int i : {0, 1, 2}) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

// Mirtich & Canny, eq. (5)-(6).
TEST(Frictional, SeesTheCollisionMatrixOfARod) {
  const Vec3 along = Vec3(2, 0, 1).normalized();
  const Mat3 M =
      collision_matrix(one_body(1, rod_inertia(), Vec3::Zero(), Vec3::Zero()), -along / 2);
  Mat3 expected;
  expected << 1.6, 0, -1.2, 0, 4, 0, -1.2, 0, 3.4;
  EXPECT_LT((M - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Frictional, SeesTheCollisionMatrixOfASphere) {
  const double m = 2, R = 0.5;
  const Bodies sphere = one_body(m, 0.4 * m * R * R * Mat3::Identity(), Vec3::Zero(), Vec3::Zero());
  const Mat3 M = collision_matrix(sphere, Vec3(0, 0, -R));
  const Mat3 expected = Vec3(1.75, 1.75, 0.5).asDiagonal();
  EXPECT_LT((M - expected).cwiseAbs().maxCoeff(), 1e-14);
}

// Rods in the x-z plane that arrive with their lower end; turning is positive from x to z.
TEST(Frictional, BouncesFallingRods) {
  const struct {
    double theta;
    Vec3 v;
    double turning, friction, restitution;
    Vec3 impulse, v_plus;
    double turning_plus;
  } cases[] = {
      {1.185179773783528,
       {0.5, 0, -3.2450547960985485},
       2.0,
       0.3,
       0.5,
       {0.8572466171086661, 0, 4.296116498090216},
       {1.3572466171086661, 0, 1.051061701991667},
       -2.9296252728282255},
      {1.369674722005189,
       {-1.0, 0, -3.163501045632281},
       1.0,
       0.2,
       0.7,
       {0.9651646962333125, 0, 5.5090081060821054},
       {-0.03483530376668752, 0, 2.3455070604498243},
       0.07110383814529582},
      {0.7853981633974483,
       {0.0, 0, -4.7427083482499715},
       0.0,
       0.9,
       0.3,
       {2.312070319771861, 0, 3.8534505329531017},
       {2.312070319771861, 0, -0.8892578152968695},
       -6.539522406763329},
      {0.7853981633974483,
       {2.0, 0, -4.7427083482499715},
       0.0,
       0.3,
       0.0,
       {0.04364837616666243, 0, 1.9232723649999859},
       {2.0436483761666624, 0, -2.8194359832499853},
       -7.974569211509703},
  };
  for (const auto& rod : cases) {
    const Vec3 along(std::cos(rod.theta), 0, std::sin(rod.theta));
    const Bodies body = one_body(1, rod_inertia(), rod.v, {0, -rod.turning, 0});
    const Outcome found =
        collide({}, body, {{0, -1, -along / 2, Vec3::UnitZ(), rod.restitution, rod.friction}});
    EXPECT_EQ(found.result.iterations, 1);
    expect_vector(found.world_impulse(0), rod.impulse, 1e-12);
    expect_vector(found.after.bodies[0].v, rod.v_plus, 1e-12);
    expect_vector(found.after.bodies[0].w, {0, -rod.turning_plus, 0}, 1e-11);
  }
}

TEST(Frictional, SortsEqualBallsThatTouch) {
  const std::vector<double> speeds = {3, -1, 4, 1, -5, 9, 2, -6};
  const Outcome found =
      collide({}, make_point_masses(std::vector<double>(8, 1), speeds), make_cradle(8));
  std::vector<double> sorted = speeds;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(found.result.iterations, 17);  // its inversions
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(found.after.bodies[i].v.x(), sorted[i], 1e-13);
}

// 4-2-1 at e = 0 passes ever smaller impulses; what they tend to is the common velocity 4/7.
TEST(Frictional, EndsInelasticCollapse) {
  const Bodies balls = make_point_masses({4, 2, 1}, {1, 0, 0});
  const Outcome propagated = collide({}, balls, make_cradle(3, 0));
  const Outcome cut = collide({.impulses_per_contact = 3}, balls, make_cradle(3, 0));
  EXPECT_EQ(cut.result.iterations, 6);
  for (const Outcome* found : {&propagated, &cut}) {
    EXPECT_EQ(found->result.status, ImpactStatus::Resolved);
    EXPECT_LE(found->result.residual, 1e-13);
    for (const BodyState& ball : found->after.bodies) EXPECT_NEAR(ball.v.x(), 4.0 / 7, 1e-12);
  }
}

// Round-off is all that is left of its speed: that is no further impact.
TEST(Frictional, StopsABallInOneImpact) {
  const Bodies ball = make_point_masses({0.17}, {-1.0 / 3});
  const Outcome found = collide({}, ball, {{0, -1, Vec3::Zero(), Vec3::UnitX(), 0, 0.2}});
  EXPECT_EQ(found.result.iterations, 1);
  EXPECT_NEAR(found.after.bodies[0].v.x(), 0, 1e-16);
}

TEST(Frictional, TakesEachContactsOwnCoefficients) {
  const Bodies balls = make_point_masses({1, 1}, {-1, 2});
  const Outcome found = collide({}, balls,
                                {{0, -1, Vec3(0, 0, 0), Vec3::UnitX(), 0.5, 0},
                                 {1, -1, Vec3(1, 0, 0), -Vec3::UnitX(), 0.25, 0}});
  EXPECT_NEAR(found.after.bodies[0].v.x(), 0.5, 1e-15);
  EXPECT_NEAR(found.after.bodies[1].v.x(), -0.5, 1e-15);
}

// §4.5 on a ramp of 20°: the impulse that reverses the velocity leans by tan 20° < μ.
TEST(Frictional, ReversesMicrocollisionsBelowTheirSpeed) {
  const Vec3 v(0.0494206300664, 0, -0.135782065163);
  const Bodies block = one_body(1, 1e9 * Mat3::Identity(), v, Vec3::Zero());
  const auto after = [&](double limit, double friction) {
    return collide({.microcollision_speed = limit}, block,
                   {{0, -1, Vec3(0, 0, -1), Vec3::UnitZ(), 0.5, friction}})
        .after.bodies[0]
        .v;
  };
  expect_vector(after(0.2, 0.5), -v, 1e-9);
  expect_vector(after(0.1, 0.5), {0, 0, -0.5 * v.z()}, 1e-9);
  EXPECT_GT(after(0.2, 0.3).x(), -0.5 * v.x());
}

TEST(Frictional, DoesNotCareWhichBodyIsFirst) {
  Bodies pair = make_point_masses({1, 2}, {1, -1});
  pair.state.bodies[0].w = Vec3(0.3, 2, -1);
  pair.state.bodies[1].v = Vec3(-1, 0.5, 0.2);
  const Vec3 point(0.4, 0.1, -0.2);
  const Outcome one = collide({}, pair, {{0, 1, point, -Vec3::UnitX(), 0.6, 0.4}});
  const Outcome other = collide({}, pair, {{1, 0, point, Vec3::UnitX(), 0.6, 0.4}});
  for (const std::size_t i : {0U, 1U}) {
    expect_vector(one.after.bodies[i].v, other.after.bodies[i].v, 1e-13);
    expect_vector(one.after.bodies[i].w, other.after.bodies[i].w, 1e-13);
  }
}

struct Crash {
  Bodies bodies;
  std::vector<ContactSpec> contacts;
};

Vec3 arbitrary_vector(base::Random& random, double size) {
  return size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

Crash arbitrary_crash(base::Random& random) {
  Crash crash;
  const int count = 1 + static_cast<int>(random.next() % 5);
  for (int i = 0; i < count; ++i) {
    const Bodies body =
        one_body(1, Mat3::Identity(), arbitrary_vector(random, 2), arbitrary_vector(random, 2));
    const double mass = std::pow(10, random.uniform(-2, 2));
    const Mat3 turn = math::quat_exp(arbitrary_vector(random, 3)).toRotationMatrix();
    const Vec3 moments(1, 1.5, random.uniform(0.6, 2.4));
    crash.bodies.masses.push_back(mass);
    crash.bodies.inertias.push_back(0.1 * mass * turn * moments.asDiagonal() * turn.transpose());
    crash.bodies.state.bodies.push_back(body.state.bodies[0]);
    crash.bodies.state.bodies.back().x = arbitrary_vector(random, 1);
  }
  const int contacts = 1 + static_cast<int>(random.next() % 8);
  for (int i = 0; i < contacts; ++i) {
    const int a = static_cast<int>(random.next() % static_cast<std::uint64_t>(count));
    const int b = static_cast<int>(random.next() % static_cast<std::uint64_t>(count + 1)) - 1;
    if (a == b) continue;
    const Vec3 up = (arbitrary_vector(random, 1) + Vec3(0, 0, 1.1)).normalized();
    crash.contacts.push_back({a, b, arbitrary_vector(random, 1), b > a ? Vec3(-up) : up,
                              random.uniform(), random.uniform(0, 2)});
  }
  return crash;
}

void expect_sound(const Crash& crash, const Outcome& found) {
  EXPECT_EQ(found.result.status, ImpactStatus::Resolved);
  const double before = support::kinetic_energy(crash.bodies, crash.bodies.state);
  EXPECT_LE(support::kinetic_energy(crash.bodies, found.after), before * (1 + 1e-12));
  for (std::size_t i = 0; i < crash.contacts.size(); ++i) {
    const Vec3& p = found.impulses.contacts[i];
    EXPECT_LE(std::hypot(p.y(), p.z()), crash.contacts[i].friction * p.x() * (1 + 1e-12) + 1e-15);
    EXPECT_GE(support::rate_of(found.problem.contacts[i], found.after).x(), -1e-11);
  }
}

class Kinds : public testing::TestWithParam<Restitution> {};

TEST_P(Kinds, NeitherGainEnergyNorApproachInArbitraryCrashes) {
  base::Random random(1);
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Crash crash = arbitrary_crash(random);
    if (crash.contacts.empty()) continue;
    expect_sound(crash, collide({.restitution = GetParam()}, crash.bodies, crash.contacts));
  }
}

// With hardly any propagation allowed nearly everything is left to the finish.
TEST_P(Kinds, AreSoundWhenRestitutionIsDropped) {
  base::Random random(2);
  for (int i = 0; i < 1000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Crash crash = arbitrary_crash(random);
    if (crash.contacts.empty()) continue;
    expect_sound(crash, collide({.restitution = GetParam(), .impulses_per_contact = 1},
                                crash.bodies, crash.contacts));
  }
}

INSTANTIATE_TEST_SUITE_P(Frictional, Kinds,
                         testing::Values(Restitution::Poisson, Restitution::Stronge));

// Without ties the order of the contacts in the problem says nothing.
TEST(Frictional, DoesNotCareInWhichOrderContactsAreListed) {
  base::Random random(3);
  for (int i = 0; i < 200; ++i) {
    Crash crash = arbitrary_crash(random);
    if (crash.contacts.empty()) continue;
    const Outcome forth = collide({}, crash.bodies, crash.contacts);
    std::reverse(crash.contacts.begin(), crash.contacts.end());
    const Outcome back = collide({}, crash.bodies, crash.contacts);
    if (forth.result.iterations > 100) continue;
    for (std::size_t k = 0; k < crash.bodies.masses.size(); ++k)
      expect_vector(forth.after.bodies[k].v, back.after.bodies[k].v, 1e-8);
  }
}

}  // namespace
}  // namespace carom::impact
