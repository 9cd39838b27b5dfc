// Expected sets: which positive combinations of the normals vanish, by hand, by trying all subsets
// in whole numbers (reference/lineality.h) and by planting them. Expected velocities: Vouga et al.,
// figure 2.
#include "carom/impact/implicit_equalities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/impact/laws/table.h"
#include "support/collide.h"
#include "support/impact_cases.h"

namespace carom::impact {
namespace {

using support::Bodies;
using support::collide;
using support::ContactSpec;
using support::ImpactCase;
using support::ImpactCases;
using support::Outcome;
using Members = std::vector<std::size_t>;

struct Held {
  Members listed;  // the contacts that were found
  Members stuck;   // the contacts that nothing can open any more: those, and others in their span
  int dimension = 0;
};

Held hold(const contact::ContactProblem& problem, Lineality by) {
  ImpactWorkspace work;
  contact::Impulses out;
  begin(problem, work, out);
  set_up(problem, problem.islands.front(), {}, work);
  Held held;
  held.dimension = hold_implicit_equalities(problem, problem.islands.front(), by, work);
  held.listed.assign(work.implicit_equalities.begin(), work.implicit_equalities.end());
  std::sort(held.listed.begin(), held.listed.end());
  for (const std::int32_t row : work.normals) {
    if (work.island.rows().squared_norm(row) == 0)
      held.stuck.push_back(static_cast<std::size_t>(row / 3));
  }
  return held;
}

void expect_found(const contact::ContactProblem& problem, const Members& expected, int dimension) {
  const Held shaved = hold(problem, Lineality::Shave);
  EXPECT_EQ(shaved.listed, expected);
  EXPECT_EQ(shaved.stuck, expected);
  EXPECT_EQ(shaved.dimension, dimension);
  const Held fast = hold(problem, Lineality::Fast);
  EXPECT_EQ(fast.stuck, expected);
  EXPECT_EQ(fast.dimension, dimension);
  EXPECT_TRUE(hold(problem, Lineality::Off).listed.empty());
}

Bodies make_balls(const std::vector<Vec3>& centres) {
  const std::size_t count = centres.size();
  Bodies balls =
      support::make_point_masses(std::vector<double>(count, 1), std::vector<double>(count, 0));
  for (std::size_t i = 0; i < count; ++i) balls.state.bodies[i].x = centres[i];
  return balls;
}

ContactSpec at_wall(const Bodies& balls, int ball, const Vec3& normal) {
  return {ball, -1, balls.state.bodies[static_cast<std::size_t>(ball)].x - normal, normal};
}

ContactSpec between(const Bodies& balls, int a, int b) {
  const Vec3& x_a = balls.state.bodies[static_cast<std::size_t>(a)].x;
  const Vec3& x_b = balls.state.bodies[static_cast<std::size_t>(b)].x;
  return {a, b, 0.5 * (x_a + x_b), (x_a - x_b).normalized()};
}

const Vec3 kX = Vec3::UnitX(), kY = Vec3::UnitY();

// Figure 2, left, on a floor: n_1 + n_2 = 0, and nothing opposes the floor.
TEST(ImplicitEqualities, AreTheWallsOfABallAndNotItsFloor) {
  const Bodies ball = make_balls({Vec3::Zero()});
  expect_found(
      make_problem(ball, {at_wall(ball, 0, kX), at_wall(ball, 0, kY), at_wall(ball, 0, -kX)}),
      {0, 2}, 1);
}

// Both sides of a groove open upwards; a lid leaves no way out, n_1 + n_2 + √2 n_3 = 0.
TEST(ImplicitEqualities, AreTheSidesOfAWedgeUnderALid) {
  const Bodies ball = make_balls({Vec3::Zero()});
  const ContactSpec left = at_wall(ball, 0, Vec3(1, 1, 0).normalized());
  const ContactSpec right = at_wall(ball, 0, Vec3(-1, 1, 0).normalized());
  expect_found(make_problem(ball, {left, right}), {}, 0);
  expect_found(make_problem(ball, {left, right, at_wall(ball, 0, -kY)}), {0, 1, 2}, 2);
}

// A row that fills a box from side to side: its four normals sum to zero. Each ball stands on the
// floor and may rise, but for the middle one, which has a lid.
TEST(ImplicitEqualities, AreThoseOfThreeBallsInABox) {
  const Bodies balls = make_balls({-2 * kX, Vec3::Zero(), 2 * kX});
  std::vector<ContactSpec> contacts = {
      at_wall(balls, 0, kX), between(balls, 0, 1),  between(balls, 1, 2), at_wall(balls, 2, -kX),
      at_wall(balls, 0, kY), at_wall(balls, 1, kY), at_wall(balls, 2, kY)};
  expect_found(make_problem(balls, contacts), {0, 1, 2, 3}, 3);
  contacts.push_back(at_wall(balls, 1, -kY));
  expect_found(make_problem(balls, contacts), {0, 1, 2, 3, 5, 7}, 4);
  contacts[3] = at_wall(balls, 1, -kX);  // now the right ball may leave, and the left two may not
  expect_found(make_problem(balls, contacts), {0, 1, 3, 5, 7}, 3);
}

// Figure 2, right: the striking ball can always go back where it came from.
TEST(ImplicitEqualities, LeaveOutTheBallThatStrikes) {
  const Bodies balls = make_balls({Vec3(0.9, 1.2, 0), Vec3::Zero()});
  expect_found(
      make_problem(balls, {between(balls, 0, 1), at_wall(balls, 1, kX), at_wall(balls, 1, -kX)}),
      {1, 2}, 1);
}

// Walls that face each other but for round-off.
TEST(ImplicitEqualities, AreWallsThatFaceEachOtherInAnyDirection) {
  const Bodies ball = make_balls({Vec3::Zero()});
  const auto facing = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 0); };
  for (int i = 0; i < 24; ++i) {
    const double angle = i * std::numbers::pi / 12;
    expect_found(make_problem(ball, {at_wall(ball, 0, facing(angle)),
                                     at_wall(ball, 0, facing(angle + std::numbers::pi))}),
                 {0, 1}, 1);
  }
}

