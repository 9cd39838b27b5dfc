// Vouga et al. §5.3 and §6.1: each of the five properties is needed to end. An operator that lacks
// one keeps the other four and goes on for ever; with the property back it ends. Values: the
// paper's, and exact fractions for the collapse of figure 8.
#include <gtest/gtest.h>

#include <numbers>
#include <utility>

#include "reference/operators.h"

namespace carom::reference {
namespace {

LongVec vector(std::initializer_list<long double> values) {
  LongVec v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

Constraints make_wall() { return {LongVec::Ones(2), vector({0, 1})}; }

Constraints make_corner() {
  LongMat N = LongMat::Zero(2, 2);
  N(1, 0) = 1;
  N(0, 1) = -1;
  return {LongVec::Ones(2), std::move(N)};
}

Constraints make_line_of_balls(Eigen::Index count) {
  LongMat N = LongMat::Zero(count, count - 1);
  for (Eigen::Index i = 0; i + 1 < count; ++i) {
    N(i, i) = -1;
    N(i + 1, i) = 1;
  }
  return {LongVec::Ones(count), std::move(N)};
}

LongVec first_ball_moves(Eigen::Index count) { return LongVec::Unit(count, 0); }

void expect_velocity(const LongVec& velocity, const LongVec& expected, long double tolerance) {
  EXPECT_LE((velocity - expected).cwiseAbs().maxCoeff(), tolerance) << velocity.transpose();
}

TEST(WithoutNormalImpulses, AWallCanBeHitForEver) {
  const Constraints at = make_wall();
  const OperatorRun run = apply_until_feasible(at, vector({1, -1}), make_tangential());
  EXPECT_FALSE(run.ended);
  EXPECT_FALSE(run.kept.norm);
  EXPECT_TRUE(run.kept.kin && run.kept.one && run.kept.vio && run.kept.mod);
  const OperatorRun restored = apply_until_feasible(at, vector({1, -1}), make_pairwise());
  EXPECT_TRUE(restored.ended);
  EXPECT_EQ(restored.iterations, 1);
  expect_velocity(restored.velocities.back(), vector({1, 1}), 0);
}

TEST(WithoutOneSidedImpulses, ACornerHasACycle) {
  const Constraints at = make_corner();
  const OperatorRun run = apply_until_feasible(at, vector({2, -1}), make_pulling());
  EXPECT_FALSE(run.ended);
  EXPECT_FALSE(run.kept.one);
  EXPECT_TRUE(run.kept.norm && run.kept.kin && run.kept.vio && run.kept.mod);
  for (std::size_t i = 0; i < run.velocities.size(); ++i) {
    expect_velocity(run.velocities[i], i % 2 == 0 ? vector({2, -1}) : vector({1, -2}), 0);
    EXPECT_EQ(at.energy(run.velocities[i]), 2.5L);
  }
  const OperatorRun restored = apply_until_feasible(at, vector({2, -1}), make_pairwise());
  EXPECT_TRUE(restored.ended);
  EXPECT_EQ(restored.iterations, 2);
  expect_velocity(restored.velocities.back(), vector({-2, 1}), 0);
}

TEST(WithoutSparingWhatDoesNotApproach, ThreeBallsConvergeToWhatIsNotFeasible) {
  const Constraints at = make_line_of_balls(3);
  const OperatorRun run = apply_until_feasible(at, vector({0, 1, 0}), make_eager(), {.cap = 50});
  EXPECT_FALSE(run.ended);
  EXPECT_FALSE(run.kept.vio);
  EXPECT_TRUE(run.kept.norm && run.kept.kin && run.kept.one && run.kept.mod);
  expect_velocity(run.velocities[3], vector({-0.0875L, 0.9915309872024493L, 0.09596901279755077L}),
                  1e-15L);
  expect_velocity(run.velocities.back(), vector({-0.1L, 0.9887482193696061L, 0.1112517806303939L}),
                  1e-14L);
  const OperatorRun restored = apply_until_feasible(at, vector({0, 1, 0}), make_pairwise());
  EXPECT_TRUE(restored.ended);
  expect_velocity(restored.velocities.back(), vector({0, 0, 1}), 0);
}

TEST(WithoutChangingWhatIsNotFeasible, NothingEverHappens) {
  const Constraints at = make_line_of_balls(3);
  const OperatorRun run = apply_until_feasible(at, vector({1, 0, 0}), make_idle());
  EXPECT_FALSE(run.ended);
  EXPECT_FALSE(run.kept.mod);
  EXPECT_TRUE(run.kept.norm && run.kept.kin && run.kept.one && run.kept.vio);
  EXPECT_TRUE(apply_until_feasible(at, vector({1, 0, 0}), make_pairwise()).ended);
}

// Figure 8. Pairs take their mean, one after the other; fractions of 4096, exact in long double.
TEST(WithoutKeepingEnergy, FiveBallsCollapse) {
  const Constraints at = make_line_of_balls(5);
  const long double curve[21][5] = {
      {4096, 0, 0, 0, 0},           {2048, 2048, 0, 0, 0},       {2048, 1024, 1024, 0, 0},
      {2048, 1024, 512, 512, 0},    {2048, 1024, 512, 256, 256}, {1536, 1536, 512, 256, 256},
      {1536, 1024, 1024, 256, 256}, {1536, 1024, 640, 640, 256}, {1536, 1024, 640, 448, 448},
      {1280, 1280, 640, 448, 448},  {1280, 960, 960, 448, 448},  {1280, 960, 704, 704, 448},
      {1280, 960, 704, 576, 576},   {1120, 1120, 704, 576, 576}, {1120, 912, 912, 576, 576},
      {1120, 912, 744, 744, 576},   {1120, 912, 744, 660, 660},  {1016, 1016, 744, 660, 660},
      {1016, 880, 880, 660, 660},   {1016, 880, 770, 770, 660},  {1016, 880, 770, 715, 715}};
  const OperatorRun run =
      apply_until_feasible(at, first_ball_moves(5), make_cyclic(0), {.cap = 60, .slack = 0});
  EXPECT_FALSE(run.ended);
  EXPECT_FALSE(run.kept.kin);
  EXPECT_TRUE(run.kept.norm && run.kept.one && run.kept.vio && run.kept.mod);
  for (std::size_t i = 0; i <= 20; ++i) {
    for (std::size_t ball = 0; ball < 5; ++ball) {
      EXPECT_EQ(run.velocities[i][static_cast<Eigen::Index>(ball)], curve[i][ball] / 4096)
          << "iteration " << i << ", ball " << ball;
    }
  }
  const OperatorRun restored = apply_until_feasible(at, first_ball_moves(5), make_pairwise());
  EXPECT_TRUE(restored.ended);
  EXPECT_EQ(restored.iterations, 4);
}

// In the strict order of §2 balls 4 and 5 are never reached: the first three tend to a third each.
TEST(WithoutKeepingEnergy, TheLeastIndexFirstNeverGetsPastThreeBalls) {
  const OperatorRun run = apply_until_feasible(make_line_of_balls(5), first_ball_moves(5),
                                               make_pairwise(0), {.cap = 50, .slack = 0});
  EXPECT_FALSE(run.ended);
  expect_velocity(run.velocities[20], vector({349526, 349525, 349525, 0, 0}) / 1048576, 0);
  expect_velocity(run.velocities.back(), vector({1, 1, 1, 0, 0}) / 3, 1e-14L);
}

// Gauss–Seidel on a path: what is left shrinks by cos²(π/n) in a sweep.
TEST(WithoutKeepingEnergy, TheCollapseIsGeometric) {
  for (const Eigen::Index n : {3, 5, 10, 20}) {
    const Constraints at = make_line_of_balls(n);
    const int sweep = static_cast<int>(n) - 1;
    const int late = sweep * (n == 3 ? 20 : n == 5 ? 40 : n == 10 ? 100 : 400);
    const OperatorRun run = apply_until_feasible(at, first_ball_moves(n), make_cyclic(0),
                                                 {.cap = late + sweep, .slack = 0});
    ASSERT_FALSE(run.ended);
    const auto left = [&](int iteration) {
      return -at.rates(run.velocities[static_cast<std::size_t>(iteration)]).minCoeff();
    };
    const long double expected =
        std::pow(std::cos(std::numbers::pi_v<long double> / static_cast<long double>(n)), 2.0L);
    EXPECT_NEAR(static_cast<double>(left(late + sweep) / left(late)), static_cast<double>(expected),
                1e-6)
        << n << " balls";
  }
}

}  // namespace
}  // namespace carom::reference
