// Motions in closed form: parabolas, bounces, Coulomb's brake, a physical pendulum.
#include "carom/methods/time_stepping/time_stepping.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/bytes.h"
#include "carom/dynamics/energy.h"
#include "support/rig.h"

namespace carom::methods {
namespace {

using support::make_ball;
using support::make_box;
using support::make_ground;
using support::Rig;
using support::SceneParts;

constexpr double kGravity = 9.81;

model::MethodSettings time_stepping(double step, double sides = 16) {
  return {"time-stepping", {{"step", step}, {"sides", sides}}};
}

TEST(TimeStepping, LeavesFreeFlightExact) {
  Rig rig({.bodies = {make_ground(), make_ball("ball", 0.1, Vec3(0, 0, 5), Vec3(3, -1, 4))},
           .method = time_stepping(0.01)});
  ASSERT_TRUE(rig.advance_steps(100).ok());
  const BodyState& ball = rig.state.bodies[1];
  EXPECT_LT((ball.x - Vec3(3, -1, 5 + 4 - 0.5 * kGravity)).norm(), 1e-12);
  EXPECT_LT((ball.v - Vec3(3, -1, 4 - kGravity)).norm(), 1e-12);
}

// How far the ball's apex after its first bounce is from e² times the height it falls from.
double bounce_error(double height, double e, double step) {
  const double radius = 0.1;
  Rig rig({.between = {.restitution = e},
           .bodies = {make_ground(), make_ball("ball", radius, Vec3(0, 0, radius + height))},
           .method = time_stepping(step)});
  const BodyState& ball = rig.state.bodies[1];
  const double down = std::sqrt(2 * height / kGravity);
  EXPECT_TRUE(rig.advance_steps(static_cast<int>((1 + 0.5 * e) * down / step)).ok());
  const double apex = ball.x.z() - radius + 0.5 * ball.v.z() * std::abs(ball.v.z()) / kGravity;
  return std::abs(apex - e * e * height);
}

// An impact is treated up to a step too early, wherever the step happens to end: at a height of
// v h at most, or with v less by g h.
TEST(TimeStepping, BouncesToTheRightHeightInFirstOrder) {
  const double e = 0.8;
  double last = 0;
  for (const double step : {0.008, 0.004, 0.002, 0.001, 0.0005}) {
    double worst = 0;
    for (int i = 0; i < 40; ++i) {
      const double height = 1 + 0.013 * i, speed = std::sqrt(2 * kGravity * height);
      const double error = bounce_error(height, e, step);
      EXPECT_LE(error, speed * step) << height << ' ' << step;
      worst = std::max(worst, error);
    }
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / worst), 1, 0.25) << step;
    }
    last = worst;
  }
}

SceneParts make_sliding_box(const Vec3& velocity, double friction, double step, double sides) {
  model::BodySpec box = make_box("box", Vec3(1, 1, 0.5), Vec3(0, 0, 0.25));
  box.velocity = velocity;
  return {.between = {.friction = friction},
          .bodies = {make_ground(), box},
          .method = time_stepping(step, sides)};
}

// v = v₀ - μ g t. Its friction acts to the end of the step in which it stops, less strongly, so it
// goes too far by μ g h²/8 at most.
TEST(TimeStepping, BrakesASlidingBoxAsCoulombSays) {
  const double mu = 0.3, speed = 2;
  for (const double step : {0.01, 0.003, 0.001}) {
    for (const auto& [sides, angle] : std::vector<std::pair<double, double>>{
             {16, 0}, {1, 0}, {1, 0.3}, {1, 2.5}}) {  // below 3: the cone, any direction
      const Vec3 along(std::cos(angle), std::sin(angle), 0);
      Rig rig(make_sliding_box(speed * along, mu, step, sides));
      const BodyState& box = rig.state.bodies[1];
      const double stops = speed / (mu * kGravity);
      const int half = static_cast<int>(0.5 * stops / step);
      ASSERT_TRUE(rig.advance_steps(half).ok());
      const double t = rig.state.t;
      EXPECT_LT((box.v - (speed - mu * kGravity * t) * along).norm(), 1e-9) << step << ' ' << sides;
      EXPECT_NEAR(box.x.dot(along), speed * t - 0.5 * mu * kGravity * t * t, 1e-9)
          << step << ' ' << sides;
      ASSERT_TRUE(rig.advance_steps(half + 20).ok());
      EXPECT_LT(box.v.norm() + box.w.norm(), 1e-9) << step << ' ' << sides;
      const double distance = 0.5 * speed * speed / (mu * kGravity);
      EXPECT_GE(box.x.dot(along), distance - 1e-9) << step << ' ' << sides;
      EXPECT_LE(box.x.dot(along), distance + mu * kGravity * step * step / 8 + 1e-9)
          << step << ' ' << sides;
      EXPECT_NEAR(box.x.z(), 0.25, 1e-9);
    }
  }
}