// Two balls, and contacts through their centres with normals in small whole numbers.
struct Whole {
  std::vector<ContactSpec> contacts;
  reference::WholeMatrix gradients;
};

Whole make_whole(support::RandomNumbers& random) {
  Whole made;
  for (int left = 2 + random.below(8); left > 0; --left) {
    Vec3 normal = random.whole_vector(1);
    if (normal.isZero()) normal = kX;
    const int a = random.below(2), b = random.one_in(3) ? 1 - a : -1;
    made.contacts.push_back({a, b, Vec3::Zero(), normal.normalized()});
    reference::WholeVector gradient(6, 0);
    for (int i = 0; i < 3; ++i) {
      gradient[static_cast<std::size_t>(3 * a + i)] = std::llround(normal[i]);
      if (b >= 0) gradient[static_cast<std::size_t>(3 * b + i)] = -std::llround(normal[i]);
    }
    made.gradients.push_back(gradient);
  }
  return made;
}

TEST(ImplicitEqualities, AreThoseThatTryingAllSubsetsFinds) {
  support::RandomNumbers random(5);
  const Bodies balls = make_balls({Vec3::Zero(), Vec3::Zero()});
  int with = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Whole made = make_whole(random);
    const reference::Lineality expected = reference::find_lineality(made.gradients);
    const Members members(expected.implicit.begin(), expected.implicit.end());
    expect_found(make_problem(balls, made.contacts), members, expected.dimension);
    with += members.empty() ? 0 : 1;
  }
  EXPECT_GT(with, 50);
  EXPECT_LT(with, 250);
}

TEST(ImplicitEqualities, AreThoseThatWerePlanted) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ImpactCase made = ImpactCases(seed).next_squeezed();
    const Held held = hold(made.problem, Lineality::Shave);
    EXPECT_EQ(held.listed, made.squeezed) << seed;
    EXPECT_EQ(held.dimension, made.lineality) << seed;
  }
}

