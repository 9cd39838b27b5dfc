// Differential-algebraic systems with known solutions.
#include "carom/solvers/dae.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace carom::solvers {
namespace {

using In = DaeSystem::In;

SparsePattern make_dense(std::int64_t size) {
  SparsePattern pattern;
  for (std::int64_t column = 0; column < size; ++column) {
    pattern.starts.push_back(column * size);
    for (std::int64_t row = 0; row < size; ++row) pattern.rows.push_back(row);
  }
  pattern.starts.push_back(size * size);
  return pattern;
}

auto weights_of(double tolerance, double least = 1) {
  return [=](const In& y, math::VecView& out) {
    for (math::Index i = 0; i < y.size(); ++i)
      out[i] = 1 / (tolerance * std::max(least, std::abs(y[i])));
  };
}

const VecX kNone;

// Steps until it stops there; what it was last told otherwise.
DaeStatus advance(DaeSolver& solver, double t_end) {
  DaeStatus status = DaeStatus::Stepped;
  for (int i = 0; i < 100000 && status == DaeStatus::Stepped; ++i) status = solver.step(t_end);
  return status;
}

VecX make(std::initializer_list<double> numbers) {
  VecX y(static_cast<math::Index>(numbers.size()));
  math::Index i = 0;
  for (const double number : numbers) y[i++] = number;
  return y;
}

// A pendulum of length and gravity 1 in Cartesian coordinates x, y, u, v with the tension λ from
// the constraint differentiated twice: x u' + y v' + u² + v² = 0 makes it index 1.
DaeSystem make_pendulum(double tolerance) {
  return {.residual =
              [](double, const In& y, const In& rate, math::VecView& out) {
                out[0] = rate[0] - y[2];
                out[1] = rate[1] - y[3];
                out[2] = rate[2] + y[4] * y[0];
                out[3] = rate[3] + y[4] * y[1] + 1;
                out[4] = y[2] * y[2] + y[3] * y[3] - y[1] - y[4] * (y[0] * y[0] + y[1] * y[1]);
                return true;
              },
          .jacobian =
              [](double, double c, const In& y, const In&, math::VecView& values) {
                MatX j = MatX::Zero(5, 5);
                j.diagonal().head<4>().setConstant(c);
                j(0, 2) = j(1, 3) = -1;
                j(2, 0) = j(3, 1) = y[4];
                j(2, 4) = y[0];
                j(3, 4) = y[1];
                j(4, 0) = -2 * y[4] * y[0];
                j(4, 1) = -1 - 2 * y[4] * y[1];
                j(4, 2) = 2 * y[2];
                j(4, 3) = 2 * y[3];
                j(4, 4) = -(y[0] * y[0] + y[1] * y[1]);
                values = j.reshaped();
              },
          .roots = [](double, const In& y, math::VecView& out) { out[0] = y[0]; },
          .weights = weights_of(tolerance),
          .quadrature =
              [](double, const In& y, const In&, math::VecView& out) {
                out[0] = y[2];
                out[1] = -y[3];  // what gravity does
              },
          .root_count = 1};
}

void release_level(DaeSolver& solver, double tolerance) {
  solver.set_pattern(make_dense(5));
  solver.restart(0, make({1, 0, 0, 0, 0}), make({0, 0, 0, -1, 0}), 1e-4,
                 VecX::Constant(2, tolerance));
}

// Released level it is below its hook after K(1/2), with speed √2 and tension 3.
constexpr double kQuarter = 1.8540746773013719;

TEST(Dae, APendulumGetsToTheBottomInTime) {
  double before = 0;
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    DaeSolver solver(make_pendulum(tolerance));
    release_level(solver, tolerance);
    ASSERT_EQ(advance(solver, 3), DaeStatus::Rooted);
    const double error = std::abs(solver.time() - kQuarter);
    EXPECT_LT(error, 100 * tolerance);
    if (before > 0) {
      EXPECT_LT(error, 0.1 * before);
    }
    before = error;
    EXPECT_NEAR(solver.y()[0], 0, 1e-12);
    EXPECT_NEAR(solver.y()[2], -std::sqrt(2), 300 * tolerance);
    EXPECT_NEAR(solver.y()[4], 3, 300 * tolerance);
    EXPECT_NEAR(solver.rate()[2], 0, 300 * tolerance);
    // Along with it: how far it got, and the work of its weight.
    EXPECT_NEAR(solver.quadratures(solver.time())[0], -1, 300 * tolerance);
    EXPECT_NEAR(solver.quadratures(solver.time())[1], 1, 300 * tolerance);
    EXPECT_GT(solver.order(), 2);
  }
}

