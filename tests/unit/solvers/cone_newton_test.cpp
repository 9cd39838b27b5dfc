// Expected impulses: lever rules, Coulomb's law in closed form, the enumeration of all active sets;
// and what an answer leaves of De Saxcé's form of the law, computed here from dense matrices.
#include "carom/solvers/cone_newton.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"
#include "reference/active_sets.h"

namespace carom::solvers {
namespace {

using math::BlockRows;
using math::Index;

constexpr double kGravity = 9.81;
constexpr std::int32_t kWorld = BlockRows::kNone;

// Bodies with principal axes along the world's, and contacts between them, in coordinates in which
// ½|y|² is the energy.
struct Bodies {
  struct Body {
    double mass = 1;
    Vec3 inertia = Vec3::Ones();
    Vec3 at = Vec3::Zero();
  };
  explicit Bodies(std::vector<Body> made) : bodies(std::move(made)) {
    std::vector<BlockRows::Stretch> stretches;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      stretches.push_back({static_cast<Index>(6 * i), 6});
    }
    rows.reset(stretches);
  }

  void touch(std::int32_t a, std::int32_t b, const Vec3& point, const Vec3& normal, double mu) {
    const math::Tangents tangents = math::make_tangents(normal);
    for (const Vec3& along : {normal, tangents.first, tangents.second}) {
      const Index row = rows.add(a, b);
      fill(row, 0, a, point, along);
      fill(row, 1, b, point, -along);
    }
    friction.push_back(mu);
  }

  // Rows' velocities when every body has gained `dv`.
  VecX rates(const Vec3& dv) {
    VecX y = VecX::Zero(rows.dimension());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      y.segment<3>(static_cast<Index>(6 * i)) = std::sqrt(bodies[i].mass) * dv;
    }
    return dense() * y;
  }

  MatX dense() const {
    MatX R = MatX::Zero(rows.size(), rows.dimension());
    for (Index i = 0; i < rows.size(); ++i) {
      for (const int p : {0, 1}) {
        const std::int32_t s = rows.stretch_of(i, p);
        if (s != kWorld) R.block<1, 6>(i, Index{6} * s) += rows.part(i, p).transpose();
      }
    }
    return R;
  }

  std::vector<Body> bodies;
  BlockRows rows;
  std::vector<double> friction;

 private:
  void fill(Index row, int part, std::int32_t body, const Vec3& point, const Vec3& along) {
    if (body == kWorld) return;
    const Body& of = bodies[static_cast<std::size_t>(body)];
    rows.part(row, part).head<3>() = along / std::sqrt(of.mass);
    rows.part(row, part).tail<3>() =
        (point - of.at).cross(along).cwiseQuotient(of.inertia.cwiseSqrt());
  }
};

struct Solution {
  SolveResult result;
  VecX x, velocity;
  double total(Index part) const {
    double sum = 0;
    for (Index i = part; i < x.size(); i += 3) sum += x[i];
    return sum;
  }
};

Solution solve(const BlockRows& rows, const MatX& R, const VecX& w,
               const std::vector<double>& friction,
               const std::vector<SlipDirection>& sliding = {}) {
  Solution solution{{}, VecX::Zero(w.size()), {}};
  ConeNewton solver;
  const double speed = w.size() > 0 ? w.cwiseAbs().maxCoeff() : 0.0;
  solution.result = solver.solve(rows, w, friction, {solution.x.data(), w.size()},
                                 {.tolerance = 1e-13 * speed, .sliding = sliding});
  solution.velocity = w + R * (R.transpose() * solution.x);
  return solution;
}
Solution solve(Bodies& bodies, const VecX& w, const std::vector<SlipDirection>& sliding = {}) {
  bodies.rows.index();
  return solve(bodies.rows, bodies.dense(), w, bodies.friction, sliding);
}

Vec3 project_onto_cone(const Vec3& x, double mu) {
  const double tangent = std::hypot(x.y(), x.z());
  if (tangent <= mu * x.x()) return x;
  if (mu * tangent <= -x.x()) return Vec3::Zero();
  const double normal = (x.x() + mu * tangent) / (1 + mu * mu);
  const double shrink = tangent > 0 ? mu * normal / tangent : 0;
  return {normal, shrink * x.y(), shrink * x.z()};
}

