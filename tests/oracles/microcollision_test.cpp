// Closed forms of bodies that only collide. Lasting contact is made of hops of a flight
// T = 2 u_c / g each, u_c = √(2 g ε d): what a force would do steadily comes in doses, one a hop,
// so that a speed is never farther off than one dose of it.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr double kGravity = 9.81;

double hop_speed(double epsilon, double diameter, double gravity = kGravity) {
  return std::sqrt(2 * gravity * epsilon * diameter);
}
double hop_time(double epsilon, double diameter, double gravity = kGravity) {
  return 2 * hop_speed(epsilon, diameter, gravity) / gravity;
}

model::MethodSettings microcollision(double epsilon, bool static_friction = true) {
  return {"microcollision", {{"epsilon", epsilon}, {"static_friction", static_friction}}};
}

struct Ran {
  record::TraceSink trace;
  record::Summary summary;

  const std::vector<State>& outputs() const { return trace.trace().outputs; }
  const BodyState& last(std::size_t body = 1) const { return outputs().back().bodies[body]; }
};

void run(const Scene& scene, Ran& ran) {
  Simulation simulation(scene);
  simulation.add(ran.trace);
  ran.summary = simulation.run();
  ASSERT_TRUE(ran.summary.finished) << ran.summary.reason.value_or("");
  EXPECT_LE(ran.summary.audit.max_penetration, 1e-10);
  EXPECT_LE(ran.summary.audit.energy_ledger_error,
            1e-10 * std::max(1.0, std::abs(ran.summary.audit.energy_initial)));
}
void run(const support::SceneParts& parts, Ran& ran) { run(support::build(parts), ran); }

class DroppedBall : public testing::TestWithParam<double> {};

TEST_P(DroppedBall, FollowsTheGeometricSeriesUntilItHopsForEver) {
  const double e = GetParam(), R = 0.1, drop = 1, epsilon = 1e-6;
  const double first = std::sqrt(2 * drop / kGravity), impact = kGravity * first;
  const double u_c = hop_speed(epsilon, 2 * R);
  Ran ran;
  run({.between = {.restitution = e},
       .bodies = {support::make_ground(), support::make_ball("ball", R, Vec3(0, 0, R + drop))},
       .method = microcollision(epsilon),
       .duration = 1.2 * first * (1 + e) / (1 - e),
       .output_every = 0.01},
      ran);
  const std::vector<record::ContactEvent>& events = ran.trace.trace().events;
  double expected = first, leaves = e * impact;
  std::size_t n = 0;
  for (; leaves > u_c; ++n, leaves *= e) {
    ASSERT_LT(n, events.size());
    EXPECT_EQ(events[n].kind, record::EventKind::Impact);
    EXPECT_NEAR(events[n].t, expected, 1e-9) << n;
    expected += 2 * leaves / kGravity;
  }
  EXPECT_GE(n, std::size_t{10});
  EXPECT_LE(ran.last().x.z(), R + epsilon * 2 * R * (1 + 1e-6));  // it hops
  const std::size_t count = events.size();
  const double T = hop_time(epsilon, 2 * R);
  EXPECT_NEAR(events[count - 1].t - events[count - 2].t, T, 1e-3 * T);
}

INSTANTIATE_TEST_SUITE_P(Restitution, DroppedBall, testing::Values(0.5, 0.8, 0.9));

TEST(SlidingBallThatHops, RollsAfterTwoSeventhsOfItsSpeed) {
  const double R = 0.1, mu = 0.2, v0 = 5, a = mu * kGravity, epsilon = 1e-6;
  const double dose = a * hop_time(epsilon, 2 * R);
  Ran ran;
  run({.between = {.friction = mu},
       .bodies = {support::make_ground(),
                  support::make_ball("ball", R, Vec3(0, 0, R), Vec3(v0, 0, 0))},
       .method = microcollision(epsilon),
       .duration = 2,
       .output_every = 0.2},
      ran);
  const double t_roll = 2 * v0 / (7 * a), x_roll = 12 * v0 * v0 / (49 * a);
  for (const State& at : ran.outputs()) {
    const bool rolls = at.t > t_roll;
    const double x =
        rolls ? x_roll + 5 * v0 / 7 * (at.t - t_roll) : v0 * at.t - a * at.t * at.t / 2;
    const BodyState& ball = at.bodies[1];
    EXPECT_NEAR(ball.x.x(), x, dose * at.t + 1e-12) << at.t;
    EXPECT_NEAR(ball.v.x(), rolls ? 5 * v0 / 7 : v0 - a * at.t, dose) << at.t;
    EXPECT_NEAR(ball.w.y() * R, rolls ? 5 * v0 / 7 : 2.5 * a * at.t, 2.5 * dose) << at.t;
  }
  // Friction takes nothing from 5 v + 2 R ω.
  EXPECT_NEAR(ran.last().v.x(), 5 * v0 / 7, 1e-6);
  EXPECT_NEAR(ran.summary.audit.energy_initial - ran.summary.audit.energy_final, v0 * v0 / 7, 1e-5);
}

