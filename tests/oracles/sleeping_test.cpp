// Sleeping is only a way to be quick: every scene here goes the same way, within 1e-9, when nobody
// is allowed to sleep. The reference is that run.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numbers>

#include "carom/simulation/simulation.h"
#include "support/rig.h"

namespace carom::methods {
namespace {

using record::EventKind;
using support::make_ball;
using support::make_box;
using support::make_ground;
using support::Rig;
using support::SceneParts;

constexpr double kStep = 0.002;
const Vec3 kCube(1, 1, 1);

SceneParts make_scene(std::vector<model::BodySpec> bodies) {
  bodies.insert(bodies.begin(), make_ground());
  return {.between = {.friction = 0.5},
          .bodies = std::move(bodies),
          .method = support::zeno_free(kStep)};
}

SceneParts without_sleeping(SceneParts parts) {
  parts.method.options["sleeping"] = false;
  return parts;
}

// Leaning a little, so that nothing is symmetric.
std::vector<model::BodySpec> make_tower(int height) {
  std::vector<model::BodySpec> boxes;
  for (int i = 0; i < height; ++i) {
    boxes.push_back(make_box("box " + std::to_string(i), kCube, Vec3(0.02 * i, 0, 0.5 + i)));
  }
  return boxes;
}

// How much higher than at rest something is to be let go to arrive after t.
double fall(double t) { return 0.5 * 9.81 * t * t; }

double greatest_difference(const State& a, const State& b) {
  double greatest = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const BodyState &x = a.bodies[i], &y = b.bodies[i];
    greatest = std::max({greatest, (x.x - y.x).norm(), (x.v - y.v).norm(), (x.w - y.w).norm(),
                         (x.q.coeffs() - y.q.coeffs()).norm()});
  }
  return greatest;
}

struct Told {
  EventKind kind;
  BodyId a, b;
  bool operator==(const Told&) const = default;
};

std::vector<Told> contacts_told(const support::Witness& witness) {
  std::vector<Told> told;
  for (const record::ContactEvent& event : witness.events) {
    if (event.kind == EventKind::ContactBegin || event.kind == EventKind::ContactEnd) {
      told.push_back({event.kind, event.a, event.b});
    }
  }
  return told;
}

int count_asleep(const Rig& rig) {
  int asleep = 0;
  for (std::size_t i = 0; i < rig.scene.bodies.size(); ++i) {
    asleep += rig.stepper.find<methods::ZenoFreeStepper>()->sleeping().is_asleep(id_of<BodyId>(i))
                  ? 1
                  : 0;
  }
  return asleep;
}

struct Compared {
  double difference = 0;
  int most_asleep = 0;
  std::size_t woken = 0;
};

bool advance(Rig& rig) {
  const AdvanceResult result = rig.advance_steps(1);
  EXPECT_TRUE(result.ok()) << describe(result, rig.scene, rig.state.t);
  return result.ok();
}

// Both ways side by side, step by step.
Compared compare(const SceneParts& parts, double duration) {
  Rig with(parts), without(without_sleeping(parts));
  Compared result;
  while (with.state.t < duration && advance(with) && advance(without)) {
    result.difference = std::max(result.difference, greatest_difference(with.state, without.state));
    result.most_asleep = std::max(result.most_asleep, count_asleep(with));
    EXPECT_EQ(count_asleep(without), 0);
  }
  result.woken = with.witness.count(EventKind::Wake);
  EXPECT_EQ(contacts_told(with.witness), contacts_told(without.witness));
  std::cout << "difference " << result.difference << ", asleep at most " << result.most_asleep
            << ", woken " << result.woken << " times\n";
  return result;
}

TEST(Sleeping, LeavesATowerAsItIsUntilABallHitsIt) {
  std::vector<model::BodySpec> bodies = make_tower(3);
  bodies.push_back(make_ball("ball", 0.2, Vec3(0.1, 0.05, 3.2 + fall(2.5))));
  const Compared both = compare(make_scene(bodies), 3.2);
  EXPECT_LT(both.difference, 1e-9);
  EXPECT_EQ(both.most_asleep, 3);
  EXPECT_EQ(both.woken, 1U);
}

TEST(Sleeping, LetsABoxLandOnSleepers) {
  std::vector<model::BodySpec> bodies = make_tower(2);
  bodies.push_back(make_box("late", kCube, Vec3(0.1, 0, 2.5 + fall(2))));
  const Compared both = compare(make_scene(bodies), 4.5);
  EXPECT_LT(both.difference, 1e-9);
  EXPECT_EQ(both.most_asleep, 3);
  EXPECT_EQ(both.woken, 1U);
}

TEST(Sleeping, LeavesIslandsAloneThatABoxLandsBeside) {
  std::vector<model::BodySpec> bodies = make_tower(2);
  bodies.push_back(make_box("late", kCube, Vec3(1.5, 0, 0.5 + fall(2))));
  const Compared both = compare(make_scene(bodies), 4.5);
  EXPECT_LT(both.difference, 1e-9);
  EXPECT_EQ(both.most_asleep, 3);
  EXPECT_EQ(both.woken, 0U);
}

TEST(Sleeping, PassesFromIslandToIsland) {
  std::vector<model::BodySpec> bodies;
  for (int i = 0; i < 4; ++i) {
    bodies.push_back(make_box("box " + std::to_string(i), kCube, Vec3(1.2 * i, 0, 0.5)));
  }
  bodies.front().position.x() = -7;
  bodies.front().velocity = Vec3(3, 0, 0);
  SceneParts parts = make_scene(bodies);
  parts.between = {.restitution = 1, .friction = 0};
  const Compared both = compare(parts, 4);
  EXPECT_LT(both.difference, 1e-9);
  EXPECT_EQ(both.most_asleep, 3);
  EXPECT_EQ(both.woken, 3U);
}

TEST(Sleeping, IsNotFooledByTurningPoints) {
  const Quat tilt(Eigen::AngleAxisd(-0.3, Vec3::UnitY()));
  model::BodySpec ball = make_ball("ball", 0.2, tilt * Vec3(0, 0, 5.2), tilt * Vec3(2, 0, 0));
  ball.angular_velocity = Vec3(0, 10, 0);  // rolls up and comes back
  model::BodySpec rod = make_box("rod", Vec3(1, 0.01, 0.01), Vec3(0.5, 20, 9));
  rod.inertia = Mat3(Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal());
  SceneParts parts = make_scene({support::make_plane("slope", tilt * Vec3::UnitZ(), 5), ball, rod});
  parts.joints = {{.name = "hang",
                   .between = {"ground", "rod"},
                   .anchor = Vec3(0, 20, 9),
                   .axis = Vec3::UnitY()}};
  const Compared both = compare(parts, 2);
  EXPECT_EQ(both.most_asleep, 0);
  EXPECT_EQ(both.difference, 0);
}

TEST(Sleeping, HoldsABlockOnASlopeOnlyWhereFrictionDoes) {
  for (const double friction : {0.5, 0.3}) {
    const double angle = 20 * std::numbers::pi / 180;
    const Quat tilt(Eigen::AngleAxisd(angle, Vec3::UnitY()));
    model::BodySpec block = make_box("block", kCube, tilt * Vec3(0, 0, 5.5));
    block.orientation = tilt;
    SceneParts parts = make_scene({support::make_plane("slope", tilt * Vec3::UnitZ(), 5), block});
    parts.between.friction = friction;
    const Compared both = compare(parts, 2.5);
    EXPECT_LT(both.difference, 1e-9);
    EXPECT_EQ(both.most_asleep, friction > std::tan(angle) ? 1 : 0);
  }
}

// A cube that stands on an edge, all but in balance, stays for long where it is within every
// tolerance. That is no reason to stop it.
TEST(Sleeping, DoesNotHoldAnUnstableBalance) {
  const auto time_of_fall = [&](const SceneParts& parts) {
    Rig rig(parts);
    while (rig.state.bodies[1].x.z() > 0.7 && rig.state.t < 30 && advance(rig)) continue;
    return rig.state.t;
  };
  for (const double off : {1e-9, 1e-12, 1e-14}) {
    const double angle = std::numbers::pi / 4 + off;
    model::BodySpec cube =
        make_box("cube", kCube, Vec3(0, 0, 0.5 * (std::sin(angle) + std::cos(angle))));
    cube.orientation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitY()));
    const double free = time_of_fall(without_sleeping(make_scene({cube})));
    const double watched = time_of_fall(make_scene({cube}));
    std::cout << "off by " << off << " it falls at " << free << " and " << watched << " s\n";
    EXPECT_LT(free, 30);
    EXPECT_EQ(watched, free);
  }
}

