// Drumwright's figures 1 and 2 and his algorithm 3; landings in closed form.
#include "carom/methods/zeno_free/zeno_free.h"

#include <gtest/gtest.h>

#include "carom/dynamics/energy.h"
#include "carom/methods/shared/resting_forces.h"
#include "support/rig.h"

namespace carom::methods {
namespace {

using record::EventKind;
using support::make_ball;
using support::make_box;
using support::make_ground;
using support::Rig;
using support::SceneParts;

SceneParts make_resting_box(const model::MethodSettings& method) {
  return {.gravity = Vec3(0, 0, -9.8),
          .bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))},
          .method = method};
}

TEST(ZenoFree, CarriesARestingBoxThroughTime) {
  Rig rig(make_resting_box(support::zeno_free(0.001)));
  ASSERT_TRUE(rig.advance_steps(1000).ok());
  EXPECT_NEAR(rig.state.t, 1, 1e-12);
  const BodyState& box = rig.state.bodies[1];
  EXPECT_LT((box.x - Vec3(0, 0, 0.5)).norm(), 1e-12);
  EXPECT_LT(box.v.norm() + box.w.norm(), 1e-12);
  EXPECT_EQ(rig.witness.count(EventKind::ContactBegin), 1U);
  EXPECT_EQ(rig.witness.count(EventKind::Impact), 0U);
}

// The paper's own step: v = -g h at the end of a step, one inelastic treatment at the start of the
// next.
TEST(ZenoFree, TreatsTheRestingBoxOncePerEulerStep) {
  model::MethodSettings euler = support::zeno_free(0.001);
  euler.options["integrator"] = std::string("euler");
  Rig rig(make_resting_box(euler));
  for (int step = 0; step < 500; ++step) {
    const std::size_t before = rig.witness.impacts.size();
    ASSERT_TRUE(rig.advance_steps(1).ok());
    ASSERT_EQ(rig.witness.impacts.size() - before, step == 0 ? 0U : 1U) << "step " << step;
    EXPECT_NEAR(rig.state.bodies[1].x.z(), 0.5, 1e-12);
    EXPECT_NEAR(rig.state.bodies[1].v.z(), -0.0098, 1e-14);
    if (step > 0) {
      EXPECT_NEAR(rig.witness.impacts.back().total_impulse().z(), 0.0098, 0.0098e-12);
    }
  }
}

// Algorithm 3, line 10: an impact at 5.0004 within [5, 5.001] leaves 0.6 ms of the step, not
// -4.9994 s.
TEST(ZenoFree, FliesTheRestOfTheStepAfterAnImpact) {
  for (const std::string integrator : {"exact", "euler"}) {
    model::MethodSettings method = support::zeno_free(0.001);
    method.options["integrator"] = integrator;
    Rig rig({.gravity = Vec3::Zero(),
             .between = {.restitution = 1},
             .bodies = {make_ground(),
                        make_ball("ball", 0.1, Vec3(0, 0, 0.1 + 0.0008), Vec3(0, 0, -2))},
             .method = method});
    rig.state.t = 5;
    ASSERT_TRUE(rig.advance_to(5.001).ok());
    EXPECT_EQ(rig.state.t, 5.001);
    ASSERT_EQ(rig.witness.impacts.size(), 1U);
    EXPECT_NEAR(rig.witness.impacts[0].t, 5.0004, 1e-11);
    EXPECT_NEAR(rig.state.bodies[1].x.z(), 0.1 + 0.0012, 1e-11);
    EXPECT_NEAR(rig.state.bodies[1].v.z(), 2, 1e-14);
  }
}

TEST(ZenoFree, ResolvesSeveralImpactsWithinOneStep) {
  Rig rig({.gravity = Vec3::Zero(),
           .between = {.restitution = 1},
           .bodies = {make_ground(), support::make_plane("ceiling", -Vec3::UnitZ(), -0.3),
                      make_ball("ball", 0.1, Vec3(0, 0, 0.15), Vec3(0, 0, 1))},
           .method = support::zeno_free(1)});
  ASSERT_TRUE(rig.advance_steps(1).ok());  // 0.05 up, then 0.1 each way: at 0.05, 0.15, …, 0.95
  ASSERT_EQ(rig.witness.impacts.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(rig.witness.impacts[i].t, 0.05 + 0.1 * static_cast<double>(i), 1e-10);
  }
}

