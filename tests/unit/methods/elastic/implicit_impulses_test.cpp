// Impulses of springs at one instant, against Hertz' law, momentum and the energy of springs.
#include "carom/methods/elastic/implicit_impulses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/scenes.h"
#include "touching.h"

namespace carom::methods {
namespace {

constexpr double kRadius = 0.05, kGravity = 9.81, kStep = 5e-4;

// A scene at an instant, and what impulses make of it: flights and impulses in turn.
struct Bench {
  explicit Bench(const support::SceneParts& parts)
      : at(support::build(parts)),
        applied(at.scene),
        scratch(at.scene, applied),
        impulses(at.scene, at.near, at.tracks, scratch) {
    for (std::size_t i = 0; i < at.cluster.size(); ++i)
      scratch.slot[index(at.cluster[i])] = static_cast<math::Index>(i);
  }
  std::span<const ImplicitImpulses::Acted> apply(double stored = HUGE_VAL, double step = kStep) {
    at.state = scratch.now;
    at.watch(Touching::kReach);
    pairs.clear();
    for (std::size_t k = 0; k < at.near.size(); ++k) pairs.push_back(k);
    return impulses.apply({}, {at.cluster, pairs, !at.scene.joints.empty(), stored}, step);
  }
  void fly(double step = kStep) {
    for (const BodyId id : at.cluster)
      scratch.now[id] = dynamics::state_on(
          dynamics::fly_freely(at.scene, at.scene.body(id), scratch.now[id]), step);
    scratch.now.t += step;
  }
  BodyState& operator[](std::size_t body) { return scratch.now.bodies[body]; }
  double moving() const {  // J
    double sum = 0;
    for (const BodyId id : at.cluster) {
      const Body& body = at.scene.body(id);
      const BodyState& is = scratch.now[id];
      sum += 0.5 * body.mass * is.v.squaredNorm();
      sum += 0.5 * is.w.dot(is.q * (body.inertia * (is.q.conjugate() * is.w)));
    }
    return sum;
  }

