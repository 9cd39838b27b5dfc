// Expected velocities: sorting (Vouga §3), exact fractions of the pairwise exchange, the blend of
// §6.2.
#include "carom/impact/laws/sequential.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/collide.h"
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

Outcome collide(const Sequential& law, const Bodies& bodies,
                const std::vector<ContactSpec>& contacts) {
  return support::collide(law, bodies, contacts);
}

Outcome collide_cradle(const Sequential& law, const std::vector<double>& masses,
                       const std::vector<double>& speeds, double restitution = 1) {
  return support::collide_cradle(law, masses, speeds, restitution);
}

int count_inversions(const std::vector<double>& values) {
  int inversions = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) inversions += values[i] > values[j] ? 1 : 0;
  }
  return inversions;
}

class Orders : public testing::TestWithParam<Order> {};

// Equal balls exchange their speeds: every order sorts, and takes one iteration for each inversion.
TEST_P(Orders, SortEqualBalls) {
  const std::vector<std::vector<double>> inputs = {{1, 0, 0, 0, 0},
                                                   {5, 4, 3, 2, 1},
                                                   {3, 1, 2},
                                                   {2, 7, 1, 8, 2, 8},
                                                   {1, 1, 0, 0},
                                                   {0, 1, 0},
                                                   {3, -1, 4, 1, -5, 9, 2, -6}};
  const std::vector<int> iterations = {4, 10, 2, 4, 4, 1, 17};
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    std::vector<double> sorted = inputs[k];
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(count_inversions(inputs[k]), iterations[k]);
    const Outcome found =
        collide_cradle({.order = GetParam()}, std::vector<double>(sorted.size(), 1), inputs[k]);
    EXPECT_EQ(found.result.status, ImpactStatus::Resolved);
    EXPECT_EQ(found.result.iterations, iterations[k]);
    expect_speeds(found.after, sorted, 1e-12);
  }
}

TEST_P(Orders, AgreeWhereOnlyOneContactEverApproaches) {
  const Outcome found = collide_cradle({.order = GetParam()}, {1, 10, 1}, {1, 0, 0});
  expect_speeds(found.after, {-9.0 / 11, 18.0 / 121, 40.0 / 121}, 1e-12);
}

