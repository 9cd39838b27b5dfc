#include "carom/contact/contact_problem.h"

#include <gtest/gtest.h>

#include "carom/dynamics/energy.h"
#include "support/problems.h"
#include "support/scenes.h"

namespace carom::contact {
namespace {

using support::make_ball;

Contact make_contact(std::size_t a, std::size_t b, const Vec3& point = Vec3::Zero()) {
  Contact contact;
  contact.a = id_of<BodyId>(a);
  contact.b = id_of<BodyId>(b);
  contact.at = {point, Vec3::UnitX(), 0};
  return contact;
}

Scene make_five_balls() {
  support::SceneParts parts;
  parts.bodies.push_back(support::make_ground());
  for (int i = 0; i < 5; ++i)
    parts.bodies.push_back(make_ball("ball" + std::to_string(i), 0.5, Vec3(-i, 0, 3)));
  return support::build(parts);
}

TEST(Assembler, SplitsBodiesThatDoNotPushEachOtherIntoIslands) {
  const Scene scene = make_five_balls();
  const State state = dynamics::make_initial_state(scene);
  const ContactSet contacts = {make_contact(4, 0), make_contact(1, 2), make_contact(5, 4),
                               make_contact(3, 0), make_contact(2, 0)};
  ContactProblem problem;
  Assembler(scene).assemble(contacts, {}, state, problem);
  ASSERT_EQ(problem.islands.size(), 3U);  // {4, 5}, {1, 2}, {3}: the ground joins nobody
  std::vector<int> sources;
  for (const ContactRow& row : problem.contacts) sources.push_back(row.source);
  EXPECT_EQ(sources, (std::vector<int>{0, 2, 1, 4, 3}));
  EXPECT_EQ(problem.islands[1].first_contact, 2);
  EXPECT_EQ(problem.islands[1].contacts, 2);
  EXPECT_EQ(problem.blocks.size(), 5U);
}

TEST(Assembler, MeasuresTheVelocityOfTheTouchingPoints) {
  const Scene scene = make_five_balls();
  State state = dynamics::make_initial_state(scene);
  state.bodies[1].v = Vec3(1, 2, 3);
  state.bodies[1].w = Vec3(0, 0, 4);
  state.bodies[2].v = Vec3(0.5, 0, 0);
  ContactProblem problem;
  Assembler(scene).assemble({make_contact(1, 2, Vec3(-0.5, 0, 3))}, {}, state, problem);
  const ContactRow& row = problem.contacts[0];
  // lever (-1/2, 0, 0), w × lever = (0, -2, 0)
  EXPECT_NEAR(row.rate.x(), 0.5, 1e-15);
  const Vec3 relative = row.rate.y() * row.tangent1 + row.rate.z() * row.tangent2;
  EXPECT_LT((relative - Vec3(0, 0, 3)).norm(), 1e-14);
}

TEST(Assembler, SeesDrivenBodiesMove) {
  support::SceneParts parts;
  model::BodySpec belt = support::make_ground();
  belt.motion = model::Motion::Driven;
  belt.velocity = Vec3(2, 0, 0);
  parts.bodies = {belt, make_ball("ball", 0.5, Vec3(0, 0, 0.5))};
  const Scene scene = support::build(parts);
  Contact contact = make_contact(1, 0, Vec3::Zero());
  contact.at.normal = Vec3::UnitZ();
  ContactProblem problem;
  Assembler(scene).assemble({contact}, {}, dynamics::make_initial_state(scene), problem);
  const ContactRow& row = problem.contacts[0];
  EXPECT_EQ(row.b.block, -1);
  EXPECT_LT((row.rate.y() * row.tangent1 + row.rate.z() * row.tangent2 + Vec3(2, 0, 0)).norm(),
            1e-15);
}

TEST(ApplyImpulses, ConservesMomentumBetweenMovingBodies) {
  const Scene scene = make_five_balls();
  State state = dynamics::make_initial_state(scene);
  const auto before = dynamics::compute_momentum(scene, state);
  ContactProblem problem;
  Assembler(scene).assemble({make_contact(1, 2, Vec3(-0.5, 0.2, 3.1))}, {}, state, problem);
  apply_impulses(problem, {{Vec3(1, 2, 3)}, {}}, state);
  const auto after = dynamics::compute_momentum(scene, state);
  EXPECT_NEAR(state.bodies[1].v.x(), 1, 1e-15);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-14);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-14);
}

