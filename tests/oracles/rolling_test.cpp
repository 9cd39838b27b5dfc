// Rolling and spinning friction in closed form: balls that roll out, spin down, rest on a slope or
// run down one, and a ball that is thrown.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr double kGravity = 9.81, kRadius = 0.1, kRoundOff = 1e-10;
constexpr double kStep = 1e-3;  // of time-stepping, as it is by default

struct Resistance {
  double rolling = 0, spinning = 0, restitution = 0;
};

struct Ran {
  std::vector<State> outputs;
  record::Summary summary;
  const BodyState& ball(std::size_t output) const { return outputs[output].bodies.back(); }
  const BodyState& last() const { return outputs.back().bodies.back(); }
};

model::BodySpec ball_on_floor() { return support::make_ball("ball", kRadius, Vec3(0, 0, kRadius)); }
model::BodySpec rolling_ball(double speed) {
  model::BodySpec ball = ball_on_floor();
  ball.velocity = Vec3(speed, 0, 0);
  ball.angular_velocity = Vec3(0, speed / kRadius, 0);
  return ball;
}

Ran run(const std::string& method, const Resistance& by, const model::BodySpec& ball,
        double slope = 0) {
  model::SceneBuilder builder;
  builder.set_name("test");
  builder.set_gravity(kGravity * Vec3(std::sin(slope), 0, -std::cos(slope)));
  builder.set_method({method, {}});
  builder.set_duration(2);
  builder.set_output_every(0.1);
  builder.add_pair({.materials = {"*", "*"},
                    .restitution = by.restitution,
                    .friction = 0.8,
                    .rolling_friction = by.rolling,
                    .spinning_friction = by.spinning});
  builder.add_body(support::make_ground());
  builder.add_body(ball);
  const Scene scene = builder.build();
  Simulation simulation(scene);
  record::TraceSink trace;
  simulation.add(trace);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  EXPECT_TRUE(summary.audit.passed());
  return {trace.trace().outputs, summary};
}

class Turning : public testing::TestWithParam<std::string> {
 protected:
  // Steps are exact, but time-stepping spreads the last one out to its end: by g h²/8 at the most.
  double last_step() const { return GetParam() == "time-stepping" ? 2e-6 : 0; }
};
INSTANTIATE_TEST_SUITE_P(Methods, Turning,
                         testing::Values("zeno-free", "time-stepping", "analytic"),
                         [](const auto& of) { return of.param.substr(0, of.param.find('-')); });

// m a = -F and I a/R = F R - μ_r R m g with I = 2/5 m R²: a = -5/7 μ_r g.
TEST_P(Turning, ARollingBallStopsWhereFiveSeventhsOfItsCoefficientSay) {
  const double mu = 0.1, v0 = 1, a = 5.0 / 7 * mu * kGravity, stops = v0 / a;
  const Ran ran = run(GetParam(), {.rolling = mu}, rolling_ball(v0));
  for (std::size_t k = 0; k < ran.outputs.size(); ++k) {
    const double t = std::min(ran.outputs[k].t, stops);
    const double slack = kRoundOff + (ran.outputs[k].t > stops ? last_step() : 0);
    EXPECT_NEAR(ran.ball(k).x.x(), v0 * t - a * t * t / 2, slack) << t;
    EXPECT_NEAR(ran.ball(k).v.x(), v0 - a * t, kRoundOff) << t;
    EXPECT_NEAR(ran.ball(k).w.y(), (v0 - a * t) / kRadius, 1e2 * kRoundOff) << t;
  }
  EXPECT_NEAR(ran.summary.audit.energy_dissipated, 0.7 * v0 * v0, 1e-9);
}