// Inside a polygon of 16 corners friction is weaker by 1 - cos(π/16) at most, and never stronger.
TEST(TimeStepping, BrakesWithinThePolygonsErrorInAnyDirection) {
  const double mu = 0.3, speed = 2;
  for (const double angle : {0.1, 0.19, 1.0, 3.3}) {
    Rig rig(make_sliding_box(speed * Vec3(std::cos(angle), std::sin(angle), 0), mu, 0.001, 16));
    ASSERT_TRUE(rig.advance_steps(300).ok());
    const double lost = speed - rig.state.bodies[1].v.norm(), full = mu * kGravity * 0.3;
    EXPECT_LE(lost, full + 1e-9) << angle;
    EXPECT_GE(lost, std::cos(M_PI / 16) * full - 1e-9) << angle;
  }
}

TEST(TimeStepping, LandsABoxFlatWithoutPenetration) {
  for (const double step : {0.01, 0.0037, 0.001}) {
    for (const double e : {0.0, 0.5}) {
      Rig rig({.between = {.restitution = e, .friction = 0.4},
               .bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 1))},
               .method = time_stepping(step)});
      for (int i = 0; i < static_cast<int>(2 / step); ++i) {
        ASSERT_TRUE(rig.advance_steps(1).ok());
        ASSERT_GE(rig.state.bodies[1].x.z(), 0.5 - 1e-12) << step << ' ' << e << ' ' << i;
      }
      const BodyState& box = rig.state.bodies[1];
      EXPECT_LT(box.v.norm() + box.w.norm(), 1e-9) << step << ' ' << e;
      EXPECT_NEAR(box.x.z(), 0.5, 1e-9) << step << ' ' << e;
    }
  }
}

TEST(TimeStepping, DoesNotLetARestingBoxSink) {
  Rig rig({.between = {.friction = 0.5},
           .bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))},
           .method = time_stepping(0.001)});
  ASSERT_TRUE(rig.advance_steps(10'000).ok());
  const BodyState& box = rig.state.bodies[1];
  EXPECT_LT((box.x - Vec3(0, 0, 0.5)).norm(), 1e-12);
  EXPECT_LT(box.v.norm() + box.w.norm(), 1e-12);
  EXPECT_EQ(rig.witness.count(record::EventKind::Impact), 0U);
}

constexpr double kStepsToOpen = 3;  // an overlap shrinks to 1/e of it in so many

SceneParts make_box_on_ground(double step) {
  return {.between = {.friction = 0.5},
          .bodies = {make_ground(), make_box("box", Vec3(1, 1, 1), Vec3(0, 0, 0.5))},
          .method = time_stepping(step)};
}

// A small overlap shrinks like exp(-t/τ) whatever the steps are, also where each is cut into a
// billionth, a thousandth and the rest; steps of τ/3 follow that to a fifth of the depth.
TEST(TimeStepping, OpensAnOverlapAtARateWhateverTheSteps) {
  const double step = 0.001, tau = kStepsToOpen * step, depth = 1e-5;
  for (const bool cut : {false, true}) {
    Rig rig(make_box_on_ground(step));
    BodyState& box = rig.state.bodies[1];
    box.x.z() -= depth;
    for (int i = 0; i < 100; ++i) {
      const double t = i * step;
      for (const double part : cut ? std::vector{1e-9, 1e-3, 1.0} : std::vector{1.0}) {
        ASSERT_TRUE(rig.advance_to(t + part * step).ok());
        ASSERT_LE(box.v.norm(), 1.001 * depth / tau) << cut << ' ' << i;
      }
      ASSERT_NEAR(0.5 - box.x.z(), depth * std::exp(-(t + step) / tau), 0.2 * depth) << cut << i;
    }
    EXPECT_NEAR(box.x.z(), 0.5, 1e-12);
    EXPECT_LT(box.v.norm() + box.w.norm(), 1e-9);
  }
}

// A deep one opens no faster than weight stops it, √(g d): the box arrives at rest and does not
// hop.
// A ball thrown up by less than gravity takes back in a step: where it lands in the same step no
// force may lift it.
TEST(TimeStepping, GainsNothingFromASmallHop) {
  const double step = 0.01, radius = 0.1;
  for (const double part : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const Vec3 up(0, 0, part * kGravity * step);
    Rig rig({.bodies = {make_ground(), make_ball("ball", radius, Vec3(0, 0, radius), up)},
             .method = time_stepping(step)});
    double energy = dynamics::compute_energy(rig.scene, rig.state).total();
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(rig.advance_steps(1).ok());
      const double now = dynamics::compute_energy(rig.scene, rig.state).total();
      EXPECT_LE(now, energy + 1e-12) << part << ' ' << i;
      energy = now;
    }
  }
}

