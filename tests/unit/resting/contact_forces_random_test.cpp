// Contact forces of random islands against slow twins: every active set tried in long double, and
// least forces by their own conditions.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "carom/base/random.h"
#include "carom/resting/contact_forces.h"
#include "reference/active_sets.h"
#include "support/statics.h"

namespace carom::resting {
namespace {

using support::Bodies;
using support::ContactSpec;
using support::Forces;
using support::Stack;

Vec3 any_vector(base::Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

Stack make_cluster(base::Random& random, int bodies, int contacts, double decades) {
  Stack cluster;
  for (int i = 0; i < bodies; ++i) {
    const double mass = std::pow(10, random.uniform(0, decades));
    const Vec3 inertia(random.uniform(0.1, 0.3), random.uniform(0.1, 0.3),
                       random.uniform(0.1, 0.3));
    support::add_body(cluster.bodies, mass, Mat3((mass * inertia).asDiagonal()),
                      any_vector(random));
  }
  for (int k = 0; k < contacts; ++k) {
    const int a = k % bodies;
    const int b = k + 1 < bodies ? k + 1 : k % 3 == 0 ? -1 : (a + 1) % bodies;
    cluster.contacts.push_back({.a = a,
                                .b = b == a ? -1 : b,
                                .point = any_vector(random),
                                .normal = any_vector(random).normalized()});
  }
  return cluster;
}

// Every fourth contact once more, at the same place.
void add_copies(Stack& stack) {
  const std::size_t before = stack.contacts.size();
  for (std::size_t k = 0; k < before; k += 4) stack.contacts.push_back(stack.contacts[k]);
}

MatX gram_of(const contact::ContactProblem& problem) {
  const auto n = static_cast<math::Index>(problem.contacts.size());
  SparseRows rows;
  std::vector<RowName> names;
  for (std::int32_t k = 0; k < n; ++k) names.push_back({k, 0});
  rows.set_up(problem, problem.islands[0], names);
  MatX A(n, n);
  for (math::Index i = 0; i < n; ++i) {
    for (math::Index j = 0; j < n; ++j)
      A(i, j) = rows.unit().dot(i, j) * rows.length(i) * rows.length(j);
  }
  return A;
}

void expect_conditions(const Forces& found, const std::string& where,
                       double complementarity = 1e-10) {
  EXPECT_NE(found.result.status, ForceStatus::IterationCap) << where;
  EXPECT_LE(found.result.complementarity, complementarity) << where;
  for (std::size_t k = 0; k < found.left.size(); ++k)
    EXPECT_GE(found.push(k), 0) << where << ' ' << k;
}

VecX normals_of(const support::Accelerations& without) {
  VecX w(static_cast<math::Index>(without.contacts.size()));
  for (math::Index k = 0; k < w.size(); ++k)
    w[k] = without.contacts[static_cast<std::size_t>(k)].x();
  return w;
}

// Random accelerations; copies of a contact, which stand last, have its own.
support::Accelerations make_accelerations(base::Random& random,
                                          const contact::ContactProblem& problem, bool copies) {
  auto without = support::under_gravity(problem);
  for (Vec3& each : without.contacts) each.x() += random.uniform(-5, 5);
  const std::size_t count = problem.contacts.size();
  const std::size_t first = copies ? count - (count + 4) / 5 : count;
  for (std::size_t k = first; k < count; ++k)
    without.contacts[k] = without.contacts[4 * (k - first)];
  return without;
}

TEST(ContactForcesAtRandom, LeaveTheAccelerationsOfTheRightActiveSet) {
  base::Random random(41);
  int by_active_set = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Stack cluster = make_cluster(random, 1 + trial % 4, 2 + trial % 7, 0);
    if (trial % 2 == 0) add_copies(cluster);
    const auto problem = support::make_problem(cluster.bodies, cluster.contacts);
    const auto without = make_accelerations(random, problem, trial % 2 == 0);
    const VecX w = normals_of(without);
    const MatX A = gram_of(problem);
    const auto twin = reference::solve_by_enumeration(A, w);
    if (!twin) continue;  // rows that nothing can satisfy
    const VecX f = twin->cast<double>(), expected = w + A * f;
    const Forces found = support::find_forces(problem, without);
    expect_conditions(found, std::to_string(trial));
    by_active_set += found.result.status == ForceStatus::ByActiveSet ? 1 : 0;
    const double scale = 1 + w.cwiseAbs().maxCoeff() + f.norm() * A.norm() * 1e-3;
    const Eigen::Map<const VecX> left(found.left.data(), w.size());
    EXPECT_LE((left - expected).cwiseAbs().maxCoeff(), 1e-10 * scale) << trial;
  }
  EXPECT_LE(by_active_set, 4);
}

Stack make_table_with_a_box(base::Random& random, int legs) {
  Stack table;
  support::add_brick(table.bodies, 3, Vec3(2, 2, 1), Vec3(0, 0, 0.5));
  support::add_brick(table.bodies, random.uniform(0.1, 10), Vec3(1, 1, 1), Vec3(0, 0, 1.5));
  for (int k = 0; k < legs; ++k)
    table.contacts.push_back(
        support::stand(0, -1, Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0)));
  for (int k = 0; k < 4; ++k)
    table.contacts.push_back(
        support::stand(1, 0, Vec3(k % 2 == 0 ? -0.5 : 0.5, k < 2 ? -0.5 : 0.5, 1)));
  return table;
}

// A random change of forces that changes no acceleration.
VecX idle_change(base::Random& random, const MatX& A) {
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(A);
  const math::Index n = A.rows();
  VecX d = VecX::Zero(n);
  for (math::Index k = 0; k < n; ++k) {
    if (eigen.eigenvalues()[k] < 1e-9 * eigen.eigenvalues()[n - 1])
      d += random.uniform(-1, 1) * eigen.eigenvectors().col(k);
  }
  return d;
}

// Could the forces change that way, however little, and still push nowhere but where nothing opens?
bool is_allowed(const Forces& found, const VecX& d) {
  for (math::Index k = 0; k < d.size(); ++k) {
    const auto contact = static_cast<std::size_t>(k);
    if (found.left[contact] > 1e-9 && std::abs(d[k]) > 1e-9) return false;
    if (found.push(contact) <= 0 && d[k] < -1e-12) return false;
  }
  return true;
}

// f is the shortest: moving along anything that changes no acceleration only makes it longer.
TEST(ContactForcesAtRandom, AreOfLeastLengthAmongEquivalentOnes) {
  base::Random random(42);
  int allowed = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Stack table = make_table_with_a_box(random, 4 + trial % 5);
    const auto problem = support::make_problem(table.bodies, table.contacts);
    const Forces found = support::find_forces(problem, support::under_gravity(problem));
    expect_conditions(found, std::to_string(trial));
    const MatX A = gram_of(problem);
    VecX f(A.rows());
    for (math::Index k = 0; k < f.size(); ++k) f[k] = found.push(static_cast<std::size_t>(k));
    for (int probe = 0; probe < 50; ++probe) {
      const VecX d = idle_change(random, A);
      if (!is_allowed(found, d)) continue;
      ++allowed;
      EXPECT_GE(f.dot(d), -1e-9 * f.norm()) << trial;
    }
  }
  EXPECT_GE(allowed, 500);
}

