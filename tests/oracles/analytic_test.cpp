// Motion under contact forces that vary, against closed forms: where contacts are lost, when
// sliding ends, how what is jointed swings, what rolls on what turns.
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "carom/math/elliptic.h"
#include "carom/math/rotation.h"
#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr double kGravity = 9.81;

model::MethodSettings analytic(const std::string& formula = "runge-kutta") {
  return {"analytic", {{"formula", formula}}};
}

struct Ran {
  std::vector<State> outputs;
  std::vector<record::ContactEvent> events;
  record::Summary summary;

  const BodyState& last(std::size_t body) const { return outputs.back().bodies[body]; }
};

Ran run(const support::SceneParts& parts) {
  const Scene scene = support::build(parts);
  Simulation simulation(scene);
  record::TraceSink trace;
  simulation.add(trace);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  EXPECT_LE(summary.audit.max_penetration, 1e-11);
  return {trace.trace().outputs, trace.trace().events, summary};
}

TEST(SlidingBall, RollsAtTheMomentAtWhichItsSlipEnds) {
  const double R = 0.1, mu = 0.2, v0 = 5, a = mu * kGravity;
  for (const char* formula : {"runge-kutta", "adams-moulton"}) {
    const Ran ran = run({.between = {.friction = mu},
                         .bodies = {support::make_ground(),
                                    support::make_ball("ball", R, Vec3(0, 0, R), Vec3(v0, 0, 0))},
                         .method = analytic(formula),
                         .duration = 2,
                         .output_every = 0.2});
    const double t_roll = 2 * v0 / (7 * a), x_roll = 12 * v0 * v0 / (49 * a);
    for (const State& at : ran.outputs) {
      const bool rolls = at.t > t_roll;
      const double x =
          rolls ? x_roll + 5 * v0 / 7 * (at.t - t_roll) : v0 * at.t - a * at.t * at.t / 2;
      EXPECT_NEAR(at.bodies[1].x.x(), x, 1e-9) << at.t;
      EXPECT_NEAR(at.bodies[1].v.x(), rolls ? 5 * v0 / 7 : v0 - a * at.t, 1e-9) << at.t;
    }
  }
}

// A small ball slides off a fixed one: it leaves where v² = g L cos θ, so that with
// v² = v0² + 2 g L (cos θ0 - cos θ), 3 cos θ = 2 cos θ0 + v0²/(g L). From there its horizontal
// speed stays.
TEST(BallOnABall, LeavesItWhereTheForceVanishes) {
  const double L = 1, theta = 0.2, v0 = 0.5;
  model::BodySpec below = support::make_ball("below", 0.9, Vec3::Zero());
  below.motion = model::Motion::Fixed;
  const Vec3 out(std::sin(theta), 0, std::cos(theta)), along(std::cos(theta), 0, -std::sin(theta));
  const Ran ran = run({.bodies = {below, support::make_ball("ball", 0.1, L * out, v0 * along)},
                       .method = analytic(),
                       .duration = 1});
  const double cosine = (2 * std::cos(theta) + v0 * v0 / (kGravity * L)) / 3;
  EXPECT_NEAR(ran.last(1).v.x(), std::sqrt(kGravity * L * cosine) * cosine, 1e-9);
  EXPECT_EQ(ran.summary.counters.events[static_cast<std::size_t>(record::EventKind::ContactEnd)],
            1);
}

// A ladder of length 2a and inertia m a²/3 slides down a wall: with φ its slope,
// φ'² = 3 g (sin φ0 - sin φ) / (2 a), and the wall's force vanishes at sin φ = ⅔ sin φ0. From there
// its centre moves on from the wall with the speed it has.
TEST(Ladder, LeavesTheWallAtTwoThirdsOfItsHeight) {
  const double a = 1, radius = 0.02, phi = 1.0;
  model::BodySpec ladder{
      .name = "ladder",
      .shapes = {{.shape = geometry::Capsule{radius, 2 * a}}},
      .mass = 1,
      .position = Vec3(a * std::cos(phi) + radius, 0, a * std::sin(phi) + radius)};
  ladder.inertia = Mat3(Vec3(a * a / 3, a * a / 3, 1e-2).asDiagonal());
  // Its axis, z of the shape, from (x, 0) on the floor to (0, z) on the wall.
  ladder.orientation = math::quat_exp((phi - std::numbers::pi / 2) * Vec3::UnitY());
  const Ran ran =
      run({.bodies = {support::make_ground(), support::make_plane("wall", Vec3::UnitX()), ladder},
           .method = analytic(),
           .duration = 0.75});
  const double height = std::sin(phi);
  EXPECT_NEAR(ran.last(2).v.x(), std::sqrt(kGravity * a * height / 2) * 2 * height / 3, 1e-9);
  EXPECT_EQ(ran.summary.counters.events[static_cast<std::size_t>(record::EventKind::ContactEnd)],
            1);
}