TEST(TimeStepping, OpensADeepOverlapWithoutAHop) {
  for (const double depth : {1e-4, 1e-3, 1e-2}) {
    Rig rig(make_box_on_ground(0.001));
    BodyState& box = rig.state.bodies[1];
    box.x.z() -= depth;
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(rig.advance_steps(1).ok());
      ASSERT_LE(box.v.norm(), 1.001 * std::sqrt(kGravity * depth)) << depth << ' ' << i;
      ASSERT_LE(box.x.z(), 0.5 + 1e-9) << depth << ' ' << i;
    }
    EXPECT_NEAR(box.x.z(), 0.5, 1e-9);
    EXPECT_LT(box.v.norm() + box.w.norm(), 1e-9);
  }
}

// Balls fall into a heap between walls. A last step of any length ends where the motion was.
TEST(TimeStepping, EndsInAShortStepAsBeforeIt) {
  SceneParts parts{.between = {.restitution = 0.1, .friction = 0.4},
                   .bodies = {make_ground(), support::make_plane("left", Vec3(1, 0, 0.3), -0.15),
                              support::make_plane("right", Vec3(-1, 0, 0.3), -0.15),
                              support::make_plane("front", Vec3(0, 1, 0), -0.06),
                              support::make_plane("back", Vec3(0, -1, 0), -0.06)},
                   .method = time_stepping(0.004)};
  for (int i = 0; i < 6; ++i) {
    parts.bodies.push_back(
        make_ball("ball" + std::to_string(i), 0.05,
                  Vec3(0.02 * (i % 3) - 0.02, 0.003 * i - 0.008, 0.1 + 0.11 * i)));
  }
  Rig rig(parts);
  const auto energy = [&] { return dynamics::compute_energy(rig.scene, rig.state).kinetic; };
  for (int i = 1; i <= 150; ++i) {
    ASSERT_TRUE(rig.advance_steps(1).ok());
    const State here = rig.state;
    const double before = energy();
    for (const double length : {1e-6, 1e-9, 1e-12}) {
      ASSERT_TRUE(rig.advance_to(here.t + length).ok());
      // nothing but what opens overlaps, no more than weight does falling by them
      ASSERT_LE(energy(), before + 1e-3) << i << ' ' << length;
      rig.state = here;
    }
  }
}

// Two driven fingers close on a box, which cannot be: the step says so, and the box is no faster
// than they are.
TEST(TimeStepping, GainsNothingFromASqueeze) {
  const double speed = 0.01;
  for (const double friction : {0.0, 0.5}) {
    model::BodySpec left = make_box("left", Vec3(0.02, 0.06, 0.06), Vec3(-0.065, 0, 0.06));
    model::BodySpec right = make_box("right", Vec3(0.02, 0.06, 0.06), Vec3(0.065, 0, 0.06));
    left.motion = right.motion = model::Motion::Driven;
    left.velocity = Vec3(speed, 0, 0);
    right.velocity = -left.velocity;
    Rig rig({.gravity = Vec3::Zero(),
             .between = {.friction = friction},
             .bodies = {make_box("box", Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0.05)), left, right},
             .method = time_stepping(0.001)});
    const BodyState& box = rig.state.bodies[0];
    AdvanceResult result;
    for (int i = 0; i < 1000 && result.ok(); ++i) {
      result = rig.advance_steps(1);
      ASSERT_LE(box.v.norm() + 0.05 * box.w.norm(), 2 * speed) << friction << ' ' << i;
    }
    EXPECT_EQ(result.status, AdvanceStatus::Contradiction) << friction;
  }
}

