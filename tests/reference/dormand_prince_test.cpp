#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracles/top_references.h"
#include "reference/scene_vector.h"
#include "unit/dynamics/test_scenes.h"

namespace carom::reference {
namespace {

using dynamics::make_initial_state;
using dynamics::make_scene;
using dynamics::make_tumbling_top;
using dynamics::make_unmoved;

// y'' = −y with a force that depends on time, exact solution (sin t + t, cos t + 1).
VecX oscillator(double t, const VecX& y) { return Eigen::Vector2d(y[1], -y[0] + t); }
VecX oscillator_exact(double t) { return Eigen::Vector2d(std::sin(t) + t, std::cos(t) + 1); }
const VecX kStart = oscillator_exact(0);
const Interval kInterval{0, 4};

double error_at_end(const Integration& run) {
  EXPECT_EQ(run.status, IntegrationStatus::Converged);
  EXPECT_EQ(run.t, kInterval.to);
  return (run.y - oscillator_exact(kInterval.to)).norm();
}

// Steps of one size: tolerances that never bind, and a longest step.
AdaptiveOptions fixed_steps(int steps) {
  const double h = kInterval.length() / steps;
  return {.relative_tolerance = 1e3, .absolute_tolerance = 1e3, .initial_step = h, .max_step = h};
}

// log₂ of the error's ratio when the number of steps doubles.
template <typename ErrorOfSteps>
double order_of(int steps, const ErrorOfSteps& error) {
  return std::log2(error(steps) / error(2 * steps));
}

TEST(DormandPrince, HasOrderFive) {
  const auto error = [](int n) {
    return error_at_end(integrate_dormand_prince(oscillator, kInterval, kStart, fixed_steps(n)));
  };
  EXPECT_NEAR(order_of(40, error), 5, 0.1);
}

// An interpolant of order 4 has an error of order 5 within one step.
TEST(DormandPrince, HasDenseOutputOfOrderFour) {
  const auto error = [](int n) {
    const double h = 1.0 / n;
    const auto run =
        integrate_dormand_prince(oscillator, {0.5, 0.5 + h}, oscillator_exact(0.5), fixed_steps(1));
    double worst = 0;
    for (double theta = 0; theta <= 1; theta += 0.05) {
      const double t = 0.5 + theta * h;
      worst = std::max(worst, (run.at(t) - oscillator_exact(t)).norm());
    }
    return worst;
  };
  EXPECT_NEAR(order_of(4, error), 5, 0.1);
}

// Each step may err by its tolerance, tol (1 + |y|) with |y| at most 5 in two components, and the
// oscillator does not amplify errors.
TEST(DormandPrince, ErrsByItsToleranceEachStepAtMost) {
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    const AdaptiveOptions options{.relative_tolerance = tolerance, .absolute_tolerance = tolerance};
    const auto prince = integrate_dormand_prince(oscillator, kInterval, kStart, options);
    const double allowed = 6 * std::sqrt(2.0) * tolerance;
    EXPECT_LT(error_at_end(prince), prince.steps * allowed);
  }
}

TEST(DormandPrince, ShortensStepsWhereTheSolutionIsSharp) {
  // y = 1/(ε + t²) on [−1, 1]: y' = −2 t y², ε = 1e-4.
  const Derivative spike = [](double t, const VecX& y) -> VecX { return -2 * t * y.cwiseAbs2(); };
  const VecX start = VecX::Constant(1, 1 / (1e-4 + 1));
  const auto prince = integrate_dormand_prince(spike, {-1, 1}, start);
  EXPECT_NEAR(prince.y[0] / start[0], 1, 1e-3);
  EXPECT_NEAR(prince.at(0)[0], 1e4, 1);
  double shortest = 1, longest = 0;
  for (const DenseStep& step : prince.dense) {
    shortest = std::min(shortest, step.h);
    longest = std::max(longest, step.h);
  }
  EXPECT_GT(longest / shortest, 10);
}

TEST(DormandPrince, RunsBackwards) {
  const VecX end = oscillator_exact(4);
  EXPECT_LT((integrate_dormand_prince(oscillator, {4, 0}, end).y - kStart).norm(), 1e-7);
}

TEST(DormandPrince, SaysWhenItRunsOutOfSteps) {
  const AdaptiveOptions few{.initial_step = 1e-3, .max_step = 1e-3, .max_steps = 10};
  const auto prince = integrate_dormand_prince(oscillator, kInterval, kStart, few);
  EXPECT_EQ(prince.status, IntegrationStatus::StepLimit);
  EXPECT_EQ(prince.steps, 10);
  EXPECT_NEAR(prince.t, 0.01, 1e-15);
}

TEST(DormandPrince, SaysWhenTheNumbersEnd) {
  const Derivative wall = [](double t, const VecX& y) -> VecX {
    return t < 0.5 ? y : VecX::Constant(1, std::numeric_limits<double>::quiet_NaN());
  };
  const VecX one = VecX::Ones(1);
  const auto run = integrate_dormand_prince(wall, {0, 1}, one);
  EXPECT_EQ(run.status, IntegrationStatus::NotFinite);
  EXPECT_LE(run.t, 0.51);
  EXPECT_TRUE(run.y.allFinite());
}

// The whole scene as a vector: a tumbling body against its 30-digit reference at t = 10 s.
class TumblingTop : public testing::Test {
 protected:
  double attitude_error(const State& state) const {
    return dynamics::angle_between(state.bodies[0].q, Quat(oracles::kTumblingTop.back().q.data()));
  }
  const Scene scene = make_tumbling_top();
  const State start = make_initial_state(scene);
  const VecX y0 = to_vector(start);
  const Derivative f = make_derivative(scene);
  const Interval interval{0, oracles::kTumblingTop.back().t};
};

TEST_F(TumblingTop, IsFollowedToTolerance) {
  const AdaptiveOptions tight{.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12};
  EXPECT_LT(attitude_error(to_state(10, integrate_dormand_prince(f, interval, y0, tight).y)), 1e-9);
}

TEST(SceneVector, BringsStatesBack) {
  Scene scene = make_tumbling_top();
  scene.bodies.push_back(make_unmoved(model::Motion::Driven));
  scene.initial.push_back({.x = {1, 2, 3}, .q = math::quat_exp(Vec3(1, 2, 3)), .v = {4, 5, 6}});
  const State state = make_initial_state(scene);
  for (const State& back : {to_state(2, to_vector(state))}) {
    EXPECT_EQ(back.t, 2);
    ASSERT_EQ(back.bodies.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(back.bodies[i].x, state.bodies[i].x);
      EXPECT_LT((back.bodies[i].q.coeffs() - state.bodies[i].q.coeffs()).norm(), 1e-15);
      EXPECT_EQ(back.bodies[i].v, state.bodies[i].v);
      EXPECT_EQ(back.bodies[i].w, state.bodies[i].w);
    }
  }
}

TEST(SceneVector, MovesDrivenBodiesAndLeavesFixedOnes) {
  Scene scene = make_scene(make_unmoved(model::Motion::Driven), {.v = {1, 0, 0}, .w = {0, 0, 1}});
  scene.bodies.push_back(make_unmoved(model::Motion::Fixed));
  scene.initial.push_back({.v = {1, 0, 0}, .w = {0, 0, 1}});
  const VecX y0 = to_vector(make_initial_state(scene));
  const State end = to_state(2, integrate_dormand_prince(make_derivative(scene), {0, 2}, y0).y);
  EXPECT_LT((end.bodies[0].x - Vec3(2, 0, 0)).norm(), 1e-13);
  EXPECT_LT(dynamics::angle_between(end.bodies[0].q, math::quat_exp(Vec3(0, 0, 2))), 1e-8);
  EXPECT_EQ(end.bodies[1].x, Vec3::Zero());
  EXPECT_EQ(end.bodies[1].q.coeffs(), Quat::Identity().coeffs());
}

TEST(SceneVector, AgreesWithFlightUnderAWrench) {
  Scene scene = make_tumbling_top();
  scene.gravity = Vec3(0, 0, -9.81);
  const std::vector<Wrench> wrenches{{Vec3(1, 2, 3), Vec3(0.1, -0.2, 0.3)}};
  const State start = make_initial_state(scene);
  const AdaptiveOptions tight{.relative_tolerance = 1e-13, .absolute_tolerance = 1e-13};
  const auto run = integrate_dormand_prince(make_derivative(scene, wrenches), {0, 2e-3},
                                            to_vector(start), tight);
  Flight flight;
  dynamics::fly(scene, start, wrenches, 2e-3, flight);
  EXPECT_LT((run.y - to_vector(State{0, {flight.body_at(BodyId{0}, 2e-3)}})).norm(), 1e-14);
}

}  // namespace
}  // namespace carom::reference
