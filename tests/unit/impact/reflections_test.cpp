// Expected velocities: closed forms of generalized reflections (momentum and energy), and Vouga et
// al., figures 1 and 2, with geometry of our choice.
#include "carom/impact/laws/reflections.h"

#include <gtest/gtest.h>

#include "carom/impact/laws/sequential.h"
#include "support/collide.h"
#include "support/problems.h"

namespace carom::impact {
namespace {

using support::Bodies;
using support::collide;
using support::ContactSpec;
using support::Outcome;

Bodies make_balls(const std::vector<Vec3>& centres, const std::vector<Vec3>& velocities,
                  const std::vector<double>& masses) {
  Bodies bodies = support::make_point_masses(masses, std::vector<double>(masses.size(), 0));
  for (std::size_t i = 0; i < centres.size(); ++i) {
    bodies.state.bodies[i].x = centres[i];
    bodies.state.bodies[i].v = velocities[i];
  }
  return bodies;
}

ContactSpec between(const std::vector<Vec3>& centres, int a, int b, double restitution = 1) {
  const Vec3& x_a = centres[static_cast<std::size_t>(a)];
  const Vec3& x_b = centres[static_cast<std::size_t>(b)];
  return {a, b, 0.5 * (x_a + x_b), (x_a - x_b).normalized(), restitution};
}

ContactSpec at_wall(const std::vector<Vec3>& centres, int ball, const Vec3& normal,
                    double restitution = 1) {
  return {ball, -1, centres[static_cast<std::size_t>(ball)] - normal, normal, restitution};
}

void expect_velocities(const State& state, const std::vector<Vec3>& expected, double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_LT((state.bodies[i].v - expected[i]).norm(), tolerance)
        << i << ": " << state.bodies[i].v.transpose();
  }
}

// A ball thrown into the gap of two resting ones: both leave at the same speed, which momentum and
// energy give.
TEST(Reflections, KeepSymmetry) {
  const double h = std::sqrt(3.0);
  const std::vector<Vec3> centres = {{0, 0, 0}, {h, 1, 0}, {h, -1, 0}};
  const Bodies bodies = make_balls(centres, {Vec3(1, 0, 0), Vec3::Zero(), Vec3::Zero()}, {1, 1, 1});
  const Outcome outcome =
      collide(Reflections{}, bodies, {between(centres, 0, 1), between(centres, 0, 2)});
  EXPECT_EQ(outcome.result.iterations, 1);
  expect_velocities(outcome.after,
                    {Vec3(-0.2, 0, 0), Vec3(0.6, 0.6 / h, 0), Vec3(0.6, -0.6 / h, 0)}, 1e-13);
}

struct Wedged {
  std::vector<Vec3> centres;
  Bodies bodies;
  std::vector<ContactSpec> contacts;
  std::vector<Vec3> expected;
  int dimension;
};

Wedged ball_between_walls() {  // figure 2, left
  const std::vector<Vec3> centres = {Vec3::Zero()};
  return {centres,
          make_balls(centres, {Vec3(0.3, -2, 0)}, {1}),
          {at_wall(centres, 0, Vec3::UnitX()), at_wall(centres, 0, -Vec3::UnitX())},
          {Vec3(0, -2, 0)},
          1};
}

Wedged pair_between_walls() {  // figure 2, centre
  const std::vector<Vec3> centres = {Vec3(-1, 0, 0), Vec3(1, 0, 0)};
  return {centres,
          make_balls(centres, {Vec3(0.3, -1, 0), Vec3(-0.1, 0.5, 0)}, {1, 1}),
          {at_wall(centres, 0, Vec3::UnitX()), between(centres, 0, 1),
           at_wall(centres, 1, -Vec3::UnitX())},
          {Vec3(0, -1, 0), Vec3(0, 0.5, 0)},
          2};
}

Wedged struck_between_walls() {  // figure 2, right
  const std::vector<Vec3> centres = {Vec3(0.9, 1.2, 0), Vec3::Zero()};
  return {centres,
          make_balls(centres, {Vec3(0, -1, 0), Vec3::Zero()}, {1, 2}),
          {at_wall(centres, 1, Vec3::UnitX()), at_wall(centres, 1, -Vec3::UnitX()),
           between(centres, 0, 1)},
          {Vec3(8.0 / 11, -1.0 / 33, 0), Vec3(0, -16.0 / 33, 0)},
          1};
}

Wedged plug_in_a_shaft() {  // figure 1, the ball geyser
  const std::vector<Vec3> centres = {Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0, -std::sqrt(3.0), 0)};
  return {centres,
          make_balls(centres, {Vec3::Zero(), Vec3::Zero(), Vec3::UnitY()}, {1, 1, 1}),
          {at_wall(centres, 0, Vec3::UnitX()), at_wall(centres, 1, -Vec3::UnitX()),
           between(centres, 0, 1), between(centres, 0, 2), between(centres, 1, 2)},
          {Vec3(0, 2.0 / 3, 0), Vec3(0, 2.0 / 3, 0), Vec3(0, -1.0 / 3, 0)},
          2};
}

