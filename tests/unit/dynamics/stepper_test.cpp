// Steps of two formulas against closed forms: their order, their estimates, their memory.
#include "carom/dynamics/stepper.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::dynamics {
namespace {

// x'' = -x with an explicit dependence on time besides: y = (sin s, cos s).
bool turn(double, math::ConstVecView y, math::VecView rate) {
  rate << y[1], -y[0];
  return true;
}

struct Outcome {
  double error = 0;           // at the end
  double worst_estimate = 0;  // of a step
};

Outcome integrate(Formula formula, int steps) {
  Stepper stepper;
  VecX y(2), rate(2);
  y << 0, 1;
  const double h = 2.0 / steps;
  Outcome run;
  for (int i = 0; i < steps; ++i) {
    turn(0, {y.data(), 2}, {rate.data(), 2});
    EXPECT_TRUE(stepper.attempt(formula, turn, y, rate, h));
    run.worst_estimate = std::max(run.worst_estimate, stepper.error().norm());
    y = stepper.end();
    turn(0, {y.data(), 2}, {rate.data(), 2});
    stepper.accept(y, rate);
  }
  run.error = std::hypot(y[0] - std::sin(2.0), y[1] - std::cos(2.0));
  return run;
}

TEST(Stepper, RungeKuttaWithoutItsLeadingErrorIsOfOrderFive) {
  const Outcome coarse = integrate(Formula::RungeKutta, 20),
                fine = integrate(Formula::RungeKutta, 40);
  EXPECT_NEAR(std::log2(coarse.error / fine.error), 5, 0.3);
  EXPECT_NEAR(std::log2(coarse.worst_estimate / fine.worst_estimate), 5, 0.2);
}

TEST(Stepper, AdamsMoultonIsOfOrderFour) {
  const Outcome coarse = integrate(Formula::AdamsMoulton, 80),
                fine = integrate(Formula::AdamsMoulton, 160);
  EXPECT_NEAR(std::log2(coarse.error / fine.error), 4, 0.4);
}

TEST(Stepper, FollowsChangesOfTheStep) {
  Stepper stepper;
  VecX y(2), rate(2);
  y << 0, 1;
  double s = 0;
  for (int i = 0; i < 200; ++i) {
    const double h = i % 20 < 10 ? 0.01 : 0.02;
    turn(0, {y.data(), 2}, {rate.data(), 2});
    ASSERT_TRUE(stepper.attempt(Formula::AdamsMoulton, turn, y, rate, h));
    y = stepper.end();
    turn(0, {y.data(), 2}, {rate.data(), 2});
    stepper.accept(y, rate);
    s += h;
  }
  EXPECT_NEAR(y[0], std::sin(s), 1e-6);
  EXPECT_NEAR(y[1], std::cos(s), 1e-6);
}

TEST(Stepper, GoesOnBitForBitFromWhatItSaved) {
  Stepper first;
  VecX y(2), rate(2);
  y << 0, 1;
  for (int i = 0; i < 5; ++i) {
    turn(0, {y.data(), 2}, {rate.data(), 2});
    ASSERT_TRUE(first.attempt(Formula::AdamsMoulton, turn, y, rate, 0.1));
    y = first.end();
    turn(0, {y.data(), 2}, {rate.data(), 2});
    first.accept(y, rate);
  }
  std::string bytes;
  first.save(bytes);
  Stepper second;
  std::string_view rest = bytes;
  second.restore(rest);
  EXPECT_TRUE(rest.empty());
  ASSERT_TRUE(first.attempt(Formula::AdamsMoulton, turn, y, rate, 0.07));
  ASSERT_TRUE(second.attempt(Formula::AdamsMoulton, turn, y, rate, 0.07));
  EXPECT_EQ(first.end()[0], second.end()[0]);
  EXPECT_EQ(first.end()[1], second.end()[1]);
}

TEST(Stepper, SaysWhereTheRightSideFailed) {
  Stepper stepper;
  const VecX y = VecX::Ones(1), rate = VecX::Ones(1);
  const auto fails = [](double s, math::ConstVecView, math::VecView) { return s < 0.5; };
  EXPECT_FALSE(stepper.attempt(Formula::RungeKutta, fails, y, rate, 1));
}

}  // namespace
}  // namespace carom::dynamics