  Touching at;
  dynamics::AppliedForces applied;  // none
  ClusterScratch scratch;
  ImplicitImpulses impulses;
  std::vector<std::size_t> pairs;
};

// Hertz: m g = 4/3 E/(1 - ν²)/2 √R δ^(3/2) for two alike materials.
double depth_at_rest(const Scene& scene, double mass) {
  const model::Material& m = scene.materials.front();
  const double stiffness = 4.0 / 3 * m.youngs_modulus / (1 - m.poissons_ratio * m.poissons_ratio) /
                           2 * std::sqrt(kRadius);
  return std::pow(mass * kGravity / stiffness, 2.0 / 3);
}

TEST(ImplicitImpulses, BringAStruckBallToRestAtHertzDepth) {
  Bench bench(
      {.bodies = {support::make_ground(),
                  support::make_ball("ball", kRadius, Vec3(0, 0, kRadius), Vec3(0, 0, -2))}});
  const double mass = bench.at.scene.bodies[1].mass;
  for (int i = 0; i < 2000; ++i) {  // it bounces: the step is a quarter of the impact
    bench.apply();
    bench.fly();
  }
  EXPECT_NEAR((kRadius - bench[1].x.z()) / depth_at_rest(bench.at.scene, mass), 1, 1e-6);
  const auto acted = bench.apply();
  ASSERT_EQ(acted.size(), 1U);
  const double side = acted[0].force.a == id_of<BodyId>(1) ? 1 : -1;
  EXPECT_NEAR(side * acted[0].effect.impulse.z(), mass * kGravity * kStep, 1e-9);
  EXPECT_NEAR(bench[1].v.z(), 0.5 * kGravity * kStep, 1e-9);  // none in the middle of the flight
}

TEST(ImplicitImpulses, BrakeWhatSlidesByCoulombsLaw) {
  model::BodySpec tile = support::make_box("tile", Vec3(0.2, 0.2, 0.01), Vec3(0, 0, 0.005));
  tile.velocity = Vec3(1, 0, 0);
  Bench bench({.between = {.friction = 0.3}, .bodies = {support::make_ground(), tile}});
  for (int i = 0; i < 20; ++i) {
    bench.apply();
    bench.fly();
  }
  const double before = bench[1].v.x();
  for (int i = 0; i < 20; ++i) {
    bench.apply();
    bench.fly();
  }
  EXPECT_NEAR((before - bench[1].v.x()) / (20 * kStep), 0.3 * kGravity, 0.01 * kGravity);
}

// J; of a ball over the ground: Hertz' spring, ∫ k δ^(3/2) dδ, its weight and its motion.
double energy_over_ground(const Bench& bench, double height, double moving) {
  const double mass = bench.at.scene.bodies[1].mass, depth = kRadius - height;
  const double stiffness = mass * kGravity / std::pow(depth_at_rest(bench.at.scene, mass), 1.5);
  return moving + mass * kGravity * height + 0.4 * stiffness * std::pow(std::max(0.0, depth), 2.5);
}

// Springs that are pressed in as far as this, and took nothing from the motion for it, as after the
// shapes at a contact have changed, must not push it out again; nor sink by their depth at rest in
// each step, which would load them without end.
TEST(ImplicitImpulses, LoadNoSpringsThatMayNotUnload) {
  Bench bench({.bodies = {support::make_ground(),
                          support::make_ball("ball", kRadius, Vec3(0, 0, kRadius), Vec3::Zero())}});
  const double mass = bench.at.scene.bodies[1].mass;
  bench[1].x.z() = kRadius - 20 * depth_at_rest(bench.at.scene, mass);
  const double before = energy_over_ground(bench, bench[1].x.z(), 0);
  const double hop = 0.5 * mass * std::pow(0.5 * kGravity * kStep, 2);
  double held = 0;
  for (int i = 0; i < 2000; ++i) {
    held = bench.apply(held).front().touch.stored;
    const double energy = energy_over_ground(bench, bench[1].x.z(), bench.moving());
    ASSERT_LT(energy, before + 2 * hop) << i;
    bench.fly();
  }
}

// A ball that hangs from a hook and is pressed into the ground as above, with its hook open.
TEST(ImplicitImpulses, CloseJointsWhileSpringsHoldTheirDepth) {
  const Vec3 hook(0, 0, 0.3), center(0, 0, kRadius - 2e-3);
  const double open = 1e-6;  // m
  Bench bench({.bodies = {support::make_ground(), support::make_ball("ball", kRadius, center)},
               .joints = {{.name = "hook",
                           .type = model::JointType::Ball,
                           .between = {"ground", "ball"},
                           .anchor = hook,
                           .collide = true}}});
  bench[1].x.x() += open;
  for (int i = 0; i < 3; ++i) {
    bench.apply(0);
    bench.fly();
  }
  const Vec3 missed = bench[1].x + bench[1].q * (hook - center) - hook;
  EXPECT_LT(missed.norm(), 0.1 * open);
}

// On a slope of 15 degrees with a friction that would hold on 27: what is left is the slip at which
// friction is half of what it can be, a thousandth of the speed that gravity gives in a step, or
// so.
TEST(ImplicitImpulses, HoldABlockOnASlope) {
  const double slope = 15 * std::numbers::pi / 180;
  Bench bench({.gravity = kGravity * Vec3(std::sin(slope), 0, -std::cos(slope)),
               .between = {.friction = 0.5},
               .bodies = {support::make_ground(),
                          support::make_box("block", Vec3(0.2, 0.2, 0.05), Vec3(0, 0, 0.025))}});
  for (int i = 0; i < 100; ++i) {
    bench.apply();
    bench.fly();
  }
  const double from = bench[1].x.x();
  for (int i = 0; i < 100; ++i) {
    bench.apply();
    bench.fly();
  }
  EXPECT_LT(bench[1].x.x() - from, 100 * kStep * 1e-3 * kGravity * kStep);
}

TEST(ImplicitImpulses, KeepMomentumAndAddNoEnergy) {
  std::vector<model::BodySpec> bodies;
  for (int i = 0; i < 4; ++i) {
    model::BodySpec box = support::make_box("box" + std::to_string(i), Vec3(0.1, 0.08, 0.06),
                                            Vec3(0.02 * i, 0.01 * i, 0.065 * i));
    box.velocity = Vec3(0, 0.1 * i, -1.0 * i);
    box.angular_velocity = Vec3(1, -2, 0.5 * i);
    bodies.push_back(box);
  }
  Bench bench({.gravity = Vec3::Zero(), .between = {.friction = 0.5}, .bodies = bodies});
  const auto momentum = [&] {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Body& body = bench.at.scene.bodies[i];
      const BodyState& is = bench[i];
      linear += body.mass * is.v;
      angular += is.x.cross(body.mass * is.v) + is.q * (body.inertia * (is.q.conjugate() * is.w));
    }
    return std::pair(linear, angular);
  };
  const auto [linear, angular] = momentum();
  const double energy = bench.moving();
  double held = 0;  // J; by springs
  int acted = 0;
  for (int i = 0; i < 100; ++i) {
    const double before = bench.moving() + held;
    const auto all = bench.apply(held);
    held = 0;
    for (const auto& each : all) {
      acted += each.effect.impulse.norm() > 0;
      held += each.touch.stored;
    }
    EXPECT_LT(bench.moving() + held, before + 1e-12 * energy) << i;
    bench.fly();
  }
  EXPECT_GT(acted, 10);
  EXPECT_LT(bench.moving(), 0.9 * energy);
  EXPECT_LT((momentum().first - linear).norm(), 1e-12 * linear.norm());
  EXPECT_LT((momentum().second - angular).norm(), 1e-12 * linear.norm());
}

}  // namespace
}  // namespace carom::methods