TEST(Sleeping, GoesOnReportingWhatCarriesTheSleepers) {
  const Scene scene = support::build([] {
    SceneParts parts = make_scene(make_tower(3));
    parts.duration = 20;
    return parts;
  }());
  simulation::Simulation simulation(scene);
  const record::Summary summary = simulation.run();
  ASSERT_TRUE(summary.finished) << summary.reason.value_or("");
  const double weight = 3 * 9.81;
  EXPECT_LT(summary.audit.momentum_error, 1e-12 * weight * 20);
  EXPECT_LT(summary.audit.angular_momentum_error, 1e-12 * weight * 20);
  EXPECT_EQ(summary.audit.energy_max_gain, 0);
}

TEST(Sleeping, IsRememberedByACheckpoint) {
  std::vector<model::BodySpec> bodies = make_tower(2);
  bodies.push_back(make_ball("ball", 0.2, Vec3(0.1, 0.05, 2.2 + fall(2.5))));
  SceneParts parts = make_scene(bodies);
  for (const double stop_at : {0.4, 2.0}) {  // while it is being watched, and asleep
    parts.duration = stop_at;
    const Scene half = support::build(parts);
    simulation::Simulation first(half);
    record::TraceSink past;
    first.add(past);
    ASSERT_TRUE(first.run().finished);
    parts.duration = 3;
    const Scene scene = support::build(parts);
    simulation::Simulation resumed(scene), whole(scene);
    record::TraceSink rest, all;
    resumed.add(rest);
    whole.add(all);
    ASSERT_TRUE(resumed.resume(past.trace()).finished);
    ASSERT_TRUE(whole.run().finished);
    EXPECT_EQ(greatest_difference(rest.trace().outputs.back(), all.trace().outputs.back()), 0);
    EXPECT_EQ(rest.summary().counters.events, all.summary().counters.events);
    EXPECT_EQ(rest.summary().audit.momentum_error, all.summary().audit.momentum_error);
  }
}

}  // namespace
}  // namespace carom::methods