// Lines 6 to 10 of algorithm 2 in the right metric: a ball of 1 kg fills a box of 3 kg, which
// another ball of 1 kg hits.
Wedged ball_in_a_box() {
  const std::vector<Vec3> centres = {Vec3::Zero(), Vec3::Zero(), Vec3(-2, 0, 0)};
  return {centres,
          make_balls(centres, {Vec3::Zero(), Vec3::Zero(), Vec3::UnitX()}, {1, 3, 1}),
          {{0, 1, Vec3(-1, 0, 0), Vec3::UnitX()},
           {0, 1, Vec3(1, 0, 0), -Vec3::UnitX()},
           {1, 2, Vec3(-1, 0, 0), Vec3::UnitX()}},
          {Vec3(0.4, 0, 0), Vec3(0.4, 0, 0), Vec3(-0.6, 0, 0)},
          1};
}

TEST(Lineality, LetsSqueezedContactsEnd) {
  for (const Wedged& scene : {ball_between_walls(), pair_between_walls(), struck_between_walls(),
                              plug_in_a_shaft(), ball_in_a_box()}) {
    const Outcome outcome = collide(Reflections{}, scene.bodies, scene.contacts);
    EXPECT_EQ(outcome.result.status, ImpactStatus::Resolved);
    EXPECT_EQ(outcome.result.lineality, scene.dimension);
    EXPECT_LE(outcome.result.iterations, 1);
    expect_velocities(outcome.after, scene.expected, 1e-13);
    for (const Vec3& impulse : outcome.impulses.contacts) EXPECT_GE(impulse.x(), 0);
    const Outcome one_by_one = collide(Sequential{}, scene.bodies, scene.contacts);
    EXPECT_EQ(one_by_one.result.status, ImpactStatus::Resolved);
    EXPECT_EQ(one_by_one.result.lineality, scene.dimension);
  }
}

TEST(Lineality, IsWhatKeepsTheLawsFromEnding) {
  const GaussSeidelOptions without{.lineality = Lineality::Off, .max_iterations = 2000};
  for (const Wedged& scene : {ball_between_walls(), pair_between_walls(), struck_between_walls(),
                              plug_in_a_shaft(), ball_in_a_box()}) {
    EXPECT_EQ(collide(Reflections{without}, scene.bodies, scene.contacts).result.status,
              ImpactStatus::IterationCap);
    EXPECT_EQ(collide(Sequential{.options = without}, scene.bodies, scene.contacts).result.status,
              ImpactStatus::IterationCap);
  }
}

// Joints are equalities from the start: a rod pinned to the world between two stops cannot turn.
TEST(Lineality, SeesThroughJoints) {
  Bodies rod = support::make_point_masses({1}, {0});
  rod.state.bodies[0].x = Vec3(0.5, 0, 0);
  rod.state.bodies[0].v = Vec3(0, 0.5, 0);
  rod.state.bodies[0].w = Vec3(0, 0, 1);  // turning about the pin at the origin
  contact::ContactProblem problem = support::make_problem(
      rod, {{0, -1, Vec3(1, 0, 0), Vec3::UnitY()}, {0, -1, Vec3(0.7, 0, 0), -Vec3::UnitY()}});
  for (int i = 0; i < 3; ++i) {
    const Vec3 d = Vec3::Unit(i);
    problem.equalities.push_back({0, -1, d, Vec3(-0.5, 0, 0).cross(d), Vec3::Zero(), Vec3::Zero()});
  }
  problem.islands[0].equalities = 3;
  ImpactWorkspace work;
  contact::Impulses impulses;
  const ImpactResult result = resolve(Reflections{}, problem, work, impulses);
  State after = rod.state;
  contact::apply_impulses(problem, impulses, after);
  EXPECT_EQ(result.lineality, 1);
  EXPECT_LT(after.bodies[0].v.norm(), 1e-14);
  EXPECT_LT(after.bodies[0].w.norm(), 1e-14);
}

// A wall that is driven towards two touching balls puts energy in; each reflection keeps the
// relative speed.
TEST(Reflections, BounceOffADrivenWall) {
  const std::vector<Vec3> centres = {Vec3(0, 0, 0), Vec3(2, 0, 0)};
  const Bodies bodies = make_balls(centres, {Vec3::Zero(), Vec3::Zero()}, {1, 1});
  contact::ContactProblem problem =
      support::make_problem(bodies, {at_wall(centres, 0, Vec3::UnitX()), between(centres, 0, 1)});
  problem.contacts[0].rate.x() = -1;  // the wall comes at 1 m/s
  for (const bool together : {false, true}) {
    ImpactWorkspace work;
    contact::Impulses impulses;
    const ImpactResult result = together ? resolve(Reflections{}, problem, work, impulses)
                                         : resolve(Sequential{}, problem, work, impulses);
    EXPECT_EQ(result.status, ImpactStatus::Resolved);
    State after = bodies.state;
    contact::apply_impulses(problem, impulses, after);
    // 0 -> 2, passed on to the second ball; the first is then approached by the wall again.
    EXPECT_NEAR(after.bodies[0].v.x(), 2, 1e-13);
    EXPECT_NEAR(after.bodies[1].v.x(), 2, 1e-13);
  }
}

}  // namespace
}  // namespace carom::impact
