// Flights by numerical schemes. Expected: the top's 30-digit reference, parabolas, and the schemes'
// orders.
#include "carom/dynamics/schemes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oracles/top_references.h"
#include "unit/dynamics/test_scenes.h"

namespace carom::dynamics {
namespace {

// The tumbling top after 10 s in steps of one length.
double attitude_error(Scheme scheme, int steps) {
  const Scene scene = make_tumbling_top();
  State state = make_initial_state(scene);
  const double h = oracles::kTumblingTop.back().t / steps;
  Flight flight;
  for (int i = 0; i < steps; ++i) {
    fly_by(scheme, scene, state, {}, h, flight);
    flight.state_at(h, state);
    state.t = (i + 1) * h;
  }
  return angle_between(state.bodies[0].q, Quat(oracles::kTumblingTop.back().q.data()));
}

double order_of(Scheme scheme, int steps) {
  return std::log2(attitude_error(scheme, steps) / attitude_error(scheme, 2 * steps));
}

TEST(Schemes, FollowATopInTheirOrder) {
  EXPECT_NEAR(order_of(Scheme::SymplecticEuler, 20'000), 1, 0.05);
  EXPECT_NEAR(order_of(Scheme::RungeKutta, 2000), 4, 0.1);
  EXPECT_NEAR(order_of(Scheme::DormandPrince, 400), 5, 0.2);
}

// Polynomials of degree two are exact in schemes of order two and more, everywhere in the flight.
TEST(Schemes, ThrowABodyOnAParabola) {
  Scene scene = make_scene(make_body(2, Mat3::Identity()), {.v = {1, 2, 3}});
  scene.gravity = Vec3(0, 0, -9.81);
  const std::vector<Wrench> wrenches{{Vec3(4, 0, 0), Vec3::Zero()}};
  const State start = make_initial_state(scene);
  const Vec3 a(2, 0, -9.81);
  for (const Scheme scheme : {Scheme::RungeKutta, Scheme::DormandPrince}) {
    Flight flight;
    fly_by(scheme, scene, start, wrenches, 0.5, flight);
    for (const double s : {0.0, 0.1, 0.37, 0.5}) {
      const BodyState at = flight.body_at(BodyId{0}, s);
      EXPECT_LT((at.x - (s * Vec3(1, 2, 3) + 0.5 * s * s * a)).norm(), 1e-14) << s;
      EXPECT_LT((at.v - (Vec3(1, 2, 3) + s * a)).norm(), 1e-14) << s;
    }
  }
}

// v first, then x with it: after n steps of h from rest, x = g h² n (n + 1) / 2.
TEST(Schemes, FallByTheSumOfSymplecticSteps) {
  Scene scene = make_scene(make_body(1, Mat3::Identity()), {});
  scene.gravity = Vec3(0, 0, -10);
  State state = make_initial_state(scene);
  Flight flight;
  for (int i = 0; i < 10; ++i) {
    fly_by(Scheme::SymplecticEuler, scene, state, {}, 0.1, flight);
    flight.state_at(0.1, state);
  }
  EXPECT_NEAR(state.bodies[0].x.z(), -10 * 0.01 * 55, 1e-14);
  EXPECT_NEAR(state.bodies[0].v.z(), -10, 1e-14);
}

TEST(Schemes, MoveDrivenBodiesAndLeaveFixedOnes) {
  Scene scene = make_scene(make_unmoved(model::Motion::Driven), {.v = {1, 0, 0}, .w = {0, 0, 1}});
  scene.bodies.push_back(make_unmoved(model::Motion::Fixed));
  scene.initial.push_back({.v = {1, 0, 0}, .w = {0, 0, 1}});
  Flight flight;
  fly_by(Scheme::RungeKutta, scene, make_initial_state(scene), {}, 2, flight);
  EXPECT_LT((flight.body_at(BodyId{0}, 2).x - Vec3(2, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(flight.body_at(BodyId{1}, 2).x, Vec3::Zero());
}

}  // namespace
}  // namespace carom::dynamics