TEST(Dae, GoesOnBehindARoot) {
  DaeSolver solver(make_pendulum(1e-9));
  release_level(solver, 1e-9);
  ASSERT_EQ(advance(solver, 10), DaeStatus::Rooted);
  ASSERT_EQ(advance(solver, 10), DaeStatus::Rooted);
  EXPECT_NEAR(solver.time(), 3 * kQuarter, 1e-6);
}

TEST(Dae, StopsWhereItIsToldAndInterpolates) {
  DaeSolver solver(make_pendulum(1e-9));
  release_level(solver, 1e-9);
  ASSERT_EQ(advance(solver, 1.25), DaeStatus::Stopped);
  EXPECT_EQ(solver.time(), 1.25);
  const double before = 1.25 - 0.5 * solver.last_step();
  VecX y(5), rate(5);
  solver.interpolate(before, 0, {y.data(), 5});
  solver.interpolate(before, 1, {rate.data(), 5});
  EXPECT_NEAR(y.head<2>().norm(), 1, 1e-7);
  EXPECT_NEAR(0.5 * y.segment<2>(2).squaredNorm(), -y[1], 1e-7);
  EXPECT_NEAR(rate[0], y[2], 1e-5);
  // A later step, and another stop, reach what is reached without.
  ASSERT_EQ(advance(solver, 1.5), DaeStatus::Stopped);
  DaeSolver straight(make_pendulum(1e-9));
  release_level(straight, 1e-9);
  ASSERT_EQ(advance(straight, 1.5), DaeStatus::Stopped);
  EXPECT_LT((solver.y() - straight.y()).norm(), 1e-6);
}

// Beginning anew forgets everything: the same steps again, to the last bit.
TEST(Dae, BeginsAnewAsIfForTheFirstTime) {
  DaeSolver solver(make_pendulum(1e-8)), other(make_pendulum(1e-8));
  release_level(solver, 1e-8);
  ASSERT_EQ(advance(solver, 1.3), DaeStatus::Stopped);
  release_level(solver, 1e-8);
  release_level(other, 1e-8);
  ASSERT_EQ(advance(solver, 1.7), DaeStatus::Stopped);
  ASSERT_EQ(advance(other, 1.7), DaeStatus::Stopped);
  EXPECT_EQ(VecX(solver.y()), VecX(other.y()));
  EXPECT_EQ(VecX(solver.rate()), VecX(other.rate()));
  EXPECT_EQ(VecX(solver.quadratures(solver.time())), VecX(other.quadratures(other.time())));
  EXPECT_EQ(solver.counts().steps, other.counts().steps);
}

// Robertson's reaction with the third species from conservation; values at t = 40 of the DETEST
// set.
TEST(Dae, RobertsonsReaction) {
  DaeSystem system;
  system.residual = [](double, const In& y, const In& rate, math::VecView& out) {
    const double first = 0.04 * y[0], second = 1e4 * y[1] * y[2], third = 3e7 * y[1] * y[1];
    out[0] = rate[0] + first - second;
    out[1] = rate[1] - first + second + third;
    out[2] = y[0] + y[1] + y[2] - 1;
    return true;
  };
  system.jacobian = [](double, double c, const In& y, const In&, math::VecView& values) {
    values = make({c + 0.04, -0.04, 1, -1e4 * y[2], c + 1e4 * y[2] + 6e7 * y[1], 1, -1e4 * y[1],
                   1e4 * y[1], 1});
  };
  system.weights = weights_of(1e-10, 1e-4);
  DaeSolver solver(system);
  solver.set_pattern(make_dense(3));
  solver.restart(0, make({1, 0, 0}), make({-0.04, 0.04, 0}), 1e-6, kNone);
  ASSERT_EQ(advance(solver, 40), DaeStatus::Stopped);
  EXPECT_NEAR(solver.y()[0], 0.7158270687193941, 1e-8);
  EXPECT_NEAR(solver.y()[1], 0.9185534764557340e-5, 1e-12);
  EXPECT_NEAR(solver.y()[2], 0.2841637457458413, 1e-8);
  EXPECT_LT(solver.counts().steps, 1000);
  EXPECT_EQ(solver.quadratures(solver.time()).size(), 0);
}

