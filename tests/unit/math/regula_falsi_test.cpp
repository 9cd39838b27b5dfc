#include "carom/math/regula_falsi.h"

#include <gtest/gtest.h>

namespace carom::math {
namespace {

TEST(RegulaFalsi, FindsTheRootOfASmoothFunctionInFewEvaluations) {
  int evaluations = 0;
  const auto f = [&](double s) {
    ++evaluations;
    return std::cos(s);
  };
  const double root = find_root(f, {0, 1, 3, std::cos(3.0)}, 1e-12);
  EXPECT_NEAR(root, 1.5707963267948966, 1e-12);
  EXPECT_LE(f(root), 0);
  EXPECT_LE(evaluations, 20);
}

TEST(RegulaFalsi, FindsAKink) {
  const auto f = [](double s) { return s < 0.3 ? 1 - s / 0.3 : -100 * (s - 0.3); };
  EXPECT_NEAR(find_root(f, {0, 1, 1, -70}, 1e-12), 0.3, 1e-12);
}

// Flat before the jump: nothing but the signs tells where it is.
TEST(RegulaFalsi, FindsAJump) {
  const auto f = [](double s) { return s < 0.7 ? 1.0 : -1.0; };
  EXPECT_NEAR(find_root(f, {0, 1, 1, -1}, 1e-9), 0.7, 1e-9);
}

TEST(RegulaFalsi, EndsOnTheFarSide) {
  const auto f = [](double s) { return 0.25 - s * s * s; };
  const double root = find_root(f, {0, 0.25, 1, -0.75}, 1e-10);
  EXPECT_LE(f(root), 0);
  EXPECT_GT(f(root - 1e-10), 0);
}

}  // namespace
}  // namespace carom::math