// A rod hung at its end and released level, for a little more than a period.
struct Swing {
  double period_error = 0, joint_error = 0;
};
Swing swing(double step) {
  model::BodySpec hook = make_ball("hook", 0.01, Vec3::Zero());
  hook.motion = model::Motion::Fixed;
  model::BodySpec rod = make_box("rod", Vec3(1, 0.01, 0.01), Vec3(0.5, 0, 0));
  rod.inertia = Mat3(Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal());
  Rig rig({.bodies = {hook, rod},
           .joints = {{.name = "hang",
                       .type = model::JointType::Hinge,
                       .between = {"hook", "rod"},
                       .anchor = Vec3::Zero(),
                       .axis = Vec3::UnitY()}},
           .method = time_stepping(step)});
  // 4 √(I/(m g d)) K(sin 45°), with I = 1/3 about the hook and d = 1/2
  const double period = 4 * std::sqrt(2 / (3 * kGravity)) * std::comp_ellint_1(std::sqrt(0.5));
  const BodyState& at = rig.state.bodies[1];
  std::vector<double> turns;
  Swing found;
  for (int i = 0; i < static_cast<int>(1.2 * period / step); ++i) {
    const double t = rig.state.t, spin = at.w.y();
    EXPECT_TRUE(rig.advance_steps(1).ok());
    if (spin * at.w.y() < 0) {
      turns.push_back(t + (rig.state.t - t) * spin / (spin - at.w.y()));
    }
    const Vec3 anchor = at.x + at.q * Vec3(-0.5, 0, 0);
    found.joint_error = std::max(found.joint_error, anchor.norm());
  }
  EXPECT_EQ(turns.size(), 2U);
  if (turns.size() == 2) found.period_error = std::abs(turns[1] - period);
  return found;
}

TEST(TimeStepping, SwingsAPendulumInSecondOrder) {
  const Swing coarse = swing(0.004), fine = swing(0.002), finer = swing(0.001);
  EXPECT_LT(finer.joint_error, 1e-6);
  EXPECT_LT(finer.period_error, 1e-4);
  EXPECT_GT(std::log2(coarse.period_error / fine.period_error), 1.7);
  EXPECT_GT(std::log2(fine.period_error / finer.period_error), 1.7);
}

SceneParts make_tower(int boxes, model::MethodSettings method) {
  SceneParts parts{.between = {.friction = 0.5}, .bodies = {make_ground()}, .method = {}};
  if (method.name == "zeno-free") method.options["sleeping"] = false;
  parts.method = std::move(method);
  for (int i = 0; i < boxes; ++i) {
    parts.bodies.push_back(
        make_box("box" + std::to_string(i), Vec3(1, 1, 1), Vec3(0.03 * (i % 2), 0, 0.5 + i)));
  }
  return parts;
}

double distance(const State& one, const State& other) {
  double greatest = 0;
  for (std::size_t i = 0; i < one.bodies.size(); ++i) {
    greatest = std::max({greatest, (one.bodies[i].x - other.bodies[i].x).norm(),
                         (one.bodies[i].v - other.bodies[i].v).norm(),
                         (one.bodies[i].w - other.bodies[i].w).norm()});
  }
  return greatest;
}

// Does something to the contact forces that a stepper remembers: they stand behind the version, the
// method's name and the pairs that rest.
template <typename Change>
void change_memory(Stepper& stepper, const Change& change) {
  std::string bytes;
  stepper.save(bytes);
  std::string_view left = bytes;
  std::uint32_t version = 0;
  std::vector<char> name;
  std::vector<BodyPair> resting;
  std::vector<contact::ImpulseMemory::Force> forces;
  base::take_bytes(left, version);
  base::take_bytes(left, name);
  base::take_bytes(left, resting);
  std::string changed = bytes.substr(0, bytes.size() - left.size());
  base::take_bytes(left, forces);
  change(forces);
  base::append_bytes(changed, forces);
  changed += left;
  std::string_view all = changed;
  stepper.restore(all);
}

