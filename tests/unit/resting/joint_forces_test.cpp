// Joint rows beside contacts: long chains, redundant rows, rows that contradict one another; and
// rows that are held at once.
#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "carom/resting/contact_forces.h"
#include "carom/resting/hold.h"
#include "support/statics.h"

namespace carom::resting {
namespace {

using contact::ContactProblem;
using contact::EqualityRow;
using support::Bodies;
using support::Forces;

constexpr double kG = 9.81;

// A row that holds `axis` of the points of a and b (-1: the world) together.
EqualityRow tie(const Bodies& bodies, int a, int b, const Vec3& point, const Vec3& axis) {
  EqualityRow row;
  row.block_a = a;
  row.block_b = b;
  row.linear_a = axis;
  row.angular_a = support::make_side(bodies, a, point).lever.cross(axis);
  row.linear_b = -axis;
  row.angular_b = -support::make_side(bodies, b, point).lever.cross(axis);
  return row;
}

void add_ball_joint(ContactProblem& problem, const Bodies& bodies, int a, int b,
                    const Vec3& point) {
  for (int axis = 0; axis < 3; ++axis)
    problem.equalities.push_back(tie(bodies, a, b, point, Vec3::Unit(axis)));
  problem.islands[0].equalities = static_cast<std::int32_t>(problem.equalities.size());
}

Bodies make_rods(int count) {
  Bodies rods;
  for (int i = 0; i < count; ++i)
    support::add_brick(rods, 1, Vec3(1, 0.1, 0.1), Vec3(i + 0.5, 0, 0));
  return rods;
}

// A chain that hangs straight down would be dull: it begins level, with one end fixed. Cut at any
// joint, what is beyond falls as if the joint force were applied to it: momentum balance.
TEST(JointForces, BalanceEveryLinkOfALongChain) {
  const std::size_t links = 50;
  const Bodies rods = make_rods(50);
  ContactProblem problem = support::make_problem(rods, {});
  for (int i = 0; i < 50; ++i) add_ball_joint(problem, rods, i, i - 1, Vec3(i, 0, 0));
  const Forces found = support::find_forces(problem, support::under_gravity(problem));
  EXPECT_EQ(found.result.status, ForceStatus::Converged);
  EXPECT_LE(found.result.residual, 1e-11);
  double unbalanced = 0, apart = 0;
  Vec3 before = Vec3::Zero();
  for (std::size_t i = 0; i < links; ++i) {
    const double own = found.forces.equalities[3 * i + 2];
    const double next = i + 1 < links ? found.forces.equalities[3 * i + 5] : 0.0;
    const BodyState& rod = found.gained.bodies[i];
    const double inertia = (1 + 0.01) / 12;
    unbalanced = std::max({unbalanced, std::abs(rod.v.z() + kG - own + next),
                           std::abs(rod.w.y() * inertia - 0.5 * (own + next))});
    apart = std::max(apart, (rod.twist().at(Vec3(-0.5, 0, 0)) - before).norm());
    before = rod.twist().at(Vec3(0.5, 0, 0));
  }
  EXPECT_LE(unbalanced, 1e-11);
  EXPECT_LE(apart, 1e-11);
}

// One rod fixed at its end: α = 3g/2 (of a thin rod), m g/4 in the joint.
TEST(JointForces, ShareAmongRowsThatSayTheSame) {
  Bodies rod;
  support::add_body(rod, 1, Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal(), Vec3(0.5, 0, 0));
  ContactProblem problem = support::make_problem(rod, {});
  add_ball_joint(problem, rod, 0, -1, Vec3::Zero());
  add_ball_joint(problem, rod, 0, -1, Vec3::Zero());
  const Forces found = support::find_forces(problem, support::under_gravity(problem));
  EXPECT_EQ(found.result.status, ForceStatus::Converged);
  EXPECT_NEAR(found.gained.bodies[0].w.y(), 1.5 * kG, 1e-11);
  EXPECT_NEAR(found.forces.equalities[2], kG / 8, 1e-11);
  EXPECT_NEAR(found.forces.equalities[5], kG / 8, 1e-11);
}

// Two rows ask one mass to rise at 1 and at 2 m/s²: it rises at 1.5; the contact beside is exact.
TEST(JointForces, MeetContradictoryRowsInTheLeastSquaresSense) {
  Bodies bodies = support::make_point_masses({1, 1}, {0, 0});
  ContactProblem problem = support::make_problem(
      bodies, {{.a = 1, .b = 0, .point = Vec3(0.5, 0, 0), .normal = Vec3::UnitX()},
               support::stand(1, -1, Vec3(1, 0, 0))});
  for (int copy = 0; copy < 2; ++copy)
    problem.equalities.push_back(tie(bodies, 0, -1, Vec3(0, 0, 0), Vec3::UnitZ()));
  problem.islands[0].equalities = 2;
  auto without = support::under_gravity(problem);
  without.equalities = {-kG - 1, -kG - 2};
  const Forces found = support::find_forces(problem, without);
  EXPECT_EQ(found.result.status, ForceStatus::Converged);
  EXPECT_NEAR(found.gained.bodies[0].v.z(), 1.5, 1e-11);
  EXPECT_NEAR(found.push(1), kG, 1e-11);
  EXPECT_NEAR(found.left[1], 0, 1e-11);
  EXPECT_NEAR(found.forces.equalities[0], found.forces.equalities[1], 1e-9);
}

// A winding chain of ball joints, half of whose links touch the floor, closed on itself by joints
// twice over if asked for.
ContactProblem make_winding_chain(base::Random& random, int links, bool closed) {
  Bodies rods;
  std::vector<Vec3> ends = {Vec3::Zero()};
  std::vector<support::ContactSpec> contacts;
  for (int i = 0; i < links; ++i) {
    const Vec3 from = ends.back();
    ends.push_back(
        from + Vec3(random.uniform(0.3, 1), random.uniform(-0.5, 0.5), random.uniform(-0.3, 0.3)));
    support::add_brick(rods, random.uniform(0.5, 2), Vec3(1, 0.2, 0.2), 0.5 * (from + ends.back()));
    if (random.uniform() < 0.5)
      contacts.push_back(support::stand(i, -1, from + Vec3(random.uniform(), 0.1, -0.1)));
  }
  ContactProblem problem = support::make_problem(rods, contacts);
  for (int i = 1; i < links; ++i)
    add_ball_joint(problem, rods, i, i - 1, ends[static_cast<std::size_t>(i)]);
  if (!closed) return problem;
  add_ball_joint(problem, rods, 0, -1, ends.front());
  for (int copy = 0; copy < 2; ++copy) add_ball_joint(problem, rods, links - 1, -1, ends.back());
  return problem;
}

TEST(JointForces, MeetEveryConditionInRandomChains) {
  base::Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const ContactProblem problem = make_winding_chain(random, 2 + trial % 49, trial % 2 == 0);
    const Forces found = support::find_forces(problem, support::under_gravity(problem));
    EXPECT_EQ(found.result.status, ForceStatus::Converged) << trial;
    EXPECT_LE(found.result.residual, 1e-10) << trial;
    EXPECT_LE(found.result.complementarity, 1e-12) << trial;
  }
}

// Islands beside each other, solved by one thread and by three: the same to the last bit.
TEST(JointForces, DoNotDependOnTheNumberOfThreads) {
  ContactProblem all;
  for (int island = 0; island < 5; ++island) {
    const support::Stack wall = support::make_wall(2, 1 + island, [](int i) { return 1.0 + i; });
    ContactProblem one = support::make_problem(wall.bodies, wall.contacts);
    const auto blocks = static_cast<std::int32_t>(all.blocks.size());
    const auto first = static_cast<std::int32_t>(all.contacts.size());
    for (contact::ContactRow& row : one.contacts) {
      row.a.block += blocks;
      if (row.b.block >= 0) row.b.block += blocks;
      all.contacts.push_back(row);
    }
    for (contact::BodyBlock& block : one.blocks) {
      block.id = id_of<BodyId>(all.blocks.size());
      all.blocks.push_back(block);
    }
    all.islands.push_back({first, static_cast<std::int32_t>(one.contacts.size()), 0, 0});
  }
  const auto without = support::under_gravity(all);
  contact::Impulses first = support::no_forces(all), second = first;
  base::Workers alone(1), three(3);
  ContactForces by_one(alone), by_three(three);
  for (int moment = 0; moment < 3; ++moment) {
    EXPECT_EQ(by_one.solve(all, without.rates(), 1e-9, {}, first).rungs.computed, 5);
    by_three.solve(all, without.rates(), 1e-9, {}, second);
    for (std::size_t k = 0; k < all.contacts.size(); ++k)
      EXPECT_EQ(first.contacts[k].x(), second.contacts[k].x());
  }
}

// Both sides as dense algebra: multipliers, or nothing but the accelerations that they leave.
VecX dense_answer(const ContactProblem& problem, std::span<const RowName> names,
                  const VecX& rates) {
  SparseRows rows;
  rows.set_up(problem, problem.islands[0], names);
  MatX R = MatX::Zero(rows.size(), rows.unit().dimension());
  for (math::Index i = 0; i < rows.size(); ++i) {
    for (const int part : {0, 1}) {
      if (rows.unit().stretch_of(i, part) == math::BlockRows::kNone) continue;
      R.row(i).segment<6>(math::Index{6} * rows.unit().stretch_of(i, part)) =
          rows.length(i) * rows.unit().part(i, part).transpose();
    }
  }
  const VecX y = R.completeOrthogonalDecomposition().solve(-rates);
  return rates + R * y;
}

// What the row does at the accelerations of `after`.
double rate_of(const ContactProblem& problem, const RowName& name, const State& after) {
  const auto index = static_cast<std::size_t>(name.index);
  if (name.axis >= 0) return support::rate_of(problem.contacts[index], after)[name.axis];
  const EqualityRow& row = problem.equalities[index];
  const BodyState& a = after.bodies[static_cast<std::size_t>(row.block_a)];
  const BodyState& b = after.bodies[static_cast<std::size_t>(row.block_b)];
  return row.linear_a.dot(a.v) + row.angular_a.dot(a.w) + row.linear_b.dot(b.v) +
         row.angular_b.dot(b.w);
}

VecX rates_by(const ContactProblem& problem, std::span<const RowName> names,
              const contact::Impulses& impulses) {
  State after;
  after.bodies.resize(problem.blocks.size());
  contact::apply_impulses(problem, impulses, after);
  VecX rates(static_cast<math::Index>(names.size()));
  for (math::Index i = 0; i < rates.size(); ++i)
    rates[i] = rate_of(problem, names[static_cast<std::size_t>(i)], after);
  return rates;
}

// Four rods on four points, with the last joint twice.
ContactProblem make_held_chain(base::Random& random) {
  const Bodies rods = make_rods(4);
  std::vector<support::ContactSpec> contacts;
  for (int k = 0; k < 4; ++k)
    contacts.push_back(support::stand(k, -1, Vec3(k + random.uniform(), 0.05, -0.05)));
  ContactProblem problem = support::make_problem(rods, contacts);
  for (const int i : {1, 2, 3, 3}) add_ball_joint(problem, rods, i, i - 1, Vec3(i, 0, 0));
  return problem;
}

TEST(Holder, TakesAwayWhatHeldRowsDo) {
  base::Random random(5);
  const std::vector<Hold> held = {Hold::NormalAndTangents, Hold::None, Hold::Normal,
                                  Hold::NormalAndTangents};
  for (int trial = 0; trial < 50; ++trial) {
    const ContactProblem problem = make_held_chain(random);
    std::vector<RowName> names = {{0, 0}, {0, 1}, {0, 2}, {2, 0}, {3, 0}, {3, 1}, {3, 2}};
    for (std::int32_t i = 0; i < 12; ++i) names.push_back(RowName::equality(i));
    VecX rates(19);
    for (double& each : rates) each = random.uniform(-1, 1);
    std::vector<Vec3> contacts(4, Vec3::Zero());
    for (std::size_t i = 0; i < 7; ++i)
      contacts[static_cast<std::size_t>(names[i].index)][names[i].axis] =
          rates[static_cast<math::Index>(i)];
    const std::vector<double> joints(rates.data() + 7, rates.data() + 19);
    base::Workers workers(1);
    contact::Impulses out;
    EXPECT_LE(Holder(workers).hold(problem, held, {contacts, joints}, out), 1e-14);
    EXPECT_EQ(out.contacts[1].norm() + out.contacts[2].tail<2>().norm(), 0);
    const VecX found = rates + rates_by(problem, names, out);
    EXPECT_LT((found - dense_answer(problem, names, rates)).norm(), 1e-12) << trial;
  }
}

// Rows that contradict one another by little leave just that.
TEST(Holder, LeavesOnlyWhatContradictsItself) {
  const Bodies ball = support::make_point_masses({2}, {0});
  ContactProblem problem = support::make_problem(ball, {});
  for (int copy = 0; copy < 2; ++copy)
    problem.equalities.push_back(tie(ball, 0, -1, Vec3::Zero(), Vec3::UnitX()));
  problem.islands[0].equalities = 2;
  base::Workers workers(1);
  contact::Impulses out;
  const std::vector<double> rates = {1, 1 + 1e-6};
  EXPECT_LE(Holder(workers).hold(problem, {}, {{}, rates}, out), 1e-14);
  EXPECT_NEAR(out.equalities[0], -1 - 0.5e-6, 1e-14);  // half of 2 kg · (1 + ½10⁻⁶) m/s each
  EXPECT_NEAR(out.equalities[1], -1 - 0.5e-6, 1e-14);
}

}  // namespace
}  // namespace carom::resting