// However it is ordered, the inelastic response is the one projection.
TEST_P(Orders, AgreeWithoutRestitution) {
  const Outcome found = collide_cradle({.order = GetParam()}, {4, 2, 1}, {1, 0, 0}, 0);
  expect_speeds(found.after, {4.0 / 7, 4.0 / 7, 4.0 / 7}, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Sequential, Orders,
                         testing::Values(Order::Lexicographic, Order::Random, Order::Deepest));

TEST(Sequential, PassesUnequalMassesInTheOrderOfTheLine) {
  const struct {
    std::vector<double> masses, expected;
  } cases[] = {{{1, 1, 1}, {0, 0, 1}},
               {{1, 2, 3}, {-1.0 / 3, -2.0 / 15, 8.0 / 15}},
               {{3, 2, 1}, {1.0 / 5, 2.0 / 5, 8.0 / 5}},
               {{1, 3, 1}, {-1.0 / 2, 1.0 / 4, 3.0 / 4}},
               {{4, 2, 1}, {1.0 / 3, 4.0 / 9, 16.0 / 9}}};
  for (const auto& [masses, expected] : cases) {
    const Outcome found = collide_cradle({}, masses, {1, 0, 0});
    EXPECT_EQ(found.result.iterations, 2);
    expect_speeds(found.after, expected, 1e-12);
  }
}

TEST(Sequential, BlendsTheInelasticWithTheElasticResponse) {  // Vouga, §6.2
  for (const double c : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const Outcome found = collide_cradle({}, {1, 1, 1, 1, 1}, {1, 0, 0, 0, 0}, c);
    const double rest = (1 - c) / 5;
    expect_speeds(found.after, {rest, rest, rest, rest, rest + c}, 1e-12);
    EXPECT_NEAR(
        support::kinetic_energy(make_point_masses({1, 1, 1, 1, 1}, {1, 0, 0, 0, 0}), found.after),
        (1 + 4 * c * c) / 10, 1e-12);
  }
}

// The blends of the exact fractions of the elastic and the inelastic columns at c = 1/2.
TEST(Sequential, BlendsUnequalMasses) {
  expect_speeds(collide_cradle({}, {1, 2, 3}, {1, 0, 0}, 0.5).after,
                {-1.0 / 12, 1.0 / 60, 7.0 / 20}, 1e-12);
  expect_speeds(collide_cradle({}, {1, 10, 1}, {1, 0, 0}, 0.5).after,
                {-97.0 / 264, 337.0 / 2904, 601.0 / 2904}, 1e-12);
}

// Two masses fall side by side and touch: each leaves as Newton's law says of it alone.
TEST(Sequential, LetsContactsThatDoNotPushEachOtherBounceByTheirOwnCoefficients) {
  for (const auto& [first, second] :
       {std::pair{1.0, 0.0}, std::pair{0.0, 1.0}, std::pair{0.8, 0.3}, std::pair{0.25, 0.75}}) {
    const Bodies pair = make_point_masses({2, 5}, {-3, -3});
    const std::vector<ContactSpec> contacts = {{0, -1, Vec3::Zero(), Vec3::UnitX(), first},
                                               {1, -1, Vec3(1, 0, 0), Vec3::UnitX(), second},
                                               {0, 1, Vec3(0.5, 0, 0), Vec3::UnitY(), 0.5}};
    expect_speeds(collide({}, pair, contacts).after, {3 * first, 3 * second}, 1e-13);
  }
}

// q̇₀ = (1/3, 1/3, 1/3). Where both contacts are elastic the speed goes through to the last, and
// where the first one is not: (1/2, 1/2, 0) is exchanged to (1/2, 0, 1/2), which closes the first
// once more, (1/4, 1/4, 1/2). Half of each.
TEST(Sequential, BlendsLevelByLevelWhereCoefficientsDiffer) {
  std::vector<ContactSpec> contacts = support::make_cradle(3, 0.5);
  contacts[1].restitution = 1;
  const Outcome found = collide({}, make_point_masses({1, 1, 1}, {1, 0, 0}), contacts);
  expect_speeds(found.after, {1.0 / 8, 1.0 / 8, 3.0 / 4}, 1e-13);
}

TEST(Sequential, IsNewtonsLawForOneContact) { support::expect_newtons_law(Sequential{}); }

// Both balls of a Galilean cannon arrive with speed 1, the heavy one below: 0 and 2 after.
TEST(Sequential, FiresAGalileanCannon) {
  const Bodies balls = make_point_masses({3, 1}, {-1, -1});
  const Outcome found = collide(
      {}, balls, {{0, -1, Vec3::Zero(), Vec3::UnitX()}, {1, 0, Vec3(0.5, 0, 0), Vec3::UnitX()}});
  expect_speeds(found.after, {0, 2}, 1e-12);
}

// Vouga, figure 3: n1 maps the direction φ to -φ, n2 to 2θ - φ; counts by unfolding, away from
// ties.
TEST(Sequential, BouncesOutOfAWedgeInAsManyReflectionsAsItsAngleSays) {
  for (const double theta : {0.7, 0.3, 0.1, 0.05, 0.02}) {
    for (const double degrees : {-10.0, -45.0, -100.0, -135.0, -170.0, 45.0, 90.0, 135.0, 170.0}) {
      const double phi = degrees * M_PI / 180;
      Bodies ball = make_point_masses({1}, {0});
      ball.state.bodies[0].v = Vec3(std::cos(phi), std::sin(phi), 0);
      const Outcome found =
          collide({}, ball,
                  {{0, -1, Vec3::Zero(), Vec3::UnitY()},
                   {0, -1, Vec3::Zero(), Vec3(std::sin(theta), -std::cos(theta), 0)}});
      const int turns = static_cast<int>(std::ceil(std::abs(phi) / theta));
      EXPECT_EQ(found.result.iterations, phi < 0 ? turns : turns - 1) << theta << ' ' << degrees;
    }
  }
}

// A point mass that hits at 45° with e = 0: the normal impulse is 1, friction takes μ of it at
// most.
TEST(Sequential, LimitsFrictionByTheNormalImpulse) {
  for (const double mu : {0.0, 0.4, 2.0}) {
    Bodies mass = make_point_masses({1}, {0});
    mass.state.bodies[0].v = Vec3(-1, 1, 0);
    const Outcome found = collide({}, mass, {{0, -1, Vec3::Zero(), Vec3::UnitX(), 0, mu}});
    EXPECT_NEAR(found.after.bodies[0].v.x(), 0, 1e-14);
    EXPECT_NEAR(found.after.bodies[0].v.y(), std::max(0.0, 1 - mu), 1e-13);
  }
}

TEST(Sequential, RecomputesTheApproachThatIsLeft) {
  EXPECT_LE(collide_cradle({}, {1, 2, 3}, {3, 2, 1}, 0.5).result.residual, 1e-12);
  const Outcome capped = collide_cradle({.options = {.max_iterations = 1}}, {1, 1, 1}, {3, 2, 1});
  EXPECT_EQ(capped.result.status, ImpactStatus::IterationCap);
  const std::vector<double> left = support::speeds_along_x(capped.after);
  EXPECT_NEAR(capped.result.residual, std::max({0.0, left[0] - left[1], left[1] - left[2]}), 1e-12);
}

TEST(Sequential, DrawsTheSameRandomOrderForTheSameSeed) {
  const std::vector<double> masses = {1, 2, 3, 4}, speeds = {4, 3, 2, 1};
  const auto run = [&](std::uint64_t seed) {
    return support::speeds_along_x(
        collide_cradle({.order = Order::Random, .seed = seed}, masses, speeds).after);
  };
  EXPECT_EQ(run(1), run(1));
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 20; ++seed) differs |= run(seed) != run(1);
  EXPECT_TRUE(differs);
}

TEST(Sequential, LeavesSeparatingBallsAlone) {
  const Outcome found = collide_cradle({}, {1, 2, 3}, {1, 2, 3});
  EXPECT_EQ(support::speeds_along_x(found.after), (std::vector<double>{1, 2, 3}));
  for (const Vec3& impulse : found.impulses.contacts) EXPECT_EQ(impulse, Vec3::Zero());
}

}  // namespace
}  // namespace carom::impact