TEST(ApplyAsForces, GivesTheImpulseOverTheWholeDuration) {
  const Scene scene = make_five_balls();
  const State state = dynamics::make_initial_state(scene);
  ContactProblem problem;
  Assembler(scene).assemble({make_contact(1, 2, Vec3(-0.5, 0.2, 3))}, {}, state, problem);
  std::vector<Wrench> wrenches(scene.bodies.size());
  apply_as_forces(problem, {{Vec3(3, 0, 0)}, {}}, 0.5, wrenches);
  EXPECT_LT((wrenches[1].force - Vec3(6, 0, 0)).norm(), 1e-14);
  EXPECT_LT((wrenches[1].torque - Vec3(-0.5, 0.2, 0).cross(Vec3(6, 0, 0))).norm(), 1e-14);
  EXPECT_LT((wrenches[2].force + Vec3(6, 0, 0)).norm(), 1e-14);
}

// Baraff, figure 8: a block 2 × 1 on its two lower corners; A = ((17, -7), (-7, 17)) / 5.
TEST(IslandRows, MakesBaraffsMatrix) {
  support::Bodies block = support::make_point_masses({1}, {0});
  block.inertias[0] = 5.0 / 12 * Mat3::Identity();
  block.state.bodies[0].x = Vec3(0, 0, 0.5);
  const ContactProblem problem = support::make_problem(
      block, {{0, -1, Vec3(-1, 0, 0), Vec3::UnitZ()}, {0, -1, Vec3(1, 0, 0), Vec3::UnitZ()}});
  IslandRows system;
  const std::vector<Vec3> rates(2, Vec3(-9.81, 0, 0));
  system.set_up(problem, problem.islands[0], {rates, {}});
  EXPECT_NEAR(system.rows().dot(0, math::Index{0}), 3.4, 1e-14);
  EXPECT_NEAR(system.rows().dot(0, math::Index{3}), -1.4, 1e-14);
  EXPECT_NEAR(system.rows().dot(3, math::Index{3}), 3.4, 1e-14);
  EXPECT_NEAR(system.velocity()[0], -9.81, 1e-15);
}

// A ball glued to another by three equality rows weighs as much as both: 1/A = m1 + m2 along x.
TEST(IslandRows, PushesAgainstWhatJointsHoldTogether) {
  const support::Bodies bodies = support::make_point_masses({1, 3}, {-2, -2});
  ContactProblem problem = support::make_problem(bodies, {{0, -1, Vec3::Zero(), Vec3::UnitX()}});
  for (int i = 0; i < 3; ++i) {
    problem.equalities.push_back({0, 1, Vec3::Unit(i), Vec3::Zero(), -Vec3::Unit(i), Vec3::Zero()});
  }
  problem.equalities.push_back(
      problem.equalities.front());  // said twice: redundant rows are no obstacle
  problem.islands[0].equalities = 4;
  const std::vector<Vec3> rates = {problem.contacts[0].rate};
  const std::vector<double> equality_rates(4, 0.0);
  IslandRows system;
  system.set_up(problem, problem.islands[0], {rates, equality_rates});
  EXPECT_NEAR(system.rows().squared_norm(0), 0.25, 1e-14);
  Impulses impulses{{Vec3::Zero()}, std::vector<double>(4, 0)};
  const Vec3 x(8, 0, 0);  // stops 4 kg at 2 m/s
  system.store({x.data(), 3}, impulses);
  State after = bodies.state;
  apply_impulses(problem, impulses, after);
  EXPECT_NEAR(after.bodies[0].v.x(), 0, 1e-13);
  EXPECT_NEAR(after.bodies[1].v.x(), 0, 1e-13);
}

// The world may be either side of a joint: a ball held along x by a row whose first side is the
// world cannot be pushed along x, and is free along y.
TEST(IslandRows, HoldsWhatAJointTiesToTheWorld) {
  const support::Bodies bodies = support::make_point_masses({2}, {0});
  ContactProblem problem = support::make_problem(
      bodies, {{0, -1, Vec3::Zero(), Vec3::UnitX()}, {0, -1, Vec3::Zero(), Vec3::UnitY()}});
  problem.equalities.push_back({-1, 0, Vec3::Zero(), Vec3::Zero(), Vec3::UnitX(), Vec3::Zero()});
  problem.islands[0].equalities = 1;
  const std::vector<Vec3> rates(2, Vec3::Zero());
  const std::vector<double> equality_rates(1, 0.0);
  IslandRows system;
  system.set_up(problem, problem.islands[0], {rates, equality_rates});
  EXPECT_EQ(system.rows().squared_norm(0), 0);
  EXPECT_NEAR(system.rows().squared_norm(3), 0.5, 1e-15);
  EXPECT_EQ(system.equality_rank(), 1);
}

}  // namespace
}  // namespace carom::contact