TEST(SlidingBallThatHops, ComesBackWithEnoughBackspin) {
  model::BodySpec ball = support::make_ball("ball", 0.1, Vec3(0, 0, 0.1), Vec3(2, 0, 0));
  ball.angular_velocity = Vec3(0, -100, 0);
  Ran ran;
  run({.between = {.friction = 0.2},
       .bodies = {support::make_ground(), ball},
       .method = microcollision(1e-5),
       .duration = 2},
      ran);
  EXPECT_NEAR(ran.last().v.x(), (5 * 2.0 - 2 * 10) / 7, 1e-6);
}

TEST(SlidingBallThatHops, HooksAndRollsWhereABowlingBallDoes) {
  const double R = 0.10795, mu = 0.05691447649120482, epsilon = 1e-5;
  const double dose = mu * kGravity * hop_time(epsilon, 2 * R);
  model::BodySpec ball = support::make_ball("ball", R, Vec3(0, 0, R), Vec3(8, 0, 0));
  ball.angular_velocity = Vec3(-10, 30, 0);
  Ran ran;
  run({.between = {.restitution = 0.3, .friction = mu},
       .bodies = {support::make_ground(), ball},
       .method = microcollision(epsilon),
       .duration = 3,
       .output_every = 0.02},
      ran);
  const Vec3 slip(8 - 30 * R, -10 * R, 0);
  const double t_roll = 2 * slip.norm() / (7 * mu * kGravity);  // 2.4984 s, after 18.288 m
  for (const State& at : ran.outputs()) {
    const double t = std::min(at.t, t_roll);
    const Vec3 slows = -mu * kGravity * slip.normalized();
    const Vec3 v = Vec3(8, 0, 0) + t * slows;
    const Vec3 x = Vec3(8, 0, 0) * t + 0.5 * t * t * slows + (at.t - t) * v;
    EXPECT_LE((at.bodies[1].v - v).head<2>().norm(), dose) << at.t;
    EXPECT_LE((at.bodies[1].x - x).head<2>().norm(), dose * at.t + 1e-12) << at.t;
  }
}

TEST(BallOnASlopeThatHops, RollsDown) {
  const double R = 0.1, sine = 0.5, cosine = std::sqrt(0.75), epsilon = 1e-6;
  const double dose = kGravity * sine * hop_time(epsilon, 2 * R, kGravity * cosine);
  Ran ran;
  run({.gravity = kGravity * Vec3(sine, 0, -cosine),
       .between = {.friction = 0.5},
       .bodies = {support::make_ground(), support::make_ball("ball", R, Vec3(0, 0, R))},
       .method = microcollision(epsilon),
       .duration = 1,
       .output_every = 0.1},
      ran);
  for (const State& at : ran.outputs()) {
    EXPECT_NEAR(at.bodies[1].v.x(), 5.0 / 7 * kGravity * sine * at.t, dose) << at.t;
    EXPECT_NEAR(at.bodies[1].x.x(), 2.5 / 7 * kGravity * sine * at.t * at.t, dose * at.t + 1e-12);
  }
}

// v' = (2/7) Ω k × v: a circle around (-0.25, 0) m.
struct Platter {
  static constexpr double kRate = 3, kRadius = 0.02, kOrbit = 2.0 / 7 * kRate;

  static Scene make(const model::MethodSettings& method, double duration) {
    model::BodySpec ball = support::make_ball("ball", kRadius, Vec3(0.1, 0, kRadius), {0, 0.3, 0});
    ball.angular_velocity = Vec3(0, 0, kRate);
    const model::BodySpec disc = {.name = "platter",
                                  .motion = model::Motion::Driven,
                                  .shapes = {{.shape = geometry::Cylinder{0.7, 0.04}}},
                                  .position = Vec3(0, 0, -0.02),
                                  .angular_velocity = Vec3(0, 0, kRate)};
    return support::build({.between = {.restitution = 0.5, .friction = 0.8},
                           .bodies = {disc, ball},
                           .method = method,
                           .duration = duration,
                           .output_every = duration / 8});
  }
  static double error(const Ran& ran) {
    double most = 0;
    for (const State& at : ran.outputs()) {
      const Vec3 x(-0.25 + 0.35 * std::cos(kOrbit * at.t), 0.35 * std::sin(kOrbit * at.t), 0);
      most = std::max(most, (at.bodies[1].x - x).head<2>().norm());
    }
    return most;
  }
};

TEST(BallOnAPlatter, CirclesAtTwoSeventhsWithAnErrorOfFirstOrderInEpsilon) {
  Ran coarse, fine;
  run(Platter::make(microcollision(1e-3), 8), coarse);
  run(Platter::make(microcollision(1e-4), 8), fine);
  EXPECT_LE(Platter::error(fine), 1e-5);
  EXPECT_NEAR(std::log10(Platter::error(coarse) / Platter::error(fine)), 1, 0.2);
}

