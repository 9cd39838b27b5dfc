// Forces of a scene against closed forms, in every method: the orders that docs/forces.md states,
// and an audit that passes.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom {
namespace {

using model::DragSpec;
using model::FieldSpec;
using model::GravitationSpec;
using model::PushSpec;
using model::SpringSpec;
using simulation::Simulation;
using support::make_ball;
using support::SceneParts;

constexpr double kGravity = 9.81;

struct Case {
  std::string method;
  bool stepping = true;  // its error goes with the step; else with a tolerance
};

class Forces : public testing::TestWithParam<Case> {
 protected:
  // A step, where the method has one.
  model::MethodSettings method(double step) const {
    model::MethodSettings made{GetParam().method, {}};
    // Forces of microcollision are constant for a millisecond at the most, however long a frame.
    if (GetParam().stepping)
      made.options["step"] = GetParam().method == "microcollision" ? step / 8 : step;
    return made;
  }

  State end_of(SceneParts parts, double step) const {
    parts.method = method(step);
    parts.output_every = parts.duration;
    Simulation simulation(support::build(parts));
    const record::Summary summary = simulation.run();
    EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
    for (std::size_t i = 0; i < record::kJudged; ++i) {
      const auto what = static_cast<record::Judged>(i);
      EXPECT_FALSE(summary.audit.exceeds(what))
          << record::kJudgedNames[i].key << " " << summary.audit.found()[what] << " of "
          << summary.audit.limits[what];
    }
    return simulation.state();
  }