// The greatest |x - P(x - ρ(u_n + μ|u_t|, u_t))| / ρ over the contacts with ρ = 1/|r|², zero where
// Coulomb's law holds (De Saxcé's form of it): velocities over |r| beside the greatest of them,
// normal ones over μ.
double natural_residual(const MatX& R, const VecX& w, const std::vector<double>& friction,
                        const VecX& x) {
  const VecX u = w + R * (R.transpose() * x);
  double worst = 0, speed = 0;
  for (std::size_t k = 0; k < friction.size(); ++k) {
    const auto i = static_cast<Index>(3 * k);
    const double square = R.row(i).squaredNorm(), mu = friction[k];
    if (square == 0) continue;
    const Vec3 own = x.segment<3>(i);
    const Vec3 against(u[i] + mu * std::hypot(u[i + 1], u[i + 2]), u[i + 1], u[i + 2]);
    const Vec3 left = square * (own - project_onto_cone(own - against / square, mu));
    worst = std::max(worst, left.norm() / std::sqrt(square));
    speed = std::max({speed, std::abs(w[i]) / (mu > 0 ? mu : 1) / std::sqrt(square),
                      w.segment<2>(i + 1).cwiseAbs().maxCoeff() / std::sqrt(square)});
  }
  return worst / speed;
}

Bodies make_legs(const std::vector<Vec3>& feet, const Bodies::Body& body, double mu = 0) {
  Bodies bodies({body});
  for (const Vec3& foot : feet) bodies.touch(0, kWorld, foot, Vec3::UnitZ(), mu);
  return bodies;
}
const Vec3 kFall(0, 0, -kGravity);

TEST(ConeNewton, CarriesABlockOnTwoCorners) {
  Bodies block = make_legs({{-0.5, 0, 0}, {0.5, 0, 0}}, {.at = Vec3(0, 0, 0.5)});
  const Solution found = solve(block, block.rates(kFall));
  EXPECT_EQ(found.result.status, SolveStatus::Converged);
  EXPECT_NEAR(found.x[0], 4.905, 4.905e-9);
  EXPECT_NEAR(found.x[3], 4.905, 4.905e-9);
  EXPECT_EQ(found.x[1], 0);
}

TEST(ConeNewton, FollowsTheLeverRule) {
  for (const double mu : {0.0, 0.5}) {
    Bodies block = make_legs({{-0.8, 0, 0}, {1, 0, 0}}, {.at = Vec3(0, 0, 0.5)}, mu);
    const Solution found = solve(block, block.rates(kFall));
    EXPECT_NEAR(found.x[0], 5.45, 5.45e-9) << mu;
    EXPECT_NEAR(found.x[3], 4.36, 4.36e-9) << mu;
  }
}

// Any forces that carry the weight without a moment will do.
TEST(ConeNewton, CarriesAChairWithMoreLegsThanItNeeds) {
  for (const double mu : {0.0, 0.5}) {
    for (const int count : {3, 4, 5, 6, 8}) {
      std::vector<Vec3> feet;
      for (int i = 0; i < count; ++i) {
        const double angle = 2 * M_PI * (i + 0.5) / count;
        feet.emplace_back(0.25 * std::cos(angle), 0.25 * std::sin(angle), 0);
      }
      Bodies chair = make_legs(feet, {5, Vec3(0.3, 0.3, 0.2), Vec3(0, 0, 0.4)}, mu);
      const Solution found = solve(chair, chair.rates(kFall));
      EXPECT_EQ(found.result.status, SolveStatus::Converged) << count << ' ' << mu;
      EXPECT_NEAR(found.total(0), 5 * kGravity, 5e-9 * kGravity) << count << ' ' << mu;
      EXPECT_LT(found.velocity.cwiseAbs().maxCoeff(), 1e-9) << count << ' ' << mu;
      for (Index i = 0; i < 3 * count; i += 3) {
        EXPECT_GE(found.x[i], 0) << count << ' ' << mu;
        EXPECT_LE(std::hypot(found.x[i + 1], found.x[i + 2]), mu * found.x[i] + 1e-9);
      }
    }
  }
}

