// Contact forces without friction, against closed forms and exact solutions of Baraff's figures.
// The figures are planar in x and height; here height is z and every body is as deep as it takes.
#include "carom/resting/contact_forces.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/linkage.h"
#include "support/statics.h"

namespace carom::resting {
namespace {

using support::Bodies;
using support::ContactSpec;
using support::find_forces;
using support::Forces;
using support::Stack;
using support::stand;

constexpr double kG = 9.81;
constexpr double kTolerance = 1e-10;
const ContactForceOptions kHeuristic{.solver = ForceSolver::Heuristic, .sides = 0};

void expect_exact(const Forces& found) {
  EXPECT_EQ(found.result.status, ForceStatus::Converged);
  EXPECT_LE(found.result.residual, 1e-11);
  EXPECT_LE(found.result.complementarity, 1e-12);
  double least_push = 0, least_left = 0, product = 0;
  for (std::size_t k = 0; k < found.left.size(); ++k) {
    least_push = std::min(least_push, found.push(k));
    least_left = std::min(least_left, found.left[k]);
    product = std::max(product, found.push(k) * std::abs(found.left[k]));
  }
  EXPECT_EQ(least_push, 0);
  EXPECT_GE(least_left, -1e-11);
  EXPECT_LE(product, 1e-10);
}

void expect_pushes(const Forces& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.forces.contacts.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(found.push(k), expected[k], kTolerance) << k;
}

void expect_left(const Forces& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.left.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(found.left[k], expected[k], kTolerance) << k;
}

// Bricks two wide and one high on top of each other, touching at the ends of what they share.
Stack make_stack(const std::vector<double>& centers) {
  Stack stack;
  for (std::size_t i = 0; i < centers.size(); ++i) {
    const auto level = static_cast<double>(i);
    support::add_brick(stack.bodies, 1, Vec3(2, 1, 1), Vec3(centers[i], 0, level + 0.5));
    const double below = i == 0 ? centers[i] : centers[i - 1];
    for (const double x : {std::max(below, centers[i]) - 1, std::min(below, centers[i]) + 1})
      stack.contacts.push_back(
          stand(static_cast<int>(i), static_cast<int>(i) - 1, Vec3(x, 0, level)));
  }
  return stack;
}

Stack make_block(const std::vector<Vec3>& supports, const Vec3& size = Vec3(2, 1, 1)) {
  Stack block;
  support::add_brick(block.bodies, 1, size, Vec3(0, 0, 0.5));
  for (const Vec3& at : supports) block.contacts.push_back(stand(0, -1, at));
  return block;
}

Stack make_chair(int legs) {
  Stack chair;
  support::add_body(chair.bodies, 5, Vec3(0.3, 0.3, 0.4).asDiagonal(), Vec3(0, 0, 0.5));
  for (int k = 0; k < legs; ++k) {
    const double angle = 2 * M_PI * (k + 0.5) / legs;
    chair.contacts.push_back(stand(0, -1, 0.25 * Vec3(std::cos(angle), std::sin(angle), 0)));
  }
  return chair;
}

Stack make_table(const Vec3& center) {
  Stack table;
  support::add_body(table.bodies, 10, Vec3(0.6, 1, 1.2).asDiagonal(), center + Vec3(0, 0, 0.5));
  for (const Vec3& leg :
       {Vec3(-0.5, -0.3, 0), Vec3(0.5, -0.3, 0), Vec3(0.5, 0.3, 0), Vec3(-0.5, 0.3, 0)})
    table.contacts.push_back(stand(0, -1, leg));
  return table;
}

Forces find_forces(const Stack& stack, const ContactForceOptions& options = {}) {
  return support::find_forces(stack.bodies, stack.contacts, options);
}

// BAR-F7: f = m g cos θ, g sin θ along the plane.
TEST(ContactForces, HoldAPointMassOnAnIncline) {
  Bodies bodies = support::make_point_masses({1}, {0});
  const Vec3 normal(-0.5, 0, std::sqrt(0.75));
  const Forces found =
      support::find_forces(bodies, {{.a = 0, .b = -1, .point = Vec3::Zero(), .normal = normal}});
  expect_exact(found);
  expect_pushes(found, {8.495709211125343});
  EXPECT_NEAR(found.gained.bodies[0].v.norm(), kG / 2, kTolerance);
}

// BAR-F8: half the weight each; BAR-F8b: the lever rule.
TEST(ContactForces, ShareABlocksWeight) {
  Forces found = find_forces(make_block({Vec3(-1, 0, 0), Vec3(1, 0, 0)}));
  expect_exact(found);
  expect_pushes(found, {981.0 / 200, 981.0 / 200});
  found = find_forces(make_block({Vec3(-0.8, 0, 0), Vec3(1, 0, 0)}));
  expect_exact(found);
  expect_pushes(found, {109.0 / 20, 109.0 / 25});
}

// BAR-F9: a block that overhangs a table's edge; f = m g / (1 + m d²/I).
TEST(ContactForces, LetAnOverhangingBlockTip) {
  const Forces found = find_forces(make_block({Vec3(-1, 0, 0), Vec3(-0.5, 0, 0)}));
  expect_exact(found);
  expect_pushes(found, {0, 981.0 / 160});
  expect_left(found, {2943.0 / 800, 0});
  EXPECT_NEAR(found.gained.bodies[0].v.z(), -2943.0 / 800, kTolerance);
  EXPECT_NEAR(found.gained.bodies[0].w.y(), 2943.0 / 400, kTolerance);  // about -y it is clockwise
}

// BAR-F10: the same in space, with two vanishing contacts of four.
TEST(ContactForces, LetTwoOfFourContactsVanish) {
  const Forces found = find_forces(
      make_block({Vec3(-1, -0.5, 0), Vec3(-0.5, -0.5, 0), Vec3(-1, 0.5, 0), Vec3(-0.5, 0.5, 0)}));
  expect_exact(found);
  expect_pushes(found, {0, 3.065625, 0, 3.065625});
  expect_left(found, {2943.0 / 800, 0, 2943.0 / 800, 0});
}

// BAR-CHAIR: of all forces the ones of least length, m g / n per leg.
TEST(ContactForces, ShareAChairsWeightAmongItsLegs) {
  for (const int legs : {3, 4, 5, 6, 7, 8}) {
    const Forces found = find_forces(make_chair(legs));
    expect_exact(found);
    expect_pushes(found, std::vector<double>(static_cast<std::size_t>(legs), 5 * kG / legs));
  }
}

// TAB-4: centred, off centre (least length), and tipping about x = 0.5.
TEST(ContactForces, HoldATableWithFourLegs) {
  Forces found = find_forces(make_table(Vec3::Zero()));
  expect_exact(found);
  expect_pushes(found, {24.525, 24.525, 24.525, 24.525});
  found = find_forces(make_table(Vec3(0.2, 0.1, 0)));
  expect_exact(found);
  expect_pushes(found, {6.54, 26.16, 42.51, 22.89});
  found = find_forces(make_table(Vec3(0.6, 0, 0)));
  expect_exact(found);
  expect_pushes(found, {0, 44.59090909090909, 44.59090909090909, 0});
  expect_left(found, {98.1 / 11, 0, 0, 98.1 / 11});
  EXPECT_NEAR(found.gained.bodies[0].v.z(), -9.81 / 11, kTolerance);
  EXPECT_NEAR(found.gained.bodies[0].w.y(), 98.1 / 11, kTolerance);
}

// Near the edge of its support the least forces would pull at one leg: it is left out of the
// sharing, and the others are determined. Lever rule: legs 2 and 4 carry what leg 1 does not.
TEST(ContactForces, NeverPullToShareALoad) {
  const Forces found = find_forces(make_table(Vec3(0.3, 0.2, 0)));
  expect_exact(found);
  // f₁ = 0: along x f₂ + f₃ - f₄ = 0.6 W, along y f₃ + f₄ - f₂ = W·2/3, with sum W.
  const double weight = 10 * kG;
  const double f4 = (weight - 0.6 * weight) / 2, f2 = (weight - weight * 2 / 3) / 2;
  expect_pushes(found, {0, f2, weight - f2 - f4, f4});
}

// STK-1 to 6: solutions of the complementarity problem in exact arithmetic.
TEST(ContactForces, FindWhichBricksOfAStackComeOff) {
  struct Case {
    std::vector<double> centers, pushes, left;
  };
  const std::vector<Case> cases = {
      {{0, 0.8, 1.6},
       {981.0 / 200, 860337.0 / 37000, 0, 169713.0 / 9250, 44799.0 / 18500, 10137.0 / 1850},
       {0, 0, 17658.0 / 4625, 0, 0, 0}},
      {{0, 0.55, 1.1, 1.65},
       {981.0 / 200, 2553543.0 / 75400, 0, 1091853.0 / 37700, 3593403.0 / 1093300,
        8288469.0 / 546650, 1737351.0 / 546650, 307053.0 / 54665},
       {0, 0, 2943.0 / 1300, 0, 0, 0, 0, 0}},
      {{0, 0.5, 1, 1.5},
       {4.905, 34.335, 0, 29.43, 3.27, 16.35, 3.27, 6.54},
       {0, 0, 0, 0, 0, 0, 0, 0}},
      {{0, 0.3, 0.6, 0.9},
       {10.791, 28.449, 2943.0 / 425, 38259.0 / 1700, 10791.0 / 1700, 22563.0 / 1700, 6867.0 / 1700,
        981.0 / 170},
       {0, 0, 0, 0, 0, 0, 0, 0}},
      {{0, 1.2, 2.4, 3.6},
       {981.0 / 200, 890123103.0 / 56825000, 0, 305698239.0 / 28412500, 31149693.0 / 14206250, 0,
        1441089.0 / 5682500, 0},
       {0, 0, 35327772.0 / 7103125, 0, 0, 4732344.0 / 7103125, 0, 135684072.0 / 35515625}}};
  for (const Case& each : cases) {
    const Forces found = find_forces(make_stack(each.centers));
    expect_exact(found);
    expect_pushes(found, each.pushes);
    expect_left(found, each.left);
  }
}

// Two bars: the first on posts at -1 and `post`, the second touching it from above at x = 2.
Stack make_deceptive_bars(double post) {
  Stack bars;
  const auto bar = [&](double mass, double length, const Vec3& at) {
    support::add_body(bars.bodies, mass, mass * length * length / 12 * Mat3::Identity(), at);
  };
  bar(1, 4, Vec3(0, 0, 0));
  bar(4, 2, Vec3(3, 0, 1));
  bars.contacts = {stand(0, -1, Vec3(-1, 0, -0.5)), stand(0, -1, Vec3(post, 0, -0.5)),
                   stand(1, 0, Vec3(2, 0, 0.5))};
  return bars;
}

// BAR-HEUR. The heuristic may be right or wrong here: every f = (1 - s, s, 0) m g with s <= 1/3 has
// the least sum, and only that with s = 1/3 predicts V = {1}.
TEST(ContactForces, AreExactWhereTheHeuristicMayMispredict) {
  const Forces exact = find_forces(make_deceptive_bars(0));
  expect_exact(exact);
  expect_pushes(exact, {0, 981.0 / 80, 981.0 / 400});
  expect_left(exact, {2943.0 / 800, 0, 0});
  const Forces guessed = find_forces(make_deceptive_bars(0), kHeuristic);
  if (guessed.result.rungs.least_sum == 1) {
    EXPECT_NEAR(guessed.push(0) + guessed.push(1), kG, kTolerance);
    EXPECT_GT(guessed.result.rungs.least_sum_power, 0);
  } else {
    expect_pushes(guessed, {0, 981.0 / 80, 981.0 / 400});
  }
}

// With the second post at -1/2 the least sum is unique, (8/11, 0, 0) m g, and predicts V = {1, 3}
// where {1} is right: 19/16 f₂ - f₃/4 = g, 5 f₃ = f₂/4. It leaves χ̈₁ = (7/4 · 8/11 - 1) g.
TEST(ContactForces, SayThatTheHeuristicMispredicted) {
  const Forces exact = find_forces(make_deceptive_bars(-0.5));
  expect_exact(exact);
  expect_pushes(exact, {0, 40 * kG / 47, 2 * kG / 47});
  const Forces guessed = find_forces(make_deceptive_bars(-0.5), kHeuristic);
  EXPECT_EQ(guessed.result.rungs.least_sum, 1);
  expect_pushes(guessed, {8 * kG / 11, 0, 0});
  EXPECT_NEAR(guessed.result.rungs.least_sum_power, 24 * kG * kG / 121, kTolerance);
}

TEST(ContactForces, ClimbTheHeuristicsFirstTwoRungs) {
  const Forces stable = find_forces(make_stack({0, 0.3, 0.6, 0.9}), kHeuristic);
  EXPECT_EQ(stable.result.rungs.nothing_vanishes, 1);
  expect_left(stable, std::vector<double>(8, 0));
  const Forces tipping = find_forces(make_block({Vec3(-1, 0, 0), Vec3(-0.5, 0, 0)}), kHeuristic);
  EXPECT_EQ(tipping.result.rungs.predicted, 1);
  expect_pushes(tipping, {0, 981.0 / 160});
}

struct Linkage {
  Scene scene = support::build(support::make_linkage(true));
  contact::ContactProblem problem;
  Linkage() {
    const State state = dynamics::make_initial_state(scene);
    std::vector<dynamics::JointRow> joints;
    dynamics::compute_joint_rows(scene, state, joints);
    contact::Assembler(scene).assemble(support::make_end_contact(0), joints, state, problem);
  }
  // Of all joint rows between two bodies (-1: none), on the second.
  Vec3 force_on(const Forces& found, int a, int b) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < problem.equalities.size(); ++i) {
      const contact::EqualityRow& row = problem.equalities[i];
      const auto id = [&](std::int32_t block) {
        return block < 0
                   ? 0
                   : static_cast<int>(index(problem.blocks[static_cast<std::size_t>(block)].id));
      };
      if (id(row.block_a) == a && id(row.block_b) == b)
        sum += found.forces.equalities[i] * row.linear_b;
    }
    return sum;
  }
};