// I ω' = -(μ_s + μ_r) R m g about the normal.
TEST_P(Turning, ASpinningBallStopsSpinningByBothCoefficients) {
  for (const Resistance by :
       {Resistance{.rolling = 0, .spinning = 0.05}, Resistance{.rolling = 0.02, .spinning = 0.03},
        Resistance{.rolling = 0.05, .spinning = 0}}) {
    const double w0 = 15, slows = 2.5 * 0.05 * kGravity / kRadius;  // 12.2625 rad/s²
    model::BodySpec ball = ball_on_floor();
    ball.angular_velocity = Vec3(0, 0, w0);
    const Ran ran = run(GetParam(), by, ball);
    for (std::size_t k = 0; k < ran.outputs.size(); ++k) {
      const double w = std::max(0.0, w0 - slows * ran.outputs[k].t);
      EXPECT_NEAR(ran.ball(k).w.z(), w, 1e2 * kRoundOff) << ran.outputs[k].t;
      EXPECT_LT(ran.ball(k).v.norm(), kRoundOff);
    }
  }
}

// The same where rest is made of hops, and where couples are regularised below 0.01 rad/s.
TEST(SpinningBall, StopsSpinningOnHopsAndOnSprings) {
  const double w0 = 15, slows = 2.5 * 0.05 * kGravity / kRadius;
  for (const char* const method : {"microcollision", "elastic"}) {
    model::BodySpec ball = ball_on_floor();
    ball.angular_velocity = Vec3(0, 0, w0);
    const Ran ran = run(method, {.rolling = 0.02, .spinning = 0.03}, ball);
    for (std::size_t k = 0; k < ran.outputs.size(); ++k) {
      const double w = std::max(0.0, w0 - slows * ran.outputs[k].t);
      EXPECT_NEAR(ran.ball(k).w.z(), w, 0.01 * w0) << method << ' ' << ran.outputs[k].t;
    }
  }
}

// Spinning friction alone leaves rolling alone, and the reverse costs what 5/7 says.
TEST_P(Turning, SpinningFrictionLeavesRollingAlone) {
  const Ran ran = run(GetParam(), {.spinning = 0.1}, rolling_ball(1));
  EXPECT_NEAR(ran.last().x.x(), 2, 1e-9);
  EXPECT_NEAR(ran.last().v.x(), 1, kRoundOff);
}

TEST_P(Turning, ABallStaysOnASlopeBelowItsLimit) {
  const double slope = 0.09;  // tan 0.09 = 0.0902
  const Ran ran = run(GetParam(), {.rolling = 0.0903}, ball_on_floor(), slope);
  EXPECT_LT(std::abs(ran.last().x.x()), 1e-12);
  EXPECT_LT(ran.last().v.norm() + ran.last().w.norm(), 1e-12);
}

// a = 5/7 g (sin α - μ_r cos α).
TEST_P(Turning, ABallRollsDownASlopeAboveItsLimit) {
  const double slope = 0.09, mu = 0.06;
  const double a = 5.0 / 7 * kGravity * (std::sin(slope) - mu * std::cos(slope));
  const Ran ran = run(GetParam(), {.rolling = mu}, ball_on_floor(), slope);
  EXPECT_NEAR(ran.last().x.x(), 2 * a, 1e-9);
  EXPECT_NEAR(ran.last().v.x(), 2 * a, 1e-9);
}

// Time-stepping makes the impact at the start of its step, up to g h too slow.
// An impact of impulse p = (1 + e) m v takes (μ_s + μ_r) R p of its spin; friction takes none, as
// the ball does not slide.
TEST_P(Turning, AnImpactTakesSpinInProportionToItsImpulse) {
  const double v = 2, w0 = 100, e = 0.5, drop = v * v / (2 * kGravity);
  model::BodySpec ball = support::make_ball("ball", kRadius, Vec3(0, 0, kRadius + drop));
  ball.angular_velocity = Vec3(0, 0, w0);
  const Ran ran = run(GetParam(), {.rolling = 0.02, .spinning = 0.03, .restitution = e}, ball);
  const std::size_t after = 3;  // t = 0.3, and v/g = 0.204 is the first impact
  const double by_speed = 2.5 * 0.05 * (1 + e) / kRadius;
  const double off = GetParam() == "time-stepping" ? kGravity * kStep : 1e-9;
  EXPECT_NEAR(ran.ball(after).w.z(), w0 - by_speed * v, by_speed * off);
}

}  // namespace
}  // namespace carom::simulation
