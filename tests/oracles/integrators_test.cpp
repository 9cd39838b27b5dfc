// The paper's own integrator, and symplectic Euler, are of first order; schemes of higher order are
// exact on a parabola. Drumwright's ball (fig. 3) bounces without loss
// from half a metre, at t = (2k - 1) √(2 · 0.5 m / g).
#include <gtest/gtest.h>

#include <cmath>

#include "support/rig.h"

namespace carom::methods {
namespace {

constexpr double kGravity = 9.8, kHeight = 0.5, kRadius = 0.25;

// The mean error of the first four bounce times.
double bounce_error(const std::string& integrator, double step) {
  model::MethodSettings method = support::zeno_free(step);
  method.options["integrator"] = integrator;
  support::Rig rig({.gravity = Vec3(0, 0, -kGravity),
                    .between = {.restitution = 1},
                    .bodies = {support::make_ground(),
                               support::make_ball("ball", kRadius, Vec3(0, 0, kRadius + kHeight))},
                    .method = method});
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

// The slope of log error over log step, by least squares.
double order_of(const std::string& integrator) {
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0, n = 0;
  for (const double step : {2e-3, 1e-3, 0.5e-3, 0.25e-3}) {
    const double error = bounce_error(integrator, step), x = std::log(step), y = std::log(error);
    sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y, ++n;
  }
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

TEST(Integrators, FindBounceTimesInTheirOrder) {
  EXPECT_NEAR(order_of("euler"), 1, 0.1);
  EXPECT_NEAR(order_of("symplectic-euler"), 1, 0.1);
  EXPECT_LT(bounce_error("rk4", 1e-3), 1e-12);
  EXPECT_LT(bounce_error("dormand-prince", 1e-3), 1e-12);
}

// What rests on the ground and slides does so to round-off: 1 m/s against μ g.
TEST(Integrators, SlideABlockOverItsDistance) {
  for (const char* integrator : {"exact", "symplectic-euler", "rk4", "dormand-prince"}) {
    model::MethodSettings method = support::zeno_free(1e-3);
    method.options["integrator"] = std::string(integrator);
    model::BodySpec block = support::make_box("block", Vec3(1, 1, 0.2), Vec3(0, 0, 0.1));
    block.velocity = Vec3(1, 0, 0);
    support::Rig rig({.gravity = Vec3(0, 0, -kGravity),
                      .between = {.friction = 0.5},
                      .bodies = {support::make_ground(), block},
                      .method = method});
    ASSERT_TRUE(rig.advance_steps(500).ok()) << integrator;
    const bool first_order = std::string(integrator) == "symplectic-euler";
    const double distance = 1 / (2 * 0.5 * kGravity);  // v²/(2 μ g)
    EXPECT_NEAR(rig.state.bodies[1].x.x(), distance, first_order ? 1e-3 : 1e-9) << integrator;
    EXPECT_NEAR(rig.state.bodies[1].x.z(), 0.1, 1e-9) << integrator;
    EXPECT_LT(rig.state.bodies[1].v.norm(), 1e-9) << integrator;
  }
}

}  // namespace
}  // namespace carom::methods
