// Vouga et al. by closed forms, each law on the contact problem itself: cradles that sort, the
// wedge by unfolding, its certificates of convergence, and the tolerance of algorithm 3.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/impact/laws/reflections.h"
#include "carom/impact/laws/sequential.h"
#include "support/problems.h"

namespace carom::impact {
namespace {

using support::Bodies;
using support::ContactSpec;

struct Outcome {
  ImpactResult result;
  State after;
};

template <typename Law>
Outcome collide(const Law& law, const Bodies& bodies, const std::vector<ContactSpec>& contacts) {
  const contact::ContactProblem problem = support::make_problem(bodies, contacts);
  ImpactWorkspace work;
  contact::Impulses impulses;
  Outcome outcome{resolve(law, problem, work, impulses), bodies.state};
  contact::apply_impulses(problem, impulses, outcome.after);
  return outcome;
}

// §3: the velocities 1 (k times), 0 (n - k times) sorted; k (n - k) swaps one by one, n - 1 rounds
// of swaps that do not touch each other.
template <typename Law>
void expect_cradle(const Law& law, int balls, int in, int iterations) {
  const auto count = static_cast<std::size_t>(balls);
  std::vector<double> speeds(count, 0);
  std::fill_n(speeds.begin(), in, 1.0);
  const Outcome outcome =
      collide(law, support::make_point_masses(std::vector<double>(count, 1), speeds),
              support::make_cradle(count));
  EXPECT_EQ(outcome.result.status, ImpactStatus::Resolved);
  EXPECT_EQ(outcome.result.iterations, iterations) << balls << " balls, " << in << " in";
  double energy = 0;
  for (int i = 0; i < balls; ++i) {
    const Vec3& v = outcome.after.bodies[static_cast<std::size_t>(i)].v;
    EXPECT_NEAR(v.x(), i < balls - in ? 0 : 1, 1e-12) << balls << " balls, " << in << " in, " << i;
    energy += v.squaredNorm();
  }
  EXPECT_NEAR(energy, in, 1e-12 * in);
}

TEST(TouchingCradle, LetsAsManyBallsOutAsCameIn) {
  for (int balls = 2; balls <= 20; ++balls) {
    for (int in = 1; in < balls; ++in) {
      for (const Order order : {Order::Lexicographic, Order::Random, Order::Deepest})
        expect_cradle(Sequential{.order = order}, balls, in, in * (balls - in));
      expect_cradle(Reflections{}, balls, in, balls - 1);
    }
  }
}

// Figure 3: normals (0, 1) and (sin θ, -cos θ), a ball at the angle φ.
std::vector<ContactSpec> make_wedge(double theta) {
  ContactSpec floor, ceiling;
  floor.a = ceiling.a = 0;
  floor.normal = Vec3::UnitY();
  ceiling.normal = Vec3(std::sin(theta), -std::cos(theta), 0);
  return {floor, ceiling};
}

template <typename Law>
Outcome enter_wedge(const Law& law, double theta, double phi) {
  Bodies ball = support::make_point_masses({1}, {0});
  ball.state.bodies[0].v = Vec3(std::cos(phi), std::sin(phi), 0);
  return collide(law, ball, make_wedge(theta));
}

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// One reflection for each multiple of θ that the unfolded path crosses.
int reflections_in_wedge(double theta, double phi) {
  const int crossed = static_cast<int>(std::ceil(std::abs(phi) / theta * (1 - 1e-13)));
  return phi < 0 ? crossed : crossed - 1;
}

TEST(Wedge, TakesAsManyReflectionsAsUnfoldingSays) {
  for (const double theta :
       {radians(90), radians(60), radians(45), radians(36), radians(22.5), radians(18),
        radians(11.25), 0.7, 0.3, 0.1, 0.05, 0.02, radians(1), radians(0.1), radians(0.01)}) {
    for (const double degrees : {-10, -45, -90, -100, -135, -170, 45, 90, 135, 170}) {
      const double phi = radians(degrees);
      const Sequential law{.options = {.epsilon = 1e-11}};  // some paths end on a side
      const Outcome outcome = enter_wedge(law, theta, phi);
      EXPECT_EQ(outcome.result.status, ImpactStatus::Resolved);
      EXPECT_EQ(outcome.result.iterations, reflections_in_wedge(theta, phi))
          << theta << " rad, " << degrees << " degrees";
      const double folded = std::abs(std::remainder(phi, 2 * theta));
      const Vec3 expected(std::cos(folded), std::sin(folded), 0);
      EXPECT_LE((outcome.after.bodies[0].v - expected).norm(), 1e-10) << theta << " " << degrees;
    }
  }
}

TEST(Wedge, SendsReflectionsStraightBackAlongItsBisector) {
  for (const double theta : {1.5, 1.0, 0.5, 0.1, 0.01}) {
    const Outcome outcome = enter_wedge(Reflections{}, theta, theta / 2 - std::numbers::pi);
    EXPECT_EQ(outcome.result.iterations, 1);
    const Vec3 expected(std::cos(theta / 2), std::sin(theta / 2), 0);
    EXPECT_LE((outcome.after.bodies[0].v - expected).norm(), 1e-12);
  }
}

// Lemma 5.1: the velocity's component along any feasible velocity grows with every application.
TEST(Wedge, CertificatesGrowWithEveryReflection) {
  const double theta = 0.1, phi = radians(-135);
  for (const double part : {1.0 / 3, 2.0 / 3}) {
    const Vec3 feasible(std::cos(part * theta), std::sin(part * theta), 0);
    double last = -1;
    double path = phi;
    for (int applications = 1; applications <= 24; ++applications) {
      path = path < 0 ? -path : 2 * theta - path;
      Sequential law;
      law.options.max_iterations = applications;
      const double now = feasible.dot(enter_wedge(law, theta, phi).after.bodies[0].v);
      EXPECT_NEAR(now, std::cos(path - part * theta), 1e-12) << applications;
      EXPECT_GT(now, last) << applications;
      last = now;
    }
  }
}

// Algorithm 3: what approaches more slowly than ε of the speed counts as tangent. Counts and
// velocities by hand from φ ∈ [-asin ε, θ + asin ε].
TEST(Wedge, HonoursTheTolerance) {
  struct Case {
    double theta, phi, epsilon;
    int iterations;
    double vx, vy;
  };
  const double quarter = std::numbers::pi / 4;
  for (const Case& c :
       {Case{quarter, -1e-12, 1e-10, 0, 1, -1e-12}, Case{quarter, -1e-12, 0, 1, 1, 1e-12},
        Case{quarter / 2, -3 * quarter, 1e-10, 6, 1, 0},
        Case{0.1, 0.30000000001, 1e-10, 2, 0.9950041652770274, 0.0998334166567782},
        Case{0.1, 0.30000000001, 0, 3, 0.9950041652790241, 0.09983341663687811},
        Case{0.01, -2 * quarter, 1e-3, 157, 0.9999417202299663, 0.010796117058267446},
        Case{0.01, -2 * quarter, 0, 158, 0.9999576464987401, 0.009203543268808265}}) {
    const Sequential law{.options = {.epsilon = c.epsilon, .coupling = Coupling::OneWay}};
    const Outcome outcome = enter_wedge(law, c.theta, c.phi);
    EXPECT_EQ(outcome.result.iterations, c.iterations) << c.theta << " " << c.phi;
    EXPECT_LE((outcome.after.bodies[0].v - Vec3(c.vx, c.vy, 0)).norm(), 1e-12) << c.theta;
    EXPECT_NEAR(outcome.after.bodies[0].v.norm(), 1, 1e-14);
  }
}

// §4: dependent and redundant, but not opposed.
TEST(Lineality, IsNotSeenWhereNormalsAreOnlyDependent) {
  Bodies ball = support::make_point_masses({1}, {0});
  ball.state.bodies[0].v = Vec3(0.2, -1, 0);
  std::vector<ContactSpec> contacts(3);
  for (ContactSpec& contact : contacts) contact.a = 0;
  contacts[0].normal = Vec3(1, 1, 0).normalized();
  contacts[1].normal = Vec3(-1, 1, 0).normalized();
  contacts[2].normal = Vec3::UnitY();
  EXPECT_EQ(collide(Reflections{}, ball, contacts).result.lineality, 0);
  EXPECT_EQ(collide(Sequential{}, ball, contacts).result.lineality, 0);
}

// Two bodies and a wall as a wedge of angle atan √(m/M): ratios of 100^k count digits of π.
TEST(Cradle, OfVeryUnequalBallsAndAWallCountsPi) {
  const std::vector<int> digits = {3, 31, 314, 3141, 31415};
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const double heavy = std::pow(100, static_cast<double>(k));
    const Bodies balls = support::make_point_masses({heavy, 1}, {1, 0});
    std::vector<ContactSpec> contacts = support::make_cradle(2);
    ContactSpec wall;
    wall.a = 1;
    wall.point = balls.state.bodies[1].x;
    wall.normal = -Vec3::UnitX();
    contacts.push_back(wall);
    const Outcome outcome = collide(Sequential{}, balls, contacts);
    EXPECT_EQ(outcome.result.status, ImpactStatus::Resolved);
    EXPECT_EQ(outcome.result.iterations, digits[k]) << "mass ratio " << heavy;
    EXPECT_NEAR(support::kinetic_energy(balls, outcome.after) / (heavy / 2), 1, 1e-12);
  }
}

}  // namespace
}  // namespace carom::impact