// HOL-1: rods pinned and hinged in line, the free end on the floor, α = ∓3g/2; the contact and the
// pin carry m g/4 each, the hinge nothing.
void expect_linkage_held(const ContactForceOptions& options) {
  const Linkage linkage;
  const Forces found =
      support::find_forces(linkage.problem, support::under_gravity(linkage.problem), options);
  expect_exact(found);
  expect_pushes(found, {981.0 / 400});
  EXPECT_NEAR(found.gained.bodies[1].v.z(), -2943.0 / 400, kTolerance);
  EXPECT_NEAR(support::planar_spin(found.gained.bodies[1]), -2943.0 / 200, kTolerance);
  EXPECT_NEAR(found.gained.bodies[2].v.z(), -2943.0 / 400, kTolerance);
  EXPECT_NEAR(support::planar_spin(found.gained.bodies[2]), 2943.0 / 200, kTolerance);
  EXPECT_LT((linkage.force_on(found, 0, 1) - Vec3(0, 0, 981.0 / 400)).norm(), kTolerance);
  EXPECT_LT(linkage.force_on(found, 1, 2).norm(), kTolerance);
}

TEST(ContactForces, HoldALinkageByItsPinItsHingeAndTheFloor) { expect_linkage_held({}); }

TEST(ContactForces, HoldALinkageByTheHeuristicToo) { expect_linkage_held(kHeuristic); }

}  // namespace
}  // namespace carom::resting
