// The paper's own integrator is of first order. Drumwright's ball (fig. 3) bounces without loss
// from half a metre, at t = (2k - 1) √(2 · 0.5 m / g).
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "support/rig.h"

namespace carom::methods {
namespace {

constexpr double kGravity = 9.8, kHeight = 0.5, kRadius = 0.25;

// The mean error of the first four bounce times.
double bounce_error(double step) {
  model::MethodSettings euler = support::zeno_free(step);
  euler.options["integrator"] = std::string("euler");
  support::Rig rig({.gravity = Vec3(0, 0, -kGravity),
                    .between = {.restitution = 1},
                    .bodies = {support::make_ground(),
                               support::make_ball("ball", kRadius, Vec3(0, 0, kRadius + kHeight))},
                    .method = euler});
  EXPECT_TRUE(rig.advance_steps(static_cast<int>(2.5 / step)).ok());
  constexpr int kBounces = 4;
  double error = 0;
  EXPECT_GE(rig.witness.impacts.size(), static_cast<std::size_t>(kBounces));
  for (int k = 1; k <= kBounces; ++k) {
    const double t = (2 * k - 1) * std::sqrt(2 * kHeight / kGravity);
    error += std::abs(rig.witness.impacts[static_cast<std::size_t>(k - 1)].t - t) / kBounces;
  }
  return error;
}

TEST(Euler, FindsBounceTimesWithFirstOrder) {
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0, n = 0;
  for (const double step : {2e-3, 1e-3, 0.5e-3, 0.25e-3}) {
    const double error = bounce_error(step), x = std::log(step), y = std::log(error);
    std::cout << "h = " << step << " s: " << error << " s\n";
    sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y, ++n;
  }
  const double order = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
  std::cout << "order " << order << '\n';
  EXPECT_NEAR(order, 1, 0.1);
}

}  // namespace
}  // namespace carom::methods
