#include "carom/dynamics/flight.h"

#include <gtest/gtest.h>

#include "carom/dynamics/energy.h"
#include "unit/dynamics/test_scenes.h"

namespace carom::dynamics {
namespace {

const Mat3 kInertia = Vec3(3, 1, 2).asDiagonal();

Flight flight_of(const Scene& scene, const State& state, std::span<const Wrench> wrenches = {}) {
  Flight flight;
  fly(scene, state, wrenches, 1, flight);
  return flight;
}

TEST(Flight, FollowsTheParabola) {
  const Scene scene = make_scene(make_body(2, kInertia), {.x = {1, 2, 3}, .v = {4, 0, 5}});
  const Flight flight = flight_of(scene, make_initial_state(scene));
  const BodyState at = flight.body_at(BodyId{0}, 0.6);
  const double z = 3 + 5 * 0.6 - 0.5 * 9.81 * 0.36;
  EXPECT_LT((at.x - Vec3(1 + 4 * 0.6, 2, z)).norm(), 1e-15);
  EXPECT_LT((at.v - Vec3(4, 0, 5 - 9.81 * 0.6)).norm(), 1e-15);
}

TEST(Flight, AddsAConstantForceToGravity) {
  const Scene scene = make_scene(make_body(2, kInertia), {.v = {1, 0, 0}});
  const std::vector<Wrench> hold{{.force = Vec3(0, 0, 2 * 9.81)}};
  const Flight flight = flight_of(scene, make_initial_state(scene), hold);
  EXPECT_LT((flight.body_at(BodyId{0}, 1).x - Vec3(1, 0, 0)).norm(), 1e-15);
}

TEST(Flight, TurnsABodyByATorque) {
  const Scene scene = make_scene(make_body(2, kInertia), {});
  const std::vector<Wrench> twist{{.torque = Vec3(0, 0, 4)}};
  const BodyState at =
      flight_of(scene, make_initial_state(scene), twist).body_at(BodyId{0}, 0.5);  // I_z = 2
  EXPECT_LT((at.w - Vec3(0, 0, 1)).norm(), 1e-15);
  EXPECT_LT(angle_between(at.q, math::quat_exp(Vec3(0, 0, 0.25))), 1e-15);
}

TEST(Flight, LeavesFixedBodiesAndCarriesDrivenOnes) {
  Scene scene = make_scene(make_unmoved(model::Motion::Fixed), {.v = {1, 0, 0}, .w = {0, 0, 1}});
  scene.bodies.push_back(make_unmoved(model::Motion::Driven));
  scene.initial.push_back({.v = {1, 0, 0}, .w = {0, 0, 1}});
  const std::vector<Wrench> push(2, {Vec3(5, 5, 5), Vec3(1, 1, 1)});
  State state = make_initial_state(scene);
  flight_of(scene, state, push).state_at(1, state);
  EXPECT_EQ(state.bodies[0].x, Vec3::Zero());
  EXPECT_EQ(state.bodies[0].v, Vec3::Zero());
  EXPECT_EQ(state.bodies[0].w, Vec3::Zero());
  EXPECT_EQ(state.bodies[0].q.coeffs(), Quat::Identity().coeffs());
  EXPECT_EQ(state.bodies[1].x, Vec3(1, 0, 0));
  EXPECT_LT(angle_between(state.bodies[1].q, math::quat_exp(Vec3(0, 0, 1))), 1e-15);
}

TEST(Flight, MeasuresTimesFromItsStart) {
  const Scene scene = make_scene(make_body(2, kInertia), {});
  State state = make_initial_state(scene);
  state.t = 7;
  flight_of(scene, state).state_at(0.25, state);
  EXPECT_EQ(state.t, 7.25);
}

TEST(Flight, ChoosesTheLawByTorqueAndInertia) {
  const auto law = [](const Body& body, const Vec3& w, const Vec3& torque) {
    const Scene scene = make_scene(body, {.w = w});
    const std::vector<Wrench> wrenches{{.torque = torque}};
    return flight_of(scene, make_initial_state(scene), wrenches).motions[0].rotation;
  };
  const Body ball = make_body(1, 0.4 * Mat3::Identity()), box = make_body(1, kInertia);
  const Vec3 spin(1, 2, 3), none = Vec3::Zero();
  EXPECT_TRUE(std::holds_alternative<math::SteadySpin>(law(ball, spin, none)));
  const Body cube = make_body(1, Vec3(0.1, 0.1 * (1 + 4e-16), 0.1).asDiagonal());
  EXPECT_TRUE(std::holds_alternative<math::SteadySpin>(law(cube, spin, none)));
  EXPECT_TRUE(std::holds_alternative<math::SteadySpin>(law(box, none, none)));
  EXPECT_TRUE(std::holds_alternative<math::FreeTop>(law(box, spin, none)));
  EXPECT_TRUE(std::holds_alternative<math::TorquedTop>(law(box, spin, Vec3::UnitX())));
}

TEST(Flight, ReusesItsMemory) {
  const Scene scene = make_tumbling_top();
  State state = make_initial_state(scene);
  Flight flight;
  fly(scene, state, {}, 1e-3, flight);
  flight.state_at(1e-3, state);
  const auto* motions = flight.motions.data();
  const auto* bodies = state.bodies.data();
  fly(scene, state, {}, 1e-3, flight);
  flight.state_at(1e-3, state);
  EXPECT_EQ(flight.motions.data(), motions);
  EXPECT_EQ(state.bodies.data(), bodies);
}

TEST(Flight, KeepsEnergyAndMomentumOverRestarts) {
  Scene scene =
      make_scene(make_body(2, kInertia), {.x = {0, 0, 9}, .v = {1, 2, 3}, .w = {4, 5, 6}});
  State state = make_initial_state(scene);
  const double energy = compute_energy(scene, state).total();
  const Vec3 spin =
      compute_momentum(scene, state).angular - state.bodies[0].x.cross(2 * state.bodies[0].v);
  Flight flight;
  for (int i = 0; i < 1000; ++i) {
    fly(scene, state, {}, 1e-3, flight);
    flight.state_at(1e-3, state);
  }
  const BodyState& end = state.bodies[0];
  EXPECT_NEAR(state.t, 1, 1e-12);
  EXPECT_NEAR(compute_energy(scene, state).total() / energy, 1, 1e-12);
  EXPECT_LT((compute_momentum(scene, state).angular - end.x.cross(2 * end.v) - spin).norm(), 1e-11);
}

}  // namespace
}  // namespace carom::dynamics