// Centre of mass beyond the edge: two legs carry p with 2p (1/m + x²/I) = g, two lift.
TEST(ConeNewton, LetsTheLegsGoThatATippingTableLifts) {
  Bodies table = make_legs({{-1.1, -0.3, 0}, {-0.1, -0.3, 0}, {-0.1, 0.3, 0}, {-1.1, 0.3, 0}},
                           {10, Vec3(0.6, 1, 1), Vec3(0, 0, 0.5)});
  const Solution found = solve(table, table.rates(kFall));
  const double carried = kGravity / 2 / (0.1 + 0.01);
  EXPECT_NEAR(found.x[0], 0, 1e-7);
  EXPECT_NEAR(found.x[3], carried, 1e-7);
  EXPECT_NEAR(found.x[6], carried, 1e-7);
  EXPECT_NEAR(found.x[9], 0, 1e-7);
}

// Weight on a slope as tilted gravity: holds up to μ = tan θ, else slides under what is left.
TEST(ConeNewton, SticksOrSlidesOnASlope) {
  const double slope = M_PI / 9;
  for (const double mu : {0.1, 0.2, 0.3, 0.4, 0.5, 1.0}) {
    Bodies block = make_legs({{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {-0.5, 0.5, 0}, {0.5, 0.5, 0}},
                             {1, Vec3(0.1, 0.1, 0.2), Vec3(0, 0, 0.1)}, mu);
    const Vec3 gravity = kGravity * Vec3(std::sin(slope), 0, -std::cos(slope));
    const VecX w = block.rates(gravity);
    const Solution found = solve(block, w);
    const double slides = std::max(0.0, std::sin(slope) - mu * std::cos(slope)) * kGravity;
    EXPECT_EQ(found.result.status, SolveStatus::Converged) << mu;
    EXPECT_NEAR(found.total(0), kGravity * std::cos(slope), 1e-8) << mu;
    for (Index i = 0; i < 12; i += 3) {
      EXPECT_NEAR(found.velocity[i], 0, 1e-8) << mu;
      EXPECT_NEAR(std::hypot(found.velocity[i + 1], found.velocity[i + 2]), slides, 1e-8) << mu;
    }
  }
}

// A point mass that strikes the floor sticks when |v_t| <= μ |v_n|, else is slowed by μ |v_n|.
TEST(ConeNewton, StopsOrSlowsAPointMass) {
  const double mu = 0.5;
  for (const double angle : {0.0, 0.7, 2.0, 4.0}) {
    for (const double speed : {0.0, 0.4, 0.6, 3.0}) {
      Bodies point({{.mass = 2, .inertia = Vec3::Ones()}});
      point.touch(0, kWorld, Vec3::Zero(), Vec3::UnitZ(), mu);
      const Vec3 v(speed * std::cos(angle), speed * std::sin(angle), -1);
      const Solution found = solve(point, point.rates(v));
      const double left = std::max(0.0, speed - mu);
      EXPECT_NEAR(found.x[0], 2, 1e-12) << speed;
      EXPECT_NEAR(found.velocity[0], 0, 1e-12) << speed;
      EXPECT_NEAR(std::hypot(found.velocity[1], found.velocity[2]), left, 1e-12) << speed;
      EXPECT_NEAR(std::hypot(found.x[1], found.x[2]), 2 * std::min(speed, mu), 1e-12) << speed;
    }
  }
}

TEST(ConeNewton, LeavesSeparatingContactsAlone) {
  Bodies block = make_legs({{-0.5, 0, 0}, {0.5, 0, 0}}, {.at = Vec3(0, 0, 0.5)}, 0.3);
  const Solution found = solve(block, block.rates(Vec3(0.1, 0, 2)));
  EXPECT_LT(found.x.cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_EQ(solve(block, VecX::Zero(6)).x, VecX::Zero(6));
}

TEST(ConeNewton, AgreesWithTryingAllActiveSetsWithoutFriction) {
  base::Random random(11);
  int gave_up = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Index count = 1 + static_cast<Index>(random.next() % 7);
    const Index dimension = 1 + static_cast<Index>(random.next() % 6);
    const BlockRows::Stretch whole{0, dimension};
    BlockRows rows;
    rows.reset({&whole, 1});
    MatX normals(count, dimension), R = MatX::Zero(3 * count, dimension);
    for (double& each : normals.reshaped()) each = random.uniform(-1, 1);
    for (Index i = 0; i < 3 * count; ++i) {
      rows.add(0, kWorld);
      if (i % 3 == 0) R.row(i) = normals.row(i / 3);
      rows.part(i, 0) = R.row(i).transpose();
    }
    rows.index();
    VecX y(dimension);
    for (double& each : y) each = random.uniform(-1, 1);
    const auto expected =
        reference::solve_by_enumeration(normals * normals.transpose(), normals * y);
    ASSERT_TRUE(expected) << trial;
    const VecX velocity = normals * (y + normals.transpose() * expected->cast<double>());
    const Solution found =
        solve(rows, R, R * y, std::vector<double>(static_cast<std::size_t>(count), 0.0));
    if (found.result.status != SolveStatus::Converged) {
      ++gave_up;
      continue;
    }
    for (Index i = 0; i < count; ++i) {
      EXPECT_NEAR(found.velocity[3 * i], velocity[i], 1e-12) << trial;
    }
  }
  EXPECT_LE(gave_up, 2);
}

// A heavy box on a light one: the lower contacts carry both, the upper ones the heavy one.
TEST(ConeNewton, CarriesAMillionTimesTheWeight) {
  for (const double mu : {0.0, 0.5}) {
    for (const double ratio : {1e-6, 1.0, 1e6}) {
      Bodies tower({{1, Vec3::Constant(1.0 / 6), Vec3(0, 0, 0.5)},
                    {ratio, Vec3::Constant(ratio / 6), Vec3(0, 0, 1.5)}});
      for (const double x : {-0.5, 0.5}) {
        for (const double y : {-0.5, 0.5}) {
          tower.touch(0, kWorld, Vec3(x, y, 0), Vec3::UnitZ(), mu);
          tower.touch(1, 0, Vec3(x, y, 1), Vec3::UnitZ(), mu);
        }
      }
      const Solution found = solve(tower, tower.rates(kFall));
      EXPECT_EQ(found.result.status, SolveStatus::Converged) << ratio << ' ' << mu;
      double lower = 0, upper = 0;
      for (Index i = 0; i < 24; i += 6) {
        lower += found.x[i];
        upper += found.x[i + 3];
      }
      EXPECT_NEAR(lower, (1 + ratio) * kGravity, 1e-8 * (1 + ratio)) << ratio << ' ' << mu;
      EXPECT_NEAR(upper, ratio * kGravity, 1e-8 * (1 + ratio)) << ratio << ' ' << mu;
    }
  }
}

// A sphere that slides on its foot at a known slip: friction is μ times the normal impulse against
// it, also when it would turn the slip round.
TEST(ConeNewton, PushesAgainstAKnownSlip) {
  for (const double speed : {0.1, 5.0}) {
    Bodies ball = make_legs({{0, 0, 0}}, {2, Vec3::Constant(0.8), Vec3(0, 0, 1)}, 0.3);
    const Solution found =
        solve(ball, ball.rates(Vec3(speed, 0, -1)), {{std::sqrt(0.5), -std::sqrt(0.5)}});
    EXPECT_NEAR(found.x[0], 2, 1e-9);
    EXPECT_NEAR(found.x[1], -0.6 * std::sqrt(0.5), 1e-9);
    EXPECT_NEAR(found.x[2], 0.6 * std::sqrt(0.5), 1e-9);
  }
}

// A rod's end slides where normal and friction are coupled: (K_nn - μ K_ns) p = -u_n.
TEST(ConeNewton, FindsTheNormalImpulseThatAKnownSlipChanges) {
  for (const double mu : {0.05, 0.1, 0.2, 0.4}) {
    for (const double way : {-1.0, 1.0}) {
      Bodies rod = make_legs({{0.4, 0, 0}}, {1, Vec3::Constant(1.0 / 12), Vec3(0, 0, 0.3)}, mu);
      const MatX R = rod.dense();
      const MatX K = R * R.transpose();
      const Solution found = solve(rod, rod.rates(Vec3(0, 0, -1)), {{0, way}});
      EXPECT_NEAR(found.x[0], 1 / (K(0, 0) - mu * way * K(0, 2)), 1e-6) << mu << ' ' << way;
      EXPECT_EQ(found.x[2], -way * mu * found.x[0]);
    }
  }
}

// A ball between two walls that close on it: no impulse stops both.
TEST(ConeNewton, EndsWhereNothingCanBeDone) {
  for (const double mu : {0.0, 0.5}) {
    Bodies ball({{.mass = 1, .inertia = Vec3::Constant(0.4)}});
    ball.touch(0, kWorld, Vec3(-1, 0, 0), Vec3::UnitX(), mu);
    ball.touch(0, kWorld, Vec3(1, 0, 0), -Vec3::UnitX(), mu);
    VecX w = VecX::Zero(6);
    w[0] = w[3] = -1;
    const Solution found = solve(ball, w);
    EXPECT_EQ(found.result.status, SolveStatus::IterationCap) << mu;
    EXPECT_TRUE(found.x.allFinite()) << mu;
    EXPECT_GT(found.result.residual, 1e-3) << mu;
  }
}

Bodies make_random(base::Random& random, double max_friction, double decades) {
  const auto any = [&](double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                random.uniform(-size, size));
  };
  std::vector<Bodies::Body> made(1 + random.next() % 6);
  for (Bodies::Body& body : made) {
    body.mass = std::pow(10, random.uniform(-0.5 * decades, 0.5 * decades));
    body.inertia = body.mass * (Vec3::Constant(0.3) + 0.1 * any(1));
    body.at = any(2);
  }
  Bodies bodies(made);
  const std::size_t contacts = 1 + random.next() % (4 * made.size());
  for (std::size_t k = 0; k < contacts; ++k) {
    const auto a = static_cast<std::int32_t>(random.next() % made.size());
    auto b = static_cast<std::int32_t>(random.next() % made.size());
    if (b == a) b = kWorld;
    const Vec3 point = bodies.bodies[static_cast<std::size_t>(a)].at + any(1);
    bodies.touch(a, b, point, any(1).normalized(), random.uniform(0, max_friction));
  }
  return bodies;
}

