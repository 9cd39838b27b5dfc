// Expected times are roots of functions whose roots are known in closed form.
#include "carom/math/first_descent.h"

#include <gtest/gtest.h>

#include <numbers>

namespace carom::math {
namespace {

constexpr double kPi = std::numbers::pi;

// 1 + cos(t) + c: curvature at most 1, first at zero when cos(t) = -1 - c.
auto shifted_cosine(double c) {
  return [c](double t) { return Sample{1 + std::cos(t) + c, -std::sin(t)}; };
}

DescentQuery query(double end, double curvature) {
  return {.end = end, .curvature = curvature, .resolution = 1e-14};
}

TEST(FirstDescent, FallsOnTheRootOfAParabola) {
  const auto falling = [](double t) { return Sample{1 - 4.905 * t * t, -9.81 * t}; };
  const Descent found = find_first_descent(falling, query(1, 9.81));
  ASSERT_EQ(found.status, DescentStatus::Found);
  EXPECT_NEAR(found.s, std::sqrt(1 / 4.905), 1e-14);
  EXPECT_GE(found.at.value, 0);
}

TEST(FirstDescent, StaysAboveTheLevelWhateverTheSlackInTheBound) {
  for (const double slack : {1.0, 3.0, 100.0}) {
    const Descent found = find_first_descent(shifted_cosine(-0.5), query(10, slack));
    ASSERT_EQ(found.status, DescentStatus::Found) << slack;
    EXPECT_NEAR(found.s, 2 * kPi / 3, 1e-13) << slack;
    EXPECT_GE(found.at.value, -4e-16) << slack;  // the cosine itself is rounded
  }
}

TEST(FirstDescent, ReturnsTheFirstOfManyRoots) {
  const auto wave = [](double t) { return Sample{0.1 + std::sin(50 * t), 50 * std::cos(50 * t)}; };
  const Descent found = find_first_descent(wave, query(10, 2500));
  ASSERT_EQ(found.status, DescentStatus::Found);
  EXPECT_NEAR(found.s, (kPi + std::asin(0.1)) / 50, 1e-14);
}

TEST(FirstDescent, FindsTheTouchOfADoubleRoot) {
  const Descent found = find_first_descent(shifted_cosine(0), query(10, 1));
  ASSERT_EQ(found.status, DescentStatus::Found);
  EXPECT_NEAR(found.s, kPi, 1e-6);  // the function is flat there: 1e-14 high is 1.4e-7 wide
}

TEST(FirstDescent, FindsNothingWhereTheFunctionStaysAbove) {
  const Descent found = find_first_descent(shifted_cosine(1e-6), query(100, 1));
  EXPECT_EQ(found.status, DescentStatus::NotInInterval);
  EXPECT_LT(found.iterations, 200'000);
}

TEST(FirstDescent, FindsNothingBeyondTheEnd) {
  const Descent found = find_first_descent(shifted_cosine(-0.5), query(2 * kPi / 3 - 1e-9, 1));
  EXPECT_EQ(found.status, DescentStatus::NotInInterval);
}

// t(1 - t): at the level when it starts, but rising; back at t = 1.
TEST(FirstDescent, LetsALeavingContactGo) {
  const auto hop = [](double t) { return Sample{t * (1 - t), 1 - 2 * t}; };
  const Descent found = find_first_descent(hop, query(2, 2));
  ASSERT_EQ(found.status, DescentStatus::Found);
  EXPECT_NEAR(found.s, 1, 1e-14);
}

TEST(FirstDescent, IsThereAtOnceWhenItStartsFalling) {
  const auto falling = [](double t) { return Sample{-t, -1}; };
  const Descent found = find_first_descent(falling, query(1, 0));
  EXPECT_EQ(found.status, DescentStatus::Found);
  EXPECT_EQ(found.s, 0);
}

TEST(FirstDescent, NeedsNoCurvatureForAStraightLine) {
  const auto line = [](double t) { return Sample{3 - 2 * t, -2}; };
  const Descent found = find_first_descent(line, query(2, 0));
  ASSERT_EQ(found.status, DescentStatus::Found);
  EXPECT_NEAR(found.s, 1.5, 1e-15);
}

TEST(FirstDescent, SaysWhenItReachesItsCap) {
  DescentQuery few = query(10, 1e6);
  few.max_iterations = 5;
  EXPECT_EQ(find_first_descent(shifted_cosine(-0.5), few).status, DescentStatus::IterationCap);
}

// Quadratic: from 2e-2 away to round-off in a handful of evaluations.
TEST(FirstDescent, ConvergesQuadraticallyToASimpleRoot) {
  EXPECT_LE(find_first_descent(shifted_cosine(-0.5), query(10, 1)).iterations, 8);
}

// A body turning fifty times before it comes down: no turn is skipped.
TEST(FirstDescent, FollowsManyTurnsToALateRoot) {
  const auto spinning = [](double t) {
    return Sample{2 - t + std::sin(300 * t), -1 + 300 * std::cos(300 * t)};
  };
  const Descent found = find_first_descent(spinning, query(2, 90'000));
  ASSERT_EQ(found.status, DescentStatus::Found);
  double s = 0;  // dense sampling: the first sign change
  while (spinning(s).value > 0) s += 1e-6;
  EXPECT_NEAR(found.s, s, 2e-6);
}

// g = 1 - 3 s + 1.5 s² has its roots where s² - 2 s + 2/3 = 0; no third derivative at all.
TEST(FirstDescent, NeedsNoThirdDerivative) {
  const auto parabola = [](double s) { return Sample{1 - 3 * s + 1.5 * s * s, 3 * s - 3, 3}; };
  const Descent found =
      find_first_descent(parabola, {.end = 1, .curvature = 3, .jerk = 0, .resolution = 1e-15});
  ASSERT_EQ(found.status, DescentStatus::Found);
  EXPECT_NEAR(found.s, 1 - std::sqrt(1.0 / 3), 1e-14);
}

// h + r s + a s²/2 - j s³/6 built from its roots -(s - 1)(s - 2)(s - 3)/k and so on.
TEST(TimeToDescend, IsTheFirstPositiveRootOfTheCubic) {
  for (const double k : {1e-3, 1.0, 1e3}) {
    const Sample at{6 * k, -11 * k, 12 * k};  // 6 - 11 s + 6 s² - s³
    const double found = time_to_descend(at.value, at, 6 * k, 10);
    EXPECT_LE(found, 1 + 1e-12);
    EXPECT_NEAR(found, 1, 2e-3);
  }
  const Sample rising{0, 2, 0};  // 2 s - 2 s³/6·3: zero now and again at s = √2
  EXPECT_NEAR(time_to_descend(0, rising, 6, 10), std::sqrt(2), 2e-3);
  EXPECT_EQ(time_to_descend(1, Sample{1, 0, 0}, 1e-9, 10), 10);
}

}  // namespace
}  // namespace carom::math