// Height and speed of a ball that is thrown back up, by a new beginning, where it lands.
TEST(Dae, ABouncingBallLandsInTime) {
  DaeSystem system;
  system.residual = [](double, const In& y, const In& rate, math::VecView& out) {
    out[0] = rate[0] - y[1];
    out[1] = rate[1] + 9.81;
    return true;
  };
  system.jacobian = [](double, double c, const In&, const In&, math::VecView& values) {
    values = make({c, -1, c});
  };
  system.roots = [](double, const In& y, math::VecView& out) { out[0] = y[0]; };
  system.weights = weights_of(1e-10);
  system.root_count = 1;
  DaeSolver solver(system);
  solver.set_pattern({{0, 1, 3}, {0, 0, 1}});
  solver.restart(0, make({1, 0}), make({0, -9.81}), 1e-3, kNone);
  double landing = std::sqrt(2 / 9.81), speed = std::sqrt(2 * 9.81);
  for (int bounce = 0; bounce < 5; ++bounce) {
    ASSERT_EQ(advance(solver, 10), DaeStatus::Rooted);
    EXPECT_NEAR(solver.time(), landing, 1e-8);
    EXPECT_NEAR(solver.y()[1], -speed, 1e-8);
    speed *= 0.8;
    landing += 2 * speed / 9.81;
    solver.restart(solver.time(), make({0, speed}), make({speed, -9.81}), 1e-3, kNone);
  }
}

// Masses in a row, at first free of each other; springs join them one by one, each with new entries
// in the Jacobian. Joined from the start or later, they end up where exact modes say.
struct Chain {
  static constexpr int kMasses = 6;
  int joined = 0;

  SparsePattern pattern() const {
    SparsePattern found;
    found.starts.push_back(0);
    for (int column = 0; column < 2 * kMasses; ++column) {
      const int mass = column % kMasses;
      if (column < kMasses) {
        found.rows.push_back(column);
        if (mass > 0 && mass <= joined) found.rows.push_back(kMasses + mass - 1);
        found.rows.push_back(kMasses + mass);
        if (mass < joined) found.rows.push_back(kMasses + mass + 1);
      } else {
        found.rows.push_back(mass);
        found.rows.push_back(column);
      }
      found.starts.push_back(static_cast<std::int64_t>(found.rows.size()));
    }
    return found;
  }
  double stiffness(int i, int k) const {  // of the force on i by the place of k
    double sum = i == k ? -1 : 0;         // each to its own place
    for (int spring = 0; spring < joined; ++spring) {
      const int sign = (i == spring) - (i == spring + 1), other = (k == spring) - (k == spring + 1);
      sum -= 4 * sign * other;
    }
    return sum;
  }
  MatX matrix() const {
    MatX m(kMasses, kMasses);
    for (int i = 0; i < kMasses; ++i)
      for (int k = 0; k < kMasses; ++k) m(i, k) = stiffness(i, k);
    return m;
  }
};

DaeSystem make_chain(const Chain& chain) {
  constexpr int n = Chain::kMasses;
  DaeSystem system;
  system.residual = [&chain](double, const In& y, const In& rate, math::VecView& out) {
    out = rate;
    out.head<n>() -= y.tail<n>();
    out.tail<n>() -= chain.matrix() * y.head<n>();
    return true;
  };
  system.jacobian = [&chain](double, double c, const In&, const In&, math::VecView& values) {
    const SparsePattern pattern = chain.pattern();
    MatX j = c * MatX::Identity(2 * n, 2 * n);
    j.topRightCorner<n, n>() = -MatX::Identity(n, n);
    j.bottomLeftCorner<n, n>() = -chain.matrix();
    for (int column = 0; column < 2 * n; ++column)
      for (auto i = pattern.starts[static_cast<std::size_t>(column)];
           i < pattern.starts[static_cast<std::size_t>(column) + 1]; ++i)
        values[i] = j(pattern.rows[static_cast<std::size_t>(i)], column);
  };
  system.weights = weights_of(1e-9);
  return system;
}