TEST(ZenoFree, LandsABoxFlatWithoutSpin) {
  Rig rig({.bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 1))},
           .method = support::zeno_free(0.001)});
  ASSERT_TRUE(rig.advance_steps(500).ok());  // lands after √(2·0.5/9.81) = 0.319 s
  ASSERT_FALSE(rig.witness.impacts.empty());
  EXPECT_NEAR(rig.witness.impacts[0].t, std::sqrt(1 / 9.81), 1e-10);
  EXPECT_NEAR(rig.witness.impacts[0].total_impulse().z(), std::sqrt(9.81), 1e-10);
  const BodyState& box = rig.state.bodies[1];
  EXPECT_NEAR(box.x.z(), 0.5, 1e-9);
  EXPECT_LT(box.v.norm(), 1e-12);
  EXPECT_LT(box.w.norm(), 1e-12);
}

TEST(ZenoFree, SaysWhenABounceSequenceEnds) {
  Rig rig({.between = {.restitution = 0.5},
           .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.2))},
           .method = support::zeno_free(0.001)});
  ASSERT_TRUE(rig.advance_steps(600).ok());  // Zeno time 3 √(0.2/9.81) = 0.4284 s
  EXPECT_EQ(rig.witness.count(EventKind::Rest), 1U);
  EXPECT_EQ(rig.witness.count(EventKind::ContactBegin), 1U);
  EXPECT_LT(rig.state.bodies[1].v.norm(), 1e-12);
}

TEST(ZenoFree, SaysWhenAContactEnds) {
  support::SceneParts parts{.gravity = Vec3(0, 0, 1),
                            .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1))},
                            .method = support::zeno_free(0.001)};
  Rig rig(parts);
  ASSERT_TRUE(rig.advance_steps(10).ok());
  EXPECT_EQ(rig.witness.count(EventKind::ContactBegin), 1U);
  EXPECT_EQ(rig.witness.count(EventKind::ContactEnd), 1U);
}

TEST(ZenoFree, StopsAtItsCapOfImpacts) {
  model::MethodSettings method = support::zeno_free(1);
  method.options["max_impacts_per_step"] = 3.0;
  Rig rig({.gravity = Vec3::Zero(),
           .between = {.restitution = 1},
           .bodies = {make_ground(), support::make_plane("ceiling", -Vec3::UnitZ(), -0.3),
                      make_ball("ball", 0.1, Vec3(0, 0, 0.15), Vec3(0, 0, 1))},
           .method = method});
  const AdvanceResult result = rig.advance_steps(1);
  EXPECT_EQ(result.status, AdvanceStatus::TooManyImpacts);
  const std::string words = describe(result, rig.scene, rig.state.t);
  EXPECT_NE(words.find("ball"), std::string::npos) << words;
  EXPECT_NE(words.find("t = 0.35"), std::string::npos) << words;
}

// A cube dropped on a corner: energy only goes down, whatever it does then.
TEST(ZenoFree, NeverGainsEnergyWhenABoxTumbles) {
  for (const double e : {0.0, 0.6}) {
    model::BodySpec box = make_box("box", Vec3(1, 0.6, 0.4), Vec3(0, 0, 1.2));
    box.orientation = math::quat_exp(Vec3(0.6, 0.5, 0.1));
    Rig rig({.between = {.restitution = e, .friction = 0.4},
             .bodies = {make_ground(), box},
             .method = support::zeno_free(0.001)});
    double energy = dynamics::compute_energy(rig.scene, rig.state).total();
    for (int i = 0; i < 3000; ++i) {
      const AdvanceResult result = rig.advance_steps(1);
      ASSERT_TRUE(result.ok()) << describe(result, rig.scene, rig.state.t);
      const double now = dynamics::compute_energy(rig.scene, rig.state).total();
      ASSERT_LE(now, energy + 1e-9) << "e = " << e << ", t = " << rig.state.t;
      energy = std::min(energy, now);
    }
    EXPECT_LT(energy, 0.75 * 9.81 * 1.2);
  }
}