// A rod on a pivot: sin(θ/2) = k sn(ω t + K, k²) with ω² = m g l / I.
TEST(Pendulum, SwingsAsItsEllipticFunctionSays) {
  for (const char* formula : {"runge-kutta", "adams-moulton"}) {
    const double l = 1, inertia = 0.1, amplitude = 1.2;
    model::BodySpec bob =
        support::make_ball("bob", 0.1, Vec3(l * std::sin(amplitude), 0, -l * std::cos(amplitude)));
    bob.inertia = Mat3(inertia * Mat3::Identity());
    model::BodySpec post = support::make_ball("post", 0.1, Vec3(0, 0, 3));
    post.motion = model::Motion::Fixed;
    const model::JointSpec pivot{.name = "pivot",
                                 .type = model::JointType::Hinge,
                                 .between = {"post", "bob"},
                                 .anchor = Vec3(Vec3::Zero()),
                                 .axis = Vec3::UnitY()};
    const Ran ran = run({.bodies = {post, bob},
                         .joints = {pivot},
                         .method = analytic(formula),
                         .duration = 4,
                         .output_every = 0.25});
    const double omega = std::sqrt(kGravity * l / (inertia + l * l)), k = std::sin(amplitude / 2);
    for (const State& at : ran.outputs) {
      // cd(u) = sn(u + K): from rest at the amplitude.
      const math::Jacobi j = math::jacobi(omega * at.t, 1 - k * k);
      const double theta = 2 * std::asin(k * j.cn / j.dn);
      EXPECT_NEAR(at.bodies[1].x.x(), l * std::sin(theta), 1e-7) << formula << at.t;
    }
    EXPECT_LE(ran.summary.audit.max_joint_error, 1e-10);
  }
}

// A ball that rolls on a turntable goes in a circle at 2/7 of the table's rate: from rest against
// the table, v = Ω × r, about a centre r + k × v / (2Ω/7).
TEST(BallOnATurntable, CirclesAtTwoSeventhsOfItsRate) {
  const double R = 0.02, rate = 3, turn = 2 * rate / 7;
  model::BodySpec table = support::make_plane("table", Vec3::UnitZ());
  table.motion = model::Motion::Driven;
  table.angular_velocity = Vec3(0, 0, rate);
  model::BodySpec ball = support::make_ball("ball", R, Vec3(0.1, 0, R), Vec3(0, 0.3, 0));
  ball.angular_velocity = Vec3(0, 0, rate);
  const Ran ran = run({.between = {.friction = 0.5},
                       .bodies = {table, ball},
                       .method = analytic(),
                       .duration = 8,
                       .output_every = 1});
  for (const State& at : ran.outputs) {
    const Vec3 expected(-0.25 + 0.35 * std::cos(turn * at.t), 0.35 * std::sin(turn * at.t), R);
    EXPECT_LT((at.bodies[1].x - expected).norm(), 1e-8) << at.t;
  }
}

Ran run_on_slope(double degrees, double friction, double duration) {
  const double slope = degrees * std::numbers::pi / 180;
  const Vec3 normal(-std::sin(slope), 0, std::cos(slope));
  model::BodySpec block = support::make_box("block", Vec3(0.2, 0.2, 0.2), 0.1 * normal);
  block.orientation = math::quat_exp(-slope * Vec3::UnitY());
  return run({.between = {.friction = friction},
              .bodies = {support::make_plane("slope", normal), block},
              .method = analytic(),
              .duration = duration});
}

TEST(BlockOnASlope, StaysWhereItIs) {
  const Ran ran = run_on_slope(20, 0.5, 60);
  EXPECT_LT((ran.last(1).x - ran.outputs.front().bodies[1].x).norm(), 1e-12);
}

TEST(BlockOnASlope, StartsToSlideWithinAMillionthOfItsAngle) {
  const double steepness = std::tan(20 * std::numbers::pi / 180);
  const double weight = kGravity * std::sin(20 * std::numbers::pi / 180);
  const Ran holds = run_on_slope(20, steepness * (1 + 1e-6), 1);
  EXPECT_LT(holds.last(1).v.norm(), 1e-12);
  for (const double less : {1e-6, 1e-3}) {
    const Ran slides = run_on_slope(20, steepness * (1 - less), 1);
    EXPECT_NEAR(slides.last(1).v.norm(), less * weight, 1e-5 * less * weight);
  }
}