// Where a contact merely sticks, each flight of T is a step of explicit Euler, and the circle
// widens: in the paper too. A collision counts from a hundredth of a hop's height on, which takes
// up to 0.5 % off T.
TEST(BallOnAPlatter, GoesOutwardsWithoutTheRuleOfStaticFriction) {
  const double epsilon = 1e-3, T = hop_time(epsilon, 2 * Platter::kRadius);
  Ran ran;
  run(Platter::make(microcollision(epsilon, false), 8), ran);
  const double per_hop = 0.5 * std::log1p(std::pow(Platter::kOrbit * T, 2));
  const double growth = 8 / T * per_hop;
  EXPECT_NEAR(std::log(ran.last().v.head<2>().norm() / 0.3), growth, 2 * per_hop + 0.005 * growth);
}

// A body that touches at one point and hardly turns, as in section 4.5.
Scene make_point_on_ramp(double angle, double friction, const model::MethodSettings& method) {
  model::BodySpec block = support::make_ball("block", 0.05, Vec3(0, 0, 0.05));
  block.inertia = 1e9 * Mat3::Identity();
  return support::build({.gravity = kGravity * Vec3(std::sin(angle), 0, -std::cos(angle)),
                         .between = {.friction = friction},
                         .bodies = {support::make_ground(), block},
                         .method = method,
                         .duration = 10,
                         .output_every = 1});
}

TEST(BlockOnARamp, StaysWithTheRuleOfStaticFrictionAndCreepsWithout) {
  const double angle = 0.3490658503988659, epsilon = 0.01, height = 1e-3;  // 20°
  const double u_c = std::sqrt(2 * kGravity * std::cos(angle) * height);
  Ran held, creeps;
  run(make_point_on_ramp(angle, 0.5, microcollision(epsilon)), held);
  run(make_point_on_ramp(angle, 0.5, microcollision(epsilon, false)), creeps);
  EXPECT_LE(std::abs(held.last().x.x()), 10 * height);
  EXPECT_NEAR(creeps.last().x.x() / 10, u_c * std::tan(angle), 1e-3 * u_c);
}

TEST(BlockOnARamp, SlidesWhereFrictionIsTooLittle) {
  const double angle = 0.3490658503988659, mu = 0.3, epsilon = 1e-5;
  const double dose =
      kGravity * std::sin(angle) * hop_time(epsilon, 0.1, kGravity * std::cos(angle));
  Ran ran;
  run(make_point_on_ramp(angle, mu, microcollision(epsilon)), ran);
  for (const State& at : ran.outputs()) {
    EXPECT_NEAR(at.bodies[1].v.x(), kGravity * (std::sin(angle) - mu * std::cos(angle)) * at.t,
                dose);
  }
}

Scene make_block(const Vec3& gravity, double friction, double epsilon, double duration) {
  return support::build(
      {.gravity = gravity,
       .between = {.friction = friction},
       .bodies = {support::make_ground(), support::make_box("block", Vec3(1, 1, 1), {0, 0, 0.5})},
       .method = microcollision(epsilon),
       .duration = duration,
       .output_every = 1});
}

TEST(BlockOnFourCorners, IsCarriedByItsWeightInTheMeanAndStays) {
  const double epsilon = 1e-4, height = epsilon * std::sqrt(3);
  Ran ran;
  run(make_block(Vec3(0, 0, -kGravity), 0.5, epsilon, 10), ran);
  for (const record::ForceAt& at : ran.trace.trace().forces)
    EXPECT_NEAR(std::abs(at.force.force.z()), kGravity, 0.01 * kGravity) << at.t;
  EXPECT_LE((ran.last().x - Vec3(0, 0, 0.5)).norm(), 10 * height);
  EXPECT_LE(ran.summary.audit.energy_max_gain, kGravity * height * (1 + 1e-9));
}

TEST(BlockOnFourCorners, SlidesDownASlopeAsAPointDoes) {
  const double angle = 0.3490658503988659, mu = 0.2;
  Ran ran;
  run(make_block(kGravity * Vec3(std::sin(angle), 0, -std::cos(angle)), mu, 1e-6, 2), ran);
  const double a = kGravity * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(ran.last().v.x(), 2 * a, 0.02 * a);
}

// Hops of 1 mm; ten of them are what it may have moved.
TEST(BlockOnFourCorners, IsHeldOnASlopeByFriction) {
  const double angle = 0.3490658503988659, height = 1e-3, epsilon = height / std::sqrt(3);
  Ran ran;
  run(make_block(kGravity * Vec3(std::sin(angle), 0, -std::cos(angle)), 0.5, epsilon, 10), ran);
  EXPECT_LE(ran.last().x.head<2>().norm(), 10 * height);
}

TEST(ElasticBallThatOnlyCollides, KeepsItsEnergyOverAThousandBounces) {
  Ran ran;
  run({.between = {.restitution = 1},
       .bodies = {support::make_ground(), support::make_ball("ball", 0.1, Vec3(0, 0, 1.1))},
       .method = microcollision(1e-4),
       .duration = 904,
       .output_every = 100},
      ran);
  EXPECT_GE(ran.trace.trace().events.size(), std::size_t{1000});
  EXPECT_NEAR(ran.summary.audit.energy_final, ran.summary.audit.energy_initial, 1e-10);
}

}  // namespace
}  // namespace carom::simulation