// A rod of length 2 on its end, tan θ = 1/2, too slow to bounce. Along normal and slip its
// collision matrix is K = (1.6 1.2; 1.2 3.4): the impulse K⁻¹(v, -v) = (1.15, -0.7) v stops it
// within a friction of 1.3 and leaves m v² - ½(1.15 + 0.7) v². Friction against the slip of the
// start, whatever becomes of it, would put in a thousand times what there was.
TEST(ZenoFree, BringsASlowRodToRestWithoutGainingEnergy) {
  const Vec3 lever = Vec3(1, 0, -2) / std::sqrt(5.0);
  Rig rig({.between = {.restitution = 0.5, .friction = 1.3},
           .bodies = {make_ground(),
                      {.name = "rod",
                       .shapes = {{.shape = geometry::Sphere{0.01}}},
                       .mass = 1,
                       .inertia = Mat3::Identity() / 3,
                       .center_of_mass = Vec3(0, 0, -0.01) - lever,
                       .position = Vec3(0, 0, 0.01)}},
           .method = support::zeno_free(0.001)});
  const double v = 0.5 * rig.scene.tolerances.rest_speed;
  rig.state.bodies[1].v = Vec3(v, 0, -v);
  ASSERT_TRUE(rig.advance_to(1e-12).ok());
  EXPECT_NEAR(dynamics::compute_energy(rig.scene, rig.state).kinetic / (v * v), 0.075, 1e-3);
}

// Forty boxes that slide at speeds of their own, all of which stop within 0.9 ms: v = μ g t.
TEST(ZenoFree, StopsManySlowSlidesInAStepWithoutAFlightForEach) {
  constexpr int kBoxes = 40;
  constexpr double kFriction = 0.3, kG = 9.81, kStep = 1e-3, kSide = 0.1;
  support::SceneParts parts{.gravity = Vec3(0, 0, -kG),
                            .between = {.friction = kFriction},
                            .bodies = {make_ground()},
                            .method = support::zeno_free(kStep)};
  const double limit = 1e-3 * std::sqrt(kG * 0.5 * kSide);  // of slides that may stop late
  for (int i = 0; i < kBoxes; ++i) {
    model::BodySpec box = make_box("box", Vec3::Constant(kSide), Vec3(0, i, 0.5 * kSide));
    box.name += std::to_string(i);
    box.velocity.x() = limit * (0.1 + 0.02 * i);
    parts.bodies.push_back(box);
  }
  Rig rig(parts);
  ASSERT_TRUE(rig.advance_steps(1).ok());
  const record::Fallback& late =
      rig.recorder.fallbacks().rungs[static_cast<std::size_t>(record::Rung::LateFriction)];
  EXPECT_GE(late.times, 1);
  EXPECT_LE(late.error, limit);
  EXPECT_LT(late.times, kBoxes / 4);
  for (int i = 0; i < kBoxes; ++i) {
    const BodyState& box = rig.state.bodies[static_cast<std::size_t>(1 + i)];
    const double v = parts.bodies[static_cast<std::size_t>(1 + i)].velocity.x();
    EXPECT_LT(box.v.norm(), 1e-12) << i;
    EXPECT_GE(box.x.x(), v * v / (2 * kFriction * kG) - 1e-12) << i;
    EXPECT_LE(box.x.x(), 0.5 * v * kStep) << i;  // at worst, braked evenly over the step
  }
}

// A ball slides slowly, lies a touching distance too deep, and is one of a scene whose time is that
// of a fast one. What lifts it back brakes it as well; where the flight is cut at the stop, it is
// lifted by as much less as brings it to the same stop.
TEST(RestingForces, AFlightCutAtAStopAimsSoThatTheStopIsItsEnd) {
  const Scene scene = support::build(
      {.between = {.friction = 2},
       .bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 0.1), Vec3(1.1e-3, 0, 0)),
                  make_ball("fast", 0.1, Vec3(0, 0, 10), Vec3(100, 0, 0))}});
  base::Workers workers(1);
  record::Recorder recorder(scene);
  StepContext context(scene, workers, recorder);
  RestingForces forces(context);
  State state = dynamics::make_initial_state(scene);
  state.bodies[1].x.z() -= 0.99 * scene.tolerances.gap;
  FeatureContacts contacts;
  find_contacts(context, state, contacts);
  ASSERT_EQ(contacts.set.size(), 1U);
  constexpr double duration = 1.2e-7;
  Flight flight;
  forces.aim_anew();
  ASSERT_EQ(forces.solve(state, contacts, duration).sliding_ends_at, 1);
  forces.fly(state, duration, flight);
  ASSERT_TRUE(forces.correct_aim(contacts, flight));
  const double part = forces.solve(state, contacts, duration).sliding_ends_at;
  ASSERT_LT(part, 0.9);
  forces.shorten_aim(part);
  EXPECT_NEAR(forces.solve(state, contacts, duration * part).sliding_ends_at, 1, 1e-3);
}

}  // namespace
}  // namespace carom::methods