// Three dominoes of 1 kg that have fallen on each other, as a run came upon them: momentum that the
// forces do not explain, beside what their weight gives in the time.
double momentum_missed(double friction, double duration, const std::array<BodyState, 3>& at) {
  std::vector<model::BodySpec> bodies = {support::make_ground()};
  for (const BodyState& state : at) {
    bodies.push_back(support::make_box("domino " + std::to_string(bodies.size()),
                                       Vec3(0.0075, 0.024, 0.048), state.x));
    bodies.back().orientation = state.q;
    bodies.back().velocity = state.v;
    bodies.back().angular_velocity = state.w;
  }
  const Ran ran = run({.between = {.friction = friction},
                       .bodies = bodies,
                       .method = analytic(),
                       .duration = duration,
                       .output_every = duration});
  return ran.summary.audit.momentum_error / (3 * kGravity * duration);
}

// Faces of two lie on each other, cross at their edges, slide and spin: their four contacts can
// push in many ways, and friction makes another motion of each. Forces are smooth there, so that
// their recorded values at three times tell their impulses.
TEST(FallenDominoes, AreHeldByTheSameForcesThroughoutAStep) {
  EXPECT_LT(momentum_missed(
                0.3, 2.5e-3,
                {{{Vec3(0.039099428119687224, -0.00021715711404591266, 0.011827048485493111),
                   Quat(0.82021306325567567, -0.0031071833041687613, 0.57202307456490586,
                        0.0055207283910264594),
                   Vec3(-0.070754355702899008, 0.0014398957211572544, -0.01572045983148667),
                   Vec3(-0.3689056184113722, 0.5315143360614325, 0.97868060134404022)},
                  {Vec3(0.061594532464273259, -0.0002547327744110607, 0.012117184346373702),
                   Quat(0.82021834634988799, -0.00099399919523917809, 0.57203539955425731,
                        0.0040469659569262635),
                   Vec3(-0.010177756668099731, 0.0014390261707814245, -0.005558733565746243),
                   Vec3(-0.075268659174973343, 0.53618983147945065, 0.18118952254251589)},
                  {Vec3(0.083905869138755237, 6.6674139754655567e-05, 0.003749999999999999),
                   Quat(0.70708437576291083, -0.0056289920922636093, 0.70708437576291072,
                        0.0056289920922635833),
                   Vec3(7.7606988541567074e-12, 1.2293271731135734e-13, -1.4265991169899988e-14),
                   Vec3(2.3681515446678353e-12, 1.883730365097884e-14, 3.7733544943410161e-10)}}}),
            1e-8);
}

// Collisions end steps of picoseconds here, between the ends of which the closing of gaps makes
// velocities that no force gave.
TEST(FallenDominoes, KeepMomentumWhereCollisionsEndTheShortestSteps) {
  EXPECT_LT(
      momentum_missed(
          0.5, 0.01,
          {{{Vec3(0.029936574161240306, -0.00042859764878447809, 0.013141500407794682),
             Quat(0.8375686640023382, 0.00063022214839099854, 0.54632962982520339,
                  -0.0015071418108613679),
             Vec3(0.00041201120823419562, -2.7291583318214783e-07, 0.0011064853116946681),
             Vec3(0.00038994572495768952, 0.073310096041597383, -0.00012711829236335562)},
            {Vec3(0.048544424431443106, -7.2888582220327638e-05, 0.013140535354410107),
             Quat(0.83756709903982018, -0.0017374419811593067, 0.54633170740339132,
                  3.724349269419036e-05),
             Vec3(0.00041198567720882007, -2.6379376655828878e-06, -0.00025751927151914451),
             Vec3(0.00038994572495768237, 0.07331009604181743, -0.00012711829236122839)},
            {Vec3(0.069040868736951158, -0.00011934432265887199, 0.0037500000000000003),
             Quat(0.70710494695129855, 0.0016105890231506539, 0.70710494695129844,
                  -0.0016105890231505905),
             Vec3(-3.3024618974478921e-21, -4.5215467098887274e-20, -1.9077520187974067e-20),
             Vec3(-1.0561903396123301e-15, -3.4045791941575373e-18, 3.2679603542417602e-18)}}}),
      1e-6);
}

}  // namespace
}  // namespace carom::simulation
