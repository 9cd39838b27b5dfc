#include "carom/dynamics/state.h"

#include <gtest/gtest.h>

#include <limits>

#include "carom/dynamics/energy.h"
#include "unit/dynamics/test_scenes.h"

namespace carom::dynamics {
namespace {

TEST(State, StartsAsTheSceneSays) {
  const Quat q = math::quat_exp(Vec3(0, 0, 1));
  const Scene scene = make_scene(make_body(1, Mat3::Identity()),
                                 {.x = {1, 2, 3}, .q = q, .v = {4, 5, 6}, .w = {7, 8, 9}});
  const State state = make_initial_state(scene);
  EXPECT_EQ(state.t, 0);
  EXPECT_EQ(state[BodyId{0}].x, Vec3(1, 2, 3));
  EXPECT_EQ(state[BodyId{0}].q.coeffs(), q.coeffs());
  EXPECT_EQ(state[BodyId{0}].twist().v, Vec3(4, 5, 6));
  EXPECT_EQ(state[BodyId{0}].twist().w, Vec3(7, 8, 9));
}

TEST(State, TurnsInertiaWithTheBody) {
  const Body body = make_body(1, Vec3(1, 2, 3).asDiagonal());
  const Quat quarter = math::quat_exp(Vec3(0, 0, std::acos(0.0)));  // x to y
  const Mat3 expected = Vec3(2, 1, 3).asDiagonal();
  EXPECT_LT((world_inertia(body, quarter) - expected).norm(), 1e-15);
  EXPECT_LT((world_inverse_inertia(body, quarter) * expected - Mat3::Identity()).norm(), 1e-15);
}

TEST(State, SeesEveryNumberThatIsNotOne) {
  const State good = make_initial_state(make_tumbling_top());
  EXPECT_TRUE(is_finite(good));
  const double bad = std::numeric_limits<double>::quiet_NaN();
  State state = good;
  state.t = bad;
  EXPECT_FALSE(is_finite(state));
  state = good, state.bodies[0].x.y() = bad;
  EXPECT_FALSE(is_finite(state));
  state = good, state.bodies[0].q.w() = bad;
  EXPECT_FALSE(is_finite(state));
  state = good, state.bodies[0].v.z() = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_finite(state));
  state = good, state.bodies[0].w.x() = bad;
  EXPECT_FALSE(is_finite(state));
}

TEST(Energy, CountsDynamicBodiesOnly) {
  Scene scene = make_scene(make_body(2, Vec3(1, 2, 3).asDiagonal()),
                           {.x = {0, 0, 5}, .v = {3, 0, 4}, .w = {1, 0, 1}});
  scene.bodies.push_back(make_unmoved(model::Motion::Driven));
  scene.initial.push_back({.x = {0, 0, 5}, .v = {3, 0, 4}, .w = {1, 0, 1}});
  const Energy energy = compute_energy(scene, make_initial_state(scene));
  EXPECT_DOUBLE_EQ(energy.kinetic, 0.5 * 2 * 25 + 0.5 * (1 + 3));
  EXPECT_DOUBLE_EQ(energy.potential, 2 * 9.81 * 5);
  EXPECT_DOUBLE_EQ(energy.total(), energy.kinetic + energy.potential);
}

TEST(Momentum, AddsOrbitAndSpin) {
  const Scene scene = make_scene(make_body(2, Vec3(1, 2, 3).asDiagonal()),
                                 {.x = {1, 0, 0}, .v = {0, 4, 0}, .w = {1, 1, 1}});
  const Momentum momentum = compute_momentum(scene, make_initial_state(scene));
  EXPECT_EQ(momentum.linear, Vec3(0, 8, 0));
  EXPECT_EQ(momentum.angular, Vec3(1, 2, 3 + 8));
}

}  // namespace
}  // namespace carom::dynamics
