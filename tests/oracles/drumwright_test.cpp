// Drumwright's two experiments with the three methods of his table I. Expected values are closed
// forms: frictionless boxes turn and slide on for ever, an elastic ball bounces at odd multiples of
// sqrt(2 h / g).
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "carom/io/scene_file.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"

namespace carom::simulation {
namespace {

constexpr double kGravity = 9.8, kStep = 0.001;

struct Ran {
  record::Trace trace;
  record::Summary summary;
};

Ran run(const std::string& name, std::vector<io::Override> overrides, const std::string& method,
        double duration) {
  overrides.push_back({"/method/name", '"' + method + '"'});
  overrides.push_back({"/duration", std::to_string(duration)});
  const io::LoadedScene loaded = io::load_scene(
      std::string(CAROM_SOURCE_DIR) + "/scenes/" + name + ".json", overrides, methods::catalog());
  Simulation simulation(loaded.scene);
  record::TraceSink trace;
  simulation.add(trace);
  const record::Summary summary = simulation.run();
  return {trace.trace(), summary};
}

std::vector<double> impact_times(const record::Trace& trace) {
  std::vector<double> times;
  for (const record::ContactEvent& event : trace.events) {
    if (event.kind == record::EventKind::Impact) times.push_back(event.t);
  }
  return times;
}

// How far a body has turned about z from what a constant spin would give.
double yaw_error(const BodyState& body, double spin, double t) {
  const Vec3 x_axis = body.q * Vec3::UnitX();
  return std::remainder(std::atan2(x_axis.y(), x_axis.x()) - spin * t, 2 * M_PI);
}

void expect_boxes_turn_on(const Ran& ran, double tolerance) {
  double worst = 0;
  for (const State& state : ran.trace.outputs) {
    worst = std::max({worst, std::abs(yaw_error(state.bodies[1], 10, state.t)),
                      std::abs(yaw_error(state.bodies[2], 20, state.t))});
    EXPECT_NEAR(state.bodies[1].x.z(), 0.5, 1e-9);
    EXPECT_NEAR(state.bodies[2].x.z(), 1.5, 1e-9);
  }
  std::cout << "boxes are turned by up to " << worst << " rad too far\n";
  EXPECT_LT(worst, tolerance);
}

void expect_energy_kept(const record::AuditResult& audit) {
  EXPECT_LT(audit.energy_max_gain, 1e-9 * audit.energy_initial);
  EXPECT_NEAR(audit.energy_final, audit.energy_initial, 1e-9 * audit.energy_initial);
  EXPECT_LT(audit.max_penetration, 1e-9);
}

// Early by less than a step for each fall and each rise, where impacts are not located.
void expect_bounces(const std::vector<double>& times, double duration, double early_each) {
  const double fall = std::sqrt(2 * 0.5 / kGravity);
  EXPECT_GE(static_cast<double>(times.size()), std::floor((duration / fall + 1) / 2));
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double legs = 2 * static_cast<double>(k) + 1;
    EXPECT_LT(times[k], legs * fall + 1e-9);
    EXPECT_GT(times[k], legs * (fall - early_each) - 1e-9);
  }
}

void spin_for(double duration, double yaw_tolerance) {
  for (const std::string method : {"zeno-free", "time-stepping"}) {
    SCOPED_TRACE(method);
    const Ran ran = run("spinning-boxes-and-ball", {}, method, duration);
    ASSERT_TRUE(ran.summary.finished) << ran.summary.reason.value_or("");
    expect_boxes_turn_on(ran, yaw_tolerance);
    expect_energy_kept(ran.summary.audit);
    expect_bounces(impact_times(ran.trace), duration, method == "zeno-free" ? 0 : kStep);
  }
}

TEST(SpinningBoxes, TurnOnWhileTheBallBounces) { spin_for(1.25, 1e-9); }
TEST(SpinningBoxes, DISABLED_TurnOnFor100Seconds) { spin_for(100, 1e-7); }

void expect_sliding_together(const Ran& ran, double left_from, double collision) {
  for (const State& state : ran.trace.outputs) {
    const double since = state.t - collision;
    if (since <= 0) continue;
    const BodyState &left = state.bodies[1], &right = state.bodies[2];
    EXPECT_NEAR(left.v.x(), 5, 1e-9);
    EXPECT_NEAR(right.v.x(), 5, 1e-9);
    EXPECT_NEAR(left.x.x(), left_from + 10 * collision + 5 * since, 1e-9);
    EXPECT_NEAR(right.x.x(), 5 * since, 1e-9);
    EXPECT_NEAR(left.x.z(), 0.5, 1e-9);
    EXPECT_NEAR(right.x.z(), 0.5, 1e-9);
    EXPECT_LT(left.w.norm() + right.w.norm(), 1e-9);
  }
}

TEST(SlidingBoxes, GoOnTogetherAfterTheirCollision) {
  for (const std::string method : {"zeno-free", "time-stepping"}) {
    for (const double gap : {0.0, 0.05}) {
      SCOPED_TRACE(method + ", gap " + std::to_string(gap));
      const Ran ran =
          run("sliding-boxes", {{"/bodies/1/position/0", std::to_string(-1 - gap)}}, method, 2);
      ASSERT_TRUE(ran.summary.finished) << ran.summary.reason.value_or("");
      expect_sliding_together(ran, -1 - gap, gap / 10);
      EXPECT_NEAR(ran.summary.audit.energy_initial - ran.summary.audit.energy_final, 25, 1e-9);
      EXPECT_LT(ran.summary.audit.max_penetration, 1e-9);
    }
  }
}

TEST(NaiveStepping, FreezesInBothExperiments) {
  for (const std::string scene : {"spinning-boxes-and-ball", "sliding-boxes"}) {
    const Ran ran =
        run(scene, {{"/method", R"({"name": "naive", "max_treatments": 1000})"}}, "naive", 1);
    EXPECT_FALSE(ran.summary.finished);
    EXPECT_EQ(ran.summary.simulated_seconds, 0);
    EXPECT_NE(ran.summary.reason.value_or("").find("Zeno point"), std::string::npos);
  }
}

}  // namespace
}  // namespace carom::simulation