// What a stepper remembers is where a solution begins, and does not decide what it is.
TEST(TimeStepping, MovesATowerTheSameWhateverIsRememberedOfIt) {
  for (const model::MethodSettings& method : {time_stepping(0.001), support::zeno_free(0.001)}) {
    Rig plain(make_tower(6, method)), forgetful(make_tower(6, method)),
        confused(make_tower(6, method));
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(plain.advance_steps(1).ok());
      ASSERT_TRUE(forgetful.advance_steps(1).ok());
      ASSERT_TRUE(confused.advance_steps(1).ok());
      std::size_t remembered = 0;
      change_memory(forgetful.stepper, [&](auto& forces) {
        remembered = forces.size();
        forces.clear();
      });
      EXPECT_GT(remembered, 0U);
      change_memory(confused.stepper, [&](auto& forces) {
        double sign = 1;
        for (auto& force : forces) force.on_a = {40 * sign, 3.0 * i, 1000 * (sign = -sign)};
      });
    }
    EXPECT_LT(distance(plain.state, forgetful.state), 1e-10) << method.name;
    EXPECT_LT(distance(plain.state, confused.state), 1e-10) << method.name;
    EXPECT_LT(distance(plain.state, dynamics::make_initial_state(plain.scene)), 1e-9)
        << method.name;
  }
}

void expect_same_after_restart(const SceneParts& parts) {
  Rig whole(parts), resumed(parts);
  ASSERT_TRUE(whole.advance_steps(60).ok());
  std::string bytes;
  whole.stepper.save(bytes);
  std::string_view left = bytes;
  resumed.stepper.restore(left);
  resumed.state = whole.state;
  resumed.steps = whole.steps;
  ASSERT_TRUE(whole.advance_steps(100).ok());
  ASSERT_TRUE(resumed.advance_steps(100).ok());
  EXPECT_EQ(distance(whole.state, resumed.state), 0) << parts.method.name;
  for (std::size_t i = 0; i < whole.state.bodies.size(); ++i) {
    EXPECT_EQ(whole.state.bodies[i].q.coeffs(), resumed.state.bodies[i].q.coeffs());
  }
}

// Saved in one stepper and restored in another, the motion goes on to the last bit: of towers on
// which a box lands, and of one that it pushes over besides.
TEST(TimeStepping, GoesOnFromWhatItRemembersBitForBit) {
  for (const model::MethodSettings& method : {time_stepping(0.001), support::zeno_free(0.001)}) {
    SceneParts parts = make_tower(4, method);
    parts.bodies.back().position.z() += 0.01;
    expect_same_after_restart(parts);
  }
  for (const model::MethodSettings& method : {time_stepping(0.001), support::zeno_free(0.001)}) {
    SceneParts parts = make_tower(2, method);
    parts.bodies.back().velocity = Vec3(0.3, 0.1, -0.5);
    expect_same_after_restart(parts);
  }
}

// The first of three balls sets the second in motion in the step in which this, half as fast, would
// run 0.3 mm into the third. Nothing else is near.
TEST(TimeStepping, SeesWhatAnImpactSendsABallInto) {
  Rig rig({.gravity = Vec3::Zero(),
           .bodies = {make_ball("first", 0.1, Vec3(-0.2, 0, 0), Vec3(1, 0, 0)),
                      make_ball("second", 0.1, Vec3::Zero()),
                      make_ball("third", 0.1, Vec3(0.2 + 2e-4, 0, 0))},
           .method = time_stepping(1e-3)});
  ASSERT_TRUE(rig.advance_steps(1).ok());
  const auto& bodies = rig.state.bodies;
  EXPECT_GE(bodies[2].x.x() - bodies[1].x.x(), 0.2 - 1e-12);
  EXPECT_GE(bodies[1].x.x() - bodies[0].x.x(), 0.2 - 1e-12);
  EXPECT_NEAR(bodies[0].v.x() + bodies[1].v.x() + bodies[2].v.x(), 1, 1e-14);
}

}  // namespace
}  // namespace carom::methods
