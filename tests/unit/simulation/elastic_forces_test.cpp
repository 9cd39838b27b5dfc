// Forces of elastic contacts in whole runs: changed on their way to the audit, or those of other
// materials than it knows.
#include <gtest/gtest.h>

#include "carom/audit/audit.h"
#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

constexpr double kRadius = 0.1;

// Passes a run on to an audit that knows another scene, with its legs' forces changed.
struct Tampering : record::Sink {
  Tampering(const Scene& known_in, double factor_in) : known(known_in), factor(factor_in) {}
  void begin(const Scene&) override { audit.begin(known); }
  bool reads_outputs() const override { return audit.reads_outputs(); }
  void output(const State& state) override { audit.output(state); }
  void frame(const record::Frame& frame) override {
    std::vector<record::Leg> legs(frame.legs.begin(), frame.legs.end());
    std::vector<std::vector<record::CarriedForce>> ends;
    for (record::Leg& leg : legs) {
      auto& end = ends.emplace_back(leg.forces.end.begin(), leg.forces.end.end());
      for (record::CarriedForce& force : end) force.force *= factor;
      leg.forces.end = end;
    }
    audit.frame({frame.start, frame.collisions, frame.end, legs, frame.events});
  }
  Scene known;
  double factor;
  audit::Audit audit;
};

Scene make_run(double youngs_modulus) {
  model::BodySpec box = support::make_box("box", Vec3(0.2, 0.1, 0.1), Vec3(1, 0, 0.08));
  box.orientation = Quat(Eigen::AngleAxisd(0.2, Vec3::UnitY()));
  box.velocity = Vec3(0.5, 0, 0);
  model::BodySpec ball = support::make_ball("ball", kRadius, Vec3(0, 0, 0.15));
  ball.velocity = Vec3(1, 0, 0);
  Scene scene = support::build({.between = {.restitution = 0.6, .friction = 0.4},
                                .bodies = {support::make_ground(), box, ball,
                                           support::make_ball("on it", 0.05, Vec3(0, 0, 0.31))},
                                .method = {"elastic", {}},
                                .duration = 0.4});
  for (model::Material& each : scene.materials) each.youngs_modulus = youngs_modulus;
  return scene;
}

record::AuditResult judge(double simulated, double known, double factor) {
  Simulation simulation(make_run(simulated));
  Tampering sink(make_run(known), factor);
  simulation.add(sink);
  EXPECT_TRUE(simulation.run().finished);
  return sink.audit.result();
}

TEST(ElasticRun, PassesWithItsForcesRecomputed) {
  const record::AuditResult result = judge(2e9, 2e9, 1);
  EXPECT_TRUE(result.passed()) << result.momentum_error;
}

TEST(ElasticRun, WithForcesThatAreNotTheLawsFails) {
  using enum record::Judged;
  for (const double factor : {0.9, 1.1, 2.0}) {
    const record::AuditResult result = judge(2e9, 2e9, factor);
    EXPECT_GT(result.momentum_error, result.limits[Momentum]) << factor;
  }
}

// What moves as its forces say, and loses energy as it may: only the law tells.
TEST(ElasticRun, OfSofterBodiesThanTheScenesFails) {
  using enum record::Judged;
  for (const double factor : {0.8, 1.25}) {
    const record::AuditResult result = judge(factor * 2e9, 2e9, 1);
    EXPECT_GT(result.momentum_error, result.limits[Momentum]) << factor;
  }
}

}  // namespace
}  // namespace carom::simulation