TEST(ContactForcesAtRandom, DoNotDependOnTheOrderOfContacts) {
  base::Random random(43);
  for (int trial = 0; trial < 50; ++trial) {
    Stack wall = support::make_wall(3, 3, [&](int) { return random.uniform(0.5, 2); });
    const Forces first = support::find_forces(wall.bodies, wall.contacts);
    std::vector<std::size_t> order(wall.contacts.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t k = order.size() - 1; k > 0; --k)
      std::swap(order[k],
                order[static_cast<std::size_t>(random.uniform(0, static_cast<double>(k)))]);
    std::vector<ContactSpec> shuffled;
    for (const std::size_t k : order) shuffled.push_back(wall.contacts[k]);
    const Forces second = support::find_forces(wall.bodies, shuffled);
    for (std::size_t k = 0; k < order.size(); ++k)
      EXPECT_NEAR(second.push(k), first.push(order[k]), 1e-9) << trial;
  }
}

TEST(ContactForcesAtRandom, CarryWallsAndLetThemFall) {
  base::Random random(44);
  for (int trial = 0; trial < 40; ++trial) {
    Stack wall = support::make_wall(1 + trial % 5, 2 + trial % 7,
                                    [&](int) { return random.uniform(0.1, 10); });
    if (trial % 2 == 1) {  // without some of what holds it
      std::erase_if(wall.contacts, [&](const ContactSpec&) { return random.uniform() < 0.3; });
    }
    auto problem = support::make_problem(wall.bodies, wall.contacts);
    const Forces found = support::find_forces(problem, support::under_gravity(problem));
    expect_conditions(found, std::to_string(trial));
    EXPECT_EQ(found.result.status, ForceStatus::Converged) << trial;
    EXPECT_LE(found.result.complementarity, 1e-12) << trial;
    EXPECT_LE(found.result.residual, 1e-9) << trial;
  }
}

// A wall whose masses differ by up to a million: the round-off of a force on the heaviest brick
// moves the lightest by that ratio.
TEST(ContactForcesAtRandom, BearAMillionToOne) {
  base::Random random(45);
  for (int trial = 0; trial < 40; ++trial) {
    Stack wall = support::make_wall(1 + trial % 3, 2 + trial % 5,
                                    [&](int) { return std::pow(10, random.uniform(-3, 3)); });
    const Forces found = support::find_forces(wall.bodies, wall.contacts);
    expect_conditions(found, std::to_string(trial),
                      1e6 * 10 * std::numeric_limits<double>::epsilon());
    EXPECT_EQ(found.result.status, ForceStatus::Converged) << trial;
  }
}

Stack make_leaning_stack(base::Random& random, int bricks) {
  Stack stack;
  double x = 0;
  for (int i = 0; i < bricks; ++i) {
    const double below = x;
    if (i > 0) x += random.uniform(-0.9, 0.9);
    support::add_brick(stack.bodies, random.uniform(0.5, 2), Vec3(2, 1, 1), Vec3(x, 0, i + 0.5));
    for (const double at : {std::max(below, x) - 1, std::min(below, x) + 1})
      stack.contacts.push_back(support::stand(i, i - 1, Vec3(at, 0, i)));
  }
  return stack;
}

// Where the ladder finds a solution, it is one.
TEST(ContactForcesAtRandom, AgreeWithTheHeuristicWhereThatIsRight) {
  base::Random random(46);
  int right = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Stack stack = make_leaning_stack(random, 2 + trial % 5);
    const auto problem = support::make_problem(stack.bodies, stack.contacts);
    const auto without = support::under_gravity(problem);
    const Forces exact = support::find_forces(problem, without);
    expect_conditions(exact, std::to_string(trial));
    const Forces guessed =
        support::find_forces(problem, without, {.solver = ForceSolver::Heuristic, .sides = 0});
    if (guessed.result.rungs.least_sum > 0) continue;
    ++right;
    double apart = 0;
    for (std::size_t k = 0; k < exact.left.size(); ++k)
      apart = std::max(apart, std::abs(guessed.left[k] - exact.left[k]));
    EXPECT_LE(apart, 1e-9) << trial;
  }
  EXPECT_GE(right, 50);
}

}  // namespace
}  // namespace carom::resting