VecX random_rates(Bodies& bodies, base::Random& random) {
  VecX velocities(6 * static_cast<Index>(bodies.bodies.size()));
  for (std::size_t i = 0; i < bodies.bodies.size(); ++i) {
    for (int k = 0; k < 6; ++k) {
      velocities[static_cast<Index>(6 * i) + k] =
          std::sqrt(bodies.bodies[i].mass) * random.uniform(-1, 1);
    }
  }
  return bodies.dense() * velocities;
}

struct Tally {
  int converged = 0, solved = 0;  // by its own word; to 1e-5 as measured here
  double worst_converged = 0;
};
Tally solve_random(double friction, double decades, int trials) {
  base::Random random(31);
  Tally tally;
  for (int trial = 0; trial < trials; ++trial) {
    Bodies bodies = make_random(random, friction, decades);
    const VecX w = random_rates(bodies, random);
    const Solution found = solve(bodies, w);
    EXPECT_TRUE(found.x.allFinite()) << trial;
    const double left = natural_residual(bodies.dense(), w, bodies.friction, found.x);
    if (left < 1e-5) ++tally.solved;
    if (found.result.status != SolveStatus::Converged) continue;
    ++tally.converged;
    tally.worst_converged = std::max(tally.worst_converged, left);
  }
  return tally;
}

