// The geometric series of a bouncing ball: t_n = √(2h/g) (1 + 2 Σ_{0<k<n} e^k), apexes h e^(2n),
// and rest after √(2h/g) (1 + e)/(1 - e).
#include <gtest/gtest.h>

#include "carom/dynamics/energy.h"
#include "carom/dynamics/flight.h"
#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr double kRadius = 0.1, kDrop = 1, kGravity = 9.81;

// Impacts and apexes of the ball, seen from the motion itself.
class Bounces : public record::Sink {
 public:
  void impact(const record::ResolvedImpact& impact) override { times.push_back(impact.before.t); }
  void segment(const record::Segment& segment) override {
    const RigidMotion& ball = segment.flight.motions[1];
    const double end = math::velocity_at(ball, segment.flight.duration).z();
    if (!(ball.v0.z() > 0 && end <= 0)) return;
    apexes.push_back(math::position_at(ball, -ball.v0.z() / ball.a.z()).z() - kRadius);
  }
  std::vector<double> times, apexes;
};

struct BallRun {
  Bounces bounces;
  record::TraceSink trace;
  record::Summary summary;
};

void bounce(double e, double duration, double step, BallRun& run) {
  const Scene scene =
      support::build({.between = {.restitution = e},
                      .bodies = {support::make_ground(),
                                 support::make_ball("ball", kRadius, Vec3(0, 0, kRadius + kDrop))},
                      .method = support::zeno_free(step),
                      .duration = duration,
                      .output_every = duration / 10});
  Simulation simulation(scene);
  simulation.add(run.bounces);
  simulation.add(run.trace);
  run.summary = simulation.run();
}

double time_of_bounce(double e, int n) {
  double sum = 1;
  for (int k = 1; k < n; ++k) sum += 2 * std::pow(e, k);
  return std::sqrt(2 * kDrop / kGravity) * sum;
}

class BouncingBall : public testing::TestWithParam<double> {};

TEST_P(BouncingBall, FollowsTheGeometricSeriesIntoRest) {
  const double e = GetParam();
  const double zeno_time = std::sqrt(2 * kDrop / kGravity) * (1 + e) / (1 - e);
  const int bounces = e < 0.6 ? 18 : 20;  // slower ones than 1e-5 of its own fall end the sequence
  BallRun run;
  bounce(e, 1.2 * zeno_time, 0.001, run);
  ASSERT_TRUE(run.summary.finished) << run.summary.reason.value_or("");
  ASSERT_GE(run.bounces.times.size(), static_cast<std::size_t>(bounces));
  for (int n = 1; n <= bounces; ++n) {
    const auto i = static_cast<std::size_t>(n - 1);
    EXPECT_NEAR(run.bounces.times[i], time_of_bounce(e, n), 1e-9) << "bounce " << n;
    EXPECT_NEAR(run.bounces.apexes[i], kDrop * std::pow(e, 2 * n), 1e-9) << "bounce " << n;
  }
  const State& last = run.trace.trace().outputs.back();
  EXPECT_NEAR(last.t, 1.2 * zeno_time, 1e-12);
  EXPECT_NEAR(last.bodies[1].x.z(), kRadius, 1e-9);
  EXPECT_LT(last.bodies[1].v.norm(), 1e-12);
  EXPECT_LE(run.summary.audit.max_penetration, 1e-9 * kRadius);
}

INSTANTIATE_TEST_SUITE_P(Restitution, BouncingBall, testing::Values(0.5, 0.8, 0.9));

TEST(ElasticBall, KeepsItsEnergyOverAThousandBounces) {
  BallRun run;
  bounce(1, 904, 0.01, run);
  ASSERT_TRUE(run.summary.finished);
  ASSERT_GE(run.bounces.times.size(), 1000U);
  const record::AuditResult& audit = run.summary.audit;
  EXPECT_LE(std::abs(audit.energy_final / audit.energy_initial - 1), 1e-10);
  RecordProperty("relative_energy_error",
                 std::to_string(audit.energy_final / audit.energy_initial - 1));
  EXPECT_NEAR(run.bounces.times[999], time_of_bounce(1, 1000), 1e-7);
}

TEST(ElasticBall, KeepsItsEnergyInSmallSteps) {
  BallRun run;
  bounce(1, 50, 0.001, run);
  ASSERT_TRUE(run.summary.finished);
  EXPECT_GE(run.bounces.times.size(), 55U);
  EXPECT_LE(std::abs(run.summary.audit.energy_final / run.summary.audit.energy_initial - 1), 1e-11);
}

}  // namespace
}  // namespace carom::simulation
