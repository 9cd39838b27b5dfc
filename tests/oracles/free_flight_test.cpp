// Free flight of whole scenes, restarted every millisecond as a method would, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/dynamics/energy.h"
#include "carom/dynamics/flight.h"
#include "carom/model/scene_builder.h"
#include "oracles/top_references.h"

namespace carom {
namespace {

Scene make_scene(const Vec3& moments, const Vec3& w, const Vec3& gravity) {
  model::SceneBuilder builder;
  builder.set_gravity(gravity);
  builder.add_body({.name = "top",
                    .shapes = {{.shape = geometry::Sphere{0.1}}},
                    .mass = 2.0,
                    .inertia = Mat3(moments.asDiagonal()),
                    .position = Vec3(1, 2, 3),
                    .velocity = Vec3(4, -5, 6),
                    .angular_velocity = w});
  return builder.build();
}

// Calls visit(state) at the start and after every step of 1 ms.
template <typename Visit>
void fly_in_steps(const Scene& scene, int steps, const Visit& visit) {
  State state = dynamics::make_initial_state(scene);
  Flight flight;
  visit(0, state);
  for (int i = 1; i <= steps; ++i) {
    dynamics::fly(scene, state, {}, 1e-3, flight);
    flight.state_at(1e-3, state);
    visit(i, state);
  }
}

double angle_between(const Quat& a, const Quat& b) {
  return 2 * std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

TEST(FreeFlight, FollowsTheParabolaWhileTumbling) {
  const Vec3 gravity(0, 0, -9.81);
  fly_in_steps(make_scene({1, 2, 3}, {1, 0, 1}, gravity), 10000, [&](int i, const State& state) {
    const double t = 1e-3 * i;
    const Vec3 expected = Vec3(1, 2, 3) + t * Vec3(4, -5, 6) + 0.5 * t * t * gravity;
    ASSERT_LT((state.bodies[0].x - expected).norm(), 1e-10 * (1 + expected.norm()));
  });
}

template <typename Samples>
void expect_top(const Samples& samples, double tolerance) {
  const Vec3 w0(samples[0].w_body.data());
  const int last = static_cast<int>(1000 * samples.back().t);
  auto sample = samples.begin();
  fly_in_steps(make_scene({1, 2, 3}, w0, Vec3::Zero()), last, [&](int i, const State& state) {
    if (i != static_cast<int>(1000 * sample->t)) return;
    const BodyState& top = state.bodies[0];
    EXPECT_LT(angle_between(top.q, Quat(sample->q.data())), tolerance) << sample->t;
    EXPECT_LT((top.q.conjugate() * top.w - Vec3(sample->w_body.data())).norm(), tolerance);
    ++sample;
  });
  EXPECT_EQ(sample, samples.end());
}

TEST(FreeFlight, FollowsTheTumblingTop) { expect_top(oracles::kTumblingTop, 1e-10); }

TEST(FreeFlight, FollowsTheDzhanibekovFlips) { expect_top(oracles::kFlippingTop, 1e-8); }

TEST(FreeFlight, FlipsTheIntermediateAxisEveryHalfPeriod) {
  const Scene scene = make_scene({1, 2, 3}, {0.01, 1, 0.01}, Vec3::Zero());
  int flips = 0;
  double before = 1;
  fly_in_steps(scene, 100000, [&](int, const State& state) {
    const double along = (state.bodies[0].q.conjugate() * state.bodies[0].w).y();
    flips += along * before < 0;
    before = along;
  });
  // ω₂ = A₂ sn(p t + phase) changes sign every 39.1057 / 2 s, first between 10 and 15 s.
  EXPECT_EQ(flips, 5);
}

// Space precession of the figure axis about L at L/I₁, both rates of the reference symmetric top.
TEST(FreeFlight, PrecessesASymmetricTop) {
  const Vec3 L(2, 0, 5);
  fly_in_steps(make_scene({2, 2, 1}, {1, 0, 5}, Vec3::Zero()), 10000, [&](int i, const State& s) {
    const double t = 1e-3 * i;
    const Quat expected = math::quat_exp(t / 2 * L) * math::quat_exp(Vec3(0, 0, 2.5 * t));
    ASSERT_LT(angle_between(s.bodies[0].q, expected), 1e-10);
  });
}

TEST(FreeFlight, KeepsEnergyAndSpinForAThousandSeconds) {
  const Scene scene = make_scene({1, 2, 3}, {1, 0, 1}, Vec3::Zero());
  const State start = dynamics::make_initial_state(scene);
  const auto spin = [&](const State& state) {
    const BodyState& body = state.bodies[0];
    return Vec3(dynamics::world_inertia(scene.bodies[0], body.q) * body.w);
  };
  const double energy = dynamics::compute_energy(scene, start).total();
  const Vec3 L = spin(start);
  fly_in_steps(scene, 1'000'000, [&](int i, const State& state) {
    if (i % 100'000 != 0) return;
    EXPECT_NEAR(dynamics::compute_energy(scene, state).total() / energy, 1, 1e-10);
    EXPECT_LT((spin(state) - L).norm() / L.norm(), 1e-10);
  });
}

}  // namespace
}  // namespace carom