// Contacts at random drive one another in, which real ones seldom do, and nothing was swept before.
TEST(ConeNewton, ObeysCoulombsLawOnMostRandomContacts) {
  struct Expected {
    double friction, solved;
  };
  for (const double decades : {0.0, 3.0}) {  // of mass
    for (const auto& [friction, solved] : {Expected{0, 0.98}, {0.2, 0.98}, {0.5, 0.9}, {1, 0.6}}) {
      const Tally tally = solve_random(friction, decades, 100);
      EXPECT_LE(tally.worst_converged, 1e-4) << friction << ' ' << decades;
      EXPECT_GE(tally.solved, 100 * solved) << friction << ' ' << decades;
    }
  }
}

// Rows of zeros (a contact between what cannot move), the same contact twice, rows that oppose.
TEST(ConeNewton, NeverAnswersWithWhatIsNotANumber) {
  base::Random random(32);
  for (int trial = 0; trial < 300; ++trial) {
    Bodies bodies = make_random(random, 1, 2);
    const std::size_t first = bodies.friction.size();
    for (int k = 0; k < 3; ++k) {
      const auto a = static_cast<std::int32_t>(random.next() % bodies.bodies.size());
      const Vec3 normal(random.next() % 2 == 0 ? 1 : -1, 0, 0);
      bodies.touch(a, kWorld, Vec3(random.uniform(), 0, 0), normal, random.uniform());
      if (random.next() % 2 == 0) {
        bodies.touch(a, kWorld, Vec3(0.5, 0, 0), normal, random.uniform());
        bodies.touch(a, kWorld, Vec3(0.5, 0, 0), normal, random.uniform());
      }
    }
    for (Index i = static_cast<Index>(3 * first); i < bodies.rows.size(); ++i) {
      if (random.next() % 4 == 0) bodies.rows.part(i, 0).setZero();
    }
    VecX w = random_rates(bodies, random);
    if (trial % 3 == 0) {  // velocities that no motion has
      for (double& each : w) each = random.uniform(-1, 1);
    }
    const Solution found = solve(bodies, w);
    EXPECT_TRUE(found.x.allFinite()) << trial;
    EXPECT_TRUE(found.velocity.allFinite()) << trial;
  }
}