TEST(Dae, ThePatternMayGrowAsItGoes) {
  constexpr int n = Chain::kMasses;
  Chain chain;
  DaeSolver solver(make_chain(chain));
  VecX y = VecX::Zero(2 * n), rate = VecX::Zero(2 * n);
  for (int i = 0; i < n; ++i) y[i] = 1 + 0.3 * i;
  rate.tail(n) = chain.matrix() * y.head(n);
  solver.set_pattern(chain.pattern());
  solver.restart(0, y, rate, 1e-4, kNone);
  VecX place = y.head(n), speed = y.tail(n);
  for (int stage = 0; stage < n; ++stage) {
    ASSERT_EQ(advance(solver, 0.5 * (stage + 1)), DaeStatus::Stopped) << stage;
    // By modes: place'' = M place.
    const Eigen::SelfAdjointEigenSolver<MatX> modes(chain.matrix());
    const VecX w = (-modes.eigenvalues()).cwiseSqrt();
    const VecX a = modes.eigenvectors().transpose() * place,
               b = modes.eigenvectors().transpose() * speed;
    const VecX c = (0.5 * w).array().cos(), s = (0.5 * w).array().sin();
    place = modes.eigenvectors() * (a.cwiseProduct(c) + b.cwiseProduct(s).cwiseQuotient(w));
    speed = modes.eigenvectors() * (b.cwiseProduct(c) - a.cwiseProduct(s).cwiseProduct(w));
    EXPECT_LT((solver.y().head(n) - place).norm(), 1e-5) << stage;
    chain.joined = std::min(stage + 1, n - 1);
    solver.set_pattern(chain.pattern());
  }
}

// Another size is another problem: memory is taken anew.
TEST(Dae, TheSizeMayChange) {
  DaeSystem system;
  system.residual = [](double, const In& y, const In& rate, math::VecView& out) {
    out = rate + y;
    return true;
  };
  system.jacobian = [](double, double c, const In&, const In&, math::VecView& values) {
    values.setConstant(c + 1);
  };
  system.quadrature = [](double, const In& y, const In&, math::VecView& out) {
    out.setConstant(y[0]);
  };
  system.weights = weights_of(1e-9);
  DaeSolver solver(system);
  for (const int size : {2, 5, 3}) {
    SparsePattern pattern;
    for (int i = 0; i < size; ++i) {
      pattern.starts.push_back(i);
      pattern.rows.push_back(i);
    }
    pattern.starts.push_back(size);
    solver.set_pattern(pattern);
    solver.restart(0, VecX::Ones(size), -VecX::Ones(size), 1e-4, VecX::Constant(size, 1e-9));
    ASSERT_EQ(advance(solver, 1), DaeStatus::Stopped);
    EXPECT_LT((solver.y() - VecX::Constant(size, std::exp(-1))).norm(), 1e-7);
    EXPECT_LT((solver.quadratures(solver.time()) - VecX::Constant(size, 1 - std::exp(-1))).norm(),
              1e-7);
  }
}

// A residual that is refused shortens steps; refused for good, the solver says so.
TEST(Dae, FailsWhereTheResidualRefuses) {
  double wall = 1;
  DaeSystem system;
  system.residual = [&](double t, const In& y, const In& rate, math::VecView& out) {
    out = rate + y;
    return t < wall;
  };
  system.jacobian = [](double, double c, const In&, const In&, math::VecView& values) {
    values.setConstant(c + 1);
  };
  system.weights = weights_of(1e-8);
  DaeSolver solver(system);
  solver.set_pattern({{0, 1}, {0}});
  solver.restart(0, make({1}), make({-1}), 1e-3, kNone);
  EXPECT_EQ(advance(solver, 2), DaeStatus::Failed);
  EXPECT_LE(solver.time(), 1);
  EXPECT_GT(solver.time(), 0.5);
  EXPECT_NEAR(solver.y()[0], std::exp(-solver.time()), 1e-6);
  wall = 3;
  solver.restart(0, make({1}), make({-1}), 1e-3, kNone);
  EXPECT_EQ(advance(solver, 2), DaeStatus::Stopped);
  EXPECT_NEAR(solver.y()[0], std::exp(-2), 1e-6);
}

}  // namespace
}  // namespace carom::solvers