std::vector<ContactSpec> make_wedge(const Bodies& ball, double angle) {
  return {at_wall(ball, 0, kY), at_wall(ball, 0, std::sin(angle) * kX - std::cos(angle) * kY)};
}

// The programs miss zero by 1e-9 of a normal at most, the shortest point by 1e-7.
TEST(ImplicitEqualities, NeedANarrowerWedgeWhereLinearProgramsDecide) {
  const Bodies ball = make_balls({Vec3::Zero()});
  const auto dimension = [&](double angle, Lineality by) {
    return hold(make_problem(ball, make_wedge(ball, angle)), by).dimension;
  };
  EXPECT_EQ(dimension(1e-6, Lineality::Fast), 0);
  EXPECT_EQ(dimension(1e-8, Lineality::Fast), 1);
  EXPECT_EQ(dimension(1e-8, Lineality::Shave), 0);
  EXPECT_EQ(dimension(1e-10, Lineality::Shave), 1);
}

// The greatest change of a body's velocity, in the energy metric, beside all there was.
double difference(const ImpactCase& made, const State& a, const State& b) {
  double greatest = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Vec3 v = a.bodies[i].v - b.bodies[i].v, w = a.bodies[i].w - b.bodies[i].w;
    greatest = std::max(
        greatest, made.bodies.masses[i] * v.squaredNorm() + w.dot(made.bodies.inertias[i] * w));
  }
  return std::sqrt(greatest / (2 * kinetic_energy(made.bodies, made.bodies.state)));
}

template <typename Law>
State after(const Law& law, const ImpactCase& made) {
  ImpactWorkspace work;
  contact::Impulses impulses;
  State state = made.bodies.state;
  EXPECT_EQ(resolve(law, made.problem, work, impulses).status, ImpactStatus::Resolved);
  for (const Vec3& impulse : impulses.contacts) EXPECT_GE(impulse.x(), 0);
  contact::apply_impulses(made.problem, impulses, state);
  return state;
}

TEST(ImplicitEqualities, LeadToTheSameVelocitiesHoweverTheyAreFound) {
  const GaussSeidelOptions shave{.lineality = Lineality::Shave};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ImpactCase made = ImpactCases(seed).next_squeezed();
    const State one_by_one = after(Sequential{.options = shave}, made);
    EXPECT_LT(difference(made, one_by_one, after(Sequential{}, made)), 1e-12) << seed;
    const State together = after(Reflections{shave}, made);
    EXPECT_LT(difference(made, together, after(Reflections{}, made)), 1e-12) << seed;
  }
}

// Figure 2, left, under every law that has the setting: what moves across is lost, the rest kept.
TEST(ImplicitEqualities, AreShavedByEveryLawThatLooksForThem) {
  const Bodies resting = make_balls({Vec3::Zero()});
  Bodies ball = resting;
  ball.state.bodies[0].v = Vec3(0.3, -2, 0);
  model::MethodSettings settings;
  settings.options["lineality"] = std::string("shave");
  int laws_with = 0;
  for (const LawDescription& law : laws()) {
    if (std::ranges::count(law.settings, "lineality", &model::SettingDescription::key) == 0)
      continue;
    ++laws_with;
    const Law shaving = make_law(settings, law.name);
    const Outcome outcome = collide(shaving, ball, {at_wall(ball, 0, kX), at_wall(ball, 0, -kX)});
    EXPECT_EQ(outcome.result.lineality, 1) << law.name;
    EXPECT_LT((outcome.after.bodies[0].v - Vec3(0, -2, 0)).norm(), 1e-14) << law.name;
    const double slot = 1e-8;  // for shortest points alone
    const Outcome narrow = collide(shaving, resting, make_wedge(resting, slot));
    EXPECT_EQ(narrow.result.lineality, 0) << law.name;
  }
  EXPECT_EQ(laws_with, 5);
}

}  // namespace
}  // namespace carom::impact