// Rows of balls on a floor and on each other, with couples at every contact; what an answer leaves
// of its laws, from dense matrices: -u opposes κ at the end of the ball, or is zero.
struct TurningBalls {
  BlockRows rows;
  std::vector<double> friction;
  std::vector<Couple> couples;
};

TurningBalls make_turning_balls(base::Random& random) {
  Bodies bodies({{1, 0.4 * Vec3::Ones(), Vec3(0, 0, 1)}, {3, 1.2 * Vec3::Ones(), Vec3(0, 0, 3)}});
  bodies.touch(0, kWorld, Vec3::Zero(), Vec3::UnitZ(), 0.5);
  bodies.touch(1, 0, Vec3(0, 0, 2), Vec3::UnitZ(), 0.3);
  TurningBalls made{std::move(bodies.rows), bodies.friction, {}};
  for (const std::int32_t contact : {0, 1}) {
    const double arm = contact == 0 ? 1 : 0.5;
    for (int axis = 0; axis < 3; ++axis) {
      const Index row = made.rows.add(contact, contact == 0 ? kWorld : 0);
      made.rows.part(row, 0)[3 + axis] =
          arm / std::sqrt(bodies.bodies[static_cast<std::size_t>(contact)].inertia.x());
      if (contact == 1) made.rows.part(row, 1)[3 + axis] = -arm / std::sqrt(0.4);
    }
    made.couples.push_back({contact, random.uniform(0, 0.2)});
  }
  made.rows.index();
  return made;
}

TEST(ConeNewton, FindsCouplesThatOpposeTurning) {
  base::Random random(12);
  for (int trial = 0; trial < 200; ++trial) {
    TurningBalls balls = make_turning_balls(random);
    MatX R = MatX::Zero(balls.rows.size(), balls.rows.dimension());
    for (Index i = 0; i < R.rows(); ++i) {
      VecX row = VecX::Zero(R.cols());
      balls.rows.add_to({row.data(), row.size()}, i, 1);
      R.row(i) = row.transpose();
    }
    VecX w(R.rows()), x = VecX::Zero(R.rows());
    for (double& each : w) each = random.uniform(-1, 1);
    w[0] = w[3] = -1;
    ConeNewton solver;
    const SolveResult result = solver.solve(balls.rows, w, balls.friction, {x.data(), x.size()},
                                            {.tolerance = 1e-13, .couples = balls.couples});
    EXPECT_EQ(result.status, SolveStatus::Converged) << trial;
    const VecX u = w + R * (R.transpose() * x);
    for (std::size_t k = 0; k < balls.couples.size(); ++k) {
      const auto i = static_cast<Index>(6 + 3 * k);
      const Vec3 own = x.segment<3>(i), turning = u.segment<3>(i);
      const double radius = balls.couples[k].coefficient * x[static_cast<Index>(3 * k)];
      EXPECT_LE(own.norm(), radius * (1 + 1e-9) + 1e-12) << trial;
      EXPECT_NEAR(turning.dot(own), -radius * turning.norm(), 1e-9) << trial;
    }
    EXPECT_GE(u[0], -1e-10);
    EXPECT_NEAR(x[0] * u[0], 0, 1e-9);
  }
}

}  // namespace
}  // namespace carom::solvers