  // `error` of the state at the end: of second order in the step, or small.
  void expect_second_order(const SceneParts& parts, double step, double small,
                           const std::function<double(const State&)>& error) const {
    const double e1 = std::abs(error(end_of(parts, step)));
    if (!GetParam().stepping) {
      EXPECT_LT(e1, small);
      return;
    }
    const double e2 = std::abs(error(end_of(parts, step / 2)));
    EXPECT_NEAR(e1 / e2, 4, 0.3) << e1 << " and " << e2;
  }
};

// x = x₀ cos ωt, of a spring to a point of the world.
TEST_P(Forces, ASpringKeepsItsPeriod) {
  const double w = std::sqrt(100.0), t = 0.97;
  const SceneParts parts{
      .gravity = Vec3::Zero(),
      .bodies = {make_ball("ball", 0.05, Vec3(0.1, 0, 0))},
      .duration = t,
      .forces = {
          SpringSpec{.between = {"ball"}, .anchor_b = Vec3(0, 0, 0), .stiffness = 100, .rest = 0}}};
  expect_second_order(parts, 2e-3, 1e-7,
                      [&](const State& s) { return s.bodies[0].x.x() - 0.1 * std::cos(w * t); });
}

// Two balls on a spring with a length: the distance swings with ω² = k (1/m₁ + 1/m₂) and decays
// with β = c/2 (1/m₁ + 1/m₂) about the rest length; the centre of mass goes on.
TEST_P(Forces, ADamperTakesEnergyAtItsRate) {
  model::BodySpec heavy = make_ball("heavy", 0.05, Vec3(0, 0, 0), Vec3(0.3, 0.1, 0));
  model::BodySpec light = make_ball("light", 0.05, Vec3(1.1, 0, 0), Vec3(0.3, 0.1, 0));
  heavy.mass = 3;
  const double inverse = 1 + 1.0 / 3, k = 60, c = 2, t = 0.9;
  const double beta = c / 2 * inverse, w = std::sqrt(k * inverse - beta * beta);
  const SceneParts parts{
      .gravity = Vec3::Zero(),
      .bodies = {heavy, light},
      .duration = t,
      .forces = {
          SpringSpec{.between = {"heavy", "light"}, .stiffness = k, .damping = c, .rest = 1.0}}};
  const double stretched =
      0.1 * std::exp(-beta * t) * (std::cos(w * t) + beta / w * std::sin(w * t));
  expect_second_order(parts, 2e-3, 1e-7, [&](const State& s) {
    return (s.bodies[1].x - s.bodies[0].x).norm() - 1 - stretched;
  });
  const State end = end_of(parts, 1e-3);
  const Vec3 center = (3 * end.bodies[0].x + end.bodies[1].x) / 4;
  EXPECT_LT((center - (Vec3(0.275, 0, 0) + t * Vec3(0.3, 0.1, 0))).norm(), 1e-12);
}

// m v' = m g - c v: v = (m g/c)(1 - e^(-ct/m)).
TEST_P(Forces, LinearDragApproachesTheTerminalSpeed) {
  const double c = 3, t = 0.5;
  const SceneParts parts{.bodies = {make_ball("ball", 0.05, Vec3(0, 0, 5))},
                         .duration = t,
                         .forces = {DragSpec{.linear = c}}};
  const double v = -kGravity / c * (1 - std::exp(-c * t));
  expect_second_order(parts, 4e-3, 1e-7, [&](const State& s) { return s.bodies[0].v.z() - v; });
}

// m v' = m g - c v²: v = v_∞ tanh(g t/v_∞).
TEST_P(Forces, QuadraticDragApproachesTheTerminalSpeed) {
  const double c = 0.4, t = 0.6, terminal = std::sqrt(kGravity / c);
  const SceneParts parts{.bodies = {make_ball("ball", 0.05, Vec3(0, 0, 9))},
                         .duration = t,
                         .forces = {DragSpec{.quadratic = c}}};
  const double v = -terminal * std::tanh(kGravity * t / terminal);
  expect_second_order(parts, 4e-3, 1e-7, [&](const State& s) { return s.bodies[0].v.z() - v; });
}

// I ω' = -c ω of a ball.
TEST_P(Forces, DragStopsASpin) {
  model::BodySpec ball = make_ball("ball", 0.1, Vec3::Zero());
  ball.angular_velocity = Vec3(3, -4, 5);
  const double inertia = 0.4 * 0.01, c = 0.01, t = 0.6;
  const SceneParts parts{
      .gravity = Vec3::Zero(), .bodies = {ball}, .duration = t, .forces = {DragSpec{.angular = c}}};
  const Vec3 w = std::exp(-c * t / inertia) * ball.angular_velocity;
  expect_second_order(parts, 4e-3, 1e-6,
                      [&](const State& s) { return (s.bodies[0].w - w).norm(); });
}

// A projectile with both kinds of drag, by Runge–Kutta steps of 0.1 ms written down here.
TEST_P(Forces, AProjectileFallsShort) {
  const double linear = 0.2, quadratic = 0.05, t = 1.2;
  using Y = std::array<Vec3, 2>;
  const auto rate = [&](const Y& y) -> Y {
    return {y[1], Vec3(0, 0, -kGravity) - (linear + quadratic * y[1].norm()) * y[1]};
  };
  Y y{Vec3(0, 0, 1), Vec3(6, 2, 7)};
  const int steps = 12'000;
  const double h = t / steps;
  const auto along = [](const Y& from, double s, const Y& k) -> Y {
    return {from[0] + s * k[0], from[1] + s * k[1]};
  };
  for (int i = 0; i < steps; ++i) {
    const Y k1 = rate(y), k2 = rate(along(y, h / 2, k1)), k3 = rate(along(y, h / 2, k2)),
            k4 = rate(along(y, h, k3));
    for (std::size_t j = 0; j < 2; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  const SceneParts parts{.bodies = {make_ball("ball", 0.05, Vec3(0, 0, 1), Vec3(6, 2, 7))},
                         .duration = t,
                         .forces = {DragSpec{.linear = linear, .quadratic = quadratic}}};
  expect_second_order(parts, 4e-3, 1e-6,
                      [&](const State& s) { return (s.bodies[0].x - y[0]).norm(); });
}

// An ellipse with e = 0.5: after one period both bodies are where they began.
TEST_P(Forces, TwoBodiesOrbitEachOther) {
  const double G = 1, m1 = 2, m2 = 1, a = 1, e = 0.5;
  const double period = 2 * std::numbers::pi * std::sqrt(a * a * a / (G * (m1 + m2)));
  const double apart = a * (1 - e), speed = std::sqrt(G * (m1 + m2) / a * (1 + e) / (1 - e));
  model::BodySpec one =
      make_ball("one", 0.02, Vec3(-apart * m2 / 3, 0, 0), Vec3(0, -speed * m2 / 3, 0));
  model::BodySpec two =
      make_ball("two", 0.02, Vec3(apart * m1 / 3, 0, 0), Vec3(0, speed * m1 / 3, 0));
  one.mass = m1;
  two.mass = m2;
  const SceneParts parts{.gravity = Vec3::Zero(),
                         .bodies = {one, two},
                         .duration = period,
                         .forces = {GravitationSpec{.constant = G}}};
  expect_second_order(parts, 2e-3, 1e-5, [&](const State& s) {
    return (s.bodies[0].x - Vec3(-apart * m2 / 3, 0, 0)).norm();
  });
}

// A constant force and couple on a ball, and a field: a parabola, exactly.
TEST_P(Forces, ConstantOnesGiveAParabola) {
  const double inertia = 0.4 * 0.01, t = 0.5;
  const SceneParts parts{
      .gravity = Vec3::Zero(),
      .bodies = {make_ball("ball", 0.1, Vec3::Zero())},
      .duration = t,
      .forces = {PushSpec{.body = "ball", .force = Vec3(1, 2, 0), .torque = Vec3(0, 0, 0.02)},
                 FieldSpec{.acceleration = Vec3(0, 0, 3)}}};
  const State end = end_of(parts, 1e-2);
  EXPECT_LT((end.bodies[0].x - t * t / 2 * Vec3(1, 2, 3)).norm(),
            GetParam().stepping ? 1e-10 : 1e-7);
  EXPECT_LT((end.bodies[0].w - t * 0.02 / inertia * Vec3::UnitZ()).norm(), 1e-8);
}

// Where a region ends, the body goes straight on: crossed at x = 1 with v² = 2 a x.
TEST_P(Forces, AFieldEndsWithItsRegion) {
  const SceneParts parts{
      .gravity = Vec3::Zero(),
      .bodies = {make_ball("ball", 0.1, Vec3::Zero())},
      .duration = 2,
      .forces = {FieldSpec{
          .acceleration = Vec3(2, 0, 0), .low = Vec3(-1, -1, -1), .high = Vec3(1, 1, 1)}}};
  const State end = end_of(parts, 1e-3);
  EXPECT_NEAR(end.bodies[0].v.x(), 2, GetParam().stepping ? 2e-3 : 1e-5);
}

// A box that slides on the floor, braked by friction and drag: m v' = -μ m g - c v. The drag is
// that of velocities which friction changes within the step.
TEST_P(Forces, DragAndFrictionBrakeTogether) {
  const std::string& method = GetParam().method;
  if (method == "naive" || method == "microcollision" || method == "elastic")
    GTEST_SKIP() << "nothing rests, creeps or sinks in";
  const double friction = 0.3, c = 1, t = 0.3;
  model::BodySpec box = support::make_box("box", Vec3(1, 1, 0.2), Vec3(0, 0, 0.1));
  box.velocity = Vec3(3, 0, 0);
  const SceneParts parts{.between = {.friction = friction},
                         .bodies = {support::make_ground(), box},
                         .duration = t,
                         .forces = {DragSpec{.linear = c}}};
  const double limit = friction * kGravity / c;
  const double v = (3 + limit) * std::exp(-c * t) - limit;
  expect_second_order(parts, 4e-3, 1e-7, [&](const State& s) { return s.bodies[1].v.x() - v; });
}

// Any damping: after a step or ten the ball falls at its terminal speed m g/c.
TEST_P(Forces, StiffDragHolds) {
  const double c = 1e5;
  const SceneParts parts{.bodies = {make_ball("ball", 0.05, Vec3(0, 0, 5))},
                         .duration = 0.05,
                         .forces = {DragSpec{.linear = c}}};
  const State end = end_of(parts, 1e-3);
  EXPECT_NEAR(5 - end.bodies[0].x.z(), 0.05 * kGravity / c, 1e-3 * kGravity / c);
}

INSTANTIATE_TEST_SUITE_P(Methods, Forces,
                         testing::Values(Case{"zeno-free"}, Case{"naive"}, Case{"time-stepping"},
                                         Case{"microcollision"}, Case{"analytic", false},
                                         Case{"elastic", false}),
                         [](const auto& each) {
                           std::string name = each.param.method;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace carom
