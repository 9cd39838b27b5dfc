// Whole runs of the elastic method: a hinged rod against its closed form, and a run that is stopped
// and goes on.
#include <gtest/gtest.h>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

// A rod of 1 m hung at its end, released level: period 4 √(2L/3g) K(1/2), bottom speed √(3g/L).
constexpr double kPeriod = 1.9333348543732458, kBottomSpeed = 5.424942396007538;
constexpr double kEnergy = 9.81 * 0.5;  // J, from level to bottom

support::SceneParts make_pendulum(model::JointType joint, double tolerance) {
  model::BodySpec hook = support::make_ball("hook", 0.01, Vec3::Zero());
  hook.motion = model::Motion::Fixed;
  model::BodySpec rod = support::make_box("rod", Vec3(1, 0.01, 0.01), Vec3(0.5, 0, 0));
  rod.inertia = Mat3(Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal());
  return {.bodies = {hook, rod},
          .joints = {{.name = "hang",
                      .type = joint,
                      .between = {"hook", "rod"},
                      .anchor = Vec3::Zero(),
                      .axis = Vec3::UnitY()}},
          .method = {"elastic", {{"tolerance", tolerance}}},
          .duration = 2 * kPeriod,
          .output_every = kPeriod / 4};
}

struct Swing {
  double place = 0, speed = 0;  // errors at quarters of the period
  record::AuditResult audit;
};

Swing swing(model::JointType joint, double tolerance) {
  const Scene scene = support::build(make_pendulum(joint, tolerance));
  Simulation simulation(scene);
  record::TraceSink trace;
  simulation.add(trace);
  const record::Summary summary = simulation.run();
  EXPECT_TRUE(summary.finished) << summary.reason.value_or("");
  Swing found{.audit = summary.audit};
  const Vec3 places[] = {{0.5, 0, 0}, {0, 0, -0.5}, {-0.5, 0, 0}, {0, 0, -0.5}};
  const double spins[] = {0, kBottomSpeed, 0, -kBottomSpeed};
  EXPECT_EQ(trace.trace().outputs.size(), 9U);
  for (std::size_t i = 0; i < trace.trace().outputs.size(); ++i) {
    const BodyState& rod = trace.trace().outputs[i].bodies[1];
    found.place = std::max(found.place, (rod.x - places[i % 4]).norm());
    found.speed = std::max(found.speed, std::abs(rod.w.y() - spins[i % 4]));
  }
  return found;
}

class ElasticPendulum : public testing::TestWithParam<model::JointType> {};

TEST_P(ElasticPendulum, SwingsAsExactlyAsAsked) {
  Swing before;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    const Swing now = swing(GetParam(), tolerance);
    std::cout << tolerance << ": place " << now.place << " m, speed " << now.speed
              << " rad/s, joint " << now.audit.max_joint_error << " m, energy "
              << now.audit.energy_final - now.audit.energy_initial << " J, ledger "
              << now.audit.energy_ledger_error << " J\n";
    EXPECT_LT(now.place, 1000 * tolerance);
    EXPECT_LT(now.speed, 10000 * tolerance);
    EXPECT_LT(now.audit.max_joint_error, 10 * tolerance);
    EXPECT_LT(std::abs(now.audit.energy_final - now.audit.energy_initial),
              1000 * tolerance * kEnergy);
    if (before.place > 0) {
      EXPECT_LT(now.place, 0.1 * before.place);
    }
    before = now;
  }
}

INSTANTIATE_TEST_SUITE_P(Joints, ElasticPendulum,
                         testing::Values(model::JointType::Hinge, model::JointType::Ball));

// Two rods that hang side by side, a third hinged to their lower ends: a closed loop whose hinges
// say the same several times. The third does not turn and the others turn alike; with m of each and
// l of the first two, (2/3 + 1) m l² θ'²/2 + 2 m g l (1 - cos θ) stays.
TEST(ElasticRun, AParallelogramSwingsInAPlane) {
  static constexpr double kLength = 0.5, kApart = 0.4, kSpin = -3;
  model::BodySpec frame = support::make_ball("frame", 0.01, Vec3(0.2, 0, 1));
  frame.motion = model::Motion::Fixed;
  const auto rod = [](const std::string& name, double x) {
    model::BodySpec spec =
        support::make_box(name, Vec3(0.02, 0.02, kLength), Vec3(x, 0, -kLength / 2));
    spec.inertia = Mat3(Vec3(kLength * kLength / 12, kLength * kLength / 12, 1e-4).asDiagonal());
    spec.angular_velocity = Vec3(0, kSpin, 0);
    spec.velocity = Vec3(-kSpin * kLength / 2, 0, 0);
    return spec;
  };
  const auto hinge = [](const std::string& a, const std::string& b,
                        const Vec3& at) -> model::JointSpec {
    return {.name = a + b,
            .type = model::JointType::Hinge,
            .between = {a, b},
            .anchor = at,
            .axis = Vec3::UnitY()};
  };
  model::BodySpec link =
      support::make_box("link", Vec3(kApart, 0.02, 0.02), Vec3(kApart / 2, 0, -kLength));
  link.velocity = Vec3(-kSpin * kLength, 0, 0);
  const Scene scene = support::build(
      {.bodies = {frame, rod("left", 0), rod("right", kApart), link},
       .joints = {hinge("frame", "left", Vec3::Zero()), hinge("frame", "right", Vec3(kApart, 0, 0)),
                  hinge("left", "link", Vec3(0, 0, -kLength)),
                  hinge("right", "link", Vec3(kApart, 0, -kLength))},
       .method = {"elastic", {{"tolerance", 1e-8}}},
       .duration = 1,
       .output_every = 0.05});
  Simulation simulation(scene);
  record::TraceSink trace;
  simulation.add(trace);
  const record::Summary summary = simulation.run();
  ASSERT_TRUE(summary.finished) << summary.reason.value_or("");
  EXPECT_LT(summary.counters.steps, 1000);
  EXPECT_LT(summary.audit.max_joint_error, 1e-7);
  for (const State& state : trace.trace().outputs) {
    const BodyState &left = state.bodies[1], &right = state.bodies[2], &third = state.bodies[3];
    EXPECT_NEAR(left.w.y(), right.w.y(), 1e-6);
    EXPECT_LT(third.w.norm(), 1e-6);
    const double rise = 1 + left.x.z() / (kLength / 2);
    EXPECT_NEAR((2.0 / 3 + 1) * kLength * kLength * (left.w.squaredNorm() - kSpin * kSpin) / 2 +
                    2 * 9.81 * kLength * rise,
                0, 1e-5)
        << state.t;
  }
}

// Shapes that fall on a plane without turning give back the restitution asked for, whatever their
// curvature; the force on flat ones sets in with a corner, which costs digits.
TEST(ElasticRun, EveryShapeBouncesAsAsked) {
  struct Case {
    geometry::Shape shape;
    double error;
  };
  const Case cases[] = {
      {geometry::Sphere{0.05}, 1e-5},       {geometry::Ellipsoid{Vec3(0.05, 0.08, 0.06)}, 1e-5},
      {geometry::Capsule{0.05, 0.1}, 1e-5}, {geometry::Cylinder{0.05, 0.1}, 1e-5},
      {geometry::Cone{0.05, 0.1}, 1e-5},    {geometry::Box{Vec3(0.05, 0.04, 0.06)}, 1e-5}};
  for (const auto& [shape, error] : cases) {
    const model::BodySpec body{.name = "body",
                               .shapes = {{.shape = shape}},
                               .mass = 1,
                               .position = Vec3(0, 0, 0.3),
                               .velocity = Vec3(0, 0, -1)};
    const Scene scene = support::build({.gravity = Vec3::Zero(),
                                        .between = {.restitution = 0.6},
                                        .bodies = {support::make_ground(), body},
                                        .method = {"elastic", {{"tolerance", 1e-8}}},
                                        .duration = 0.6,
                                        .output_every = 0.1});
    Simulation simulation(scene);
    record::TraceSink trace;
    simulation.add(trace);
    const record::Summary summary = simulation.run();
    ASSERT_TRUE(summary.finished) << summary.reason.value_or("");
    const BodyState& after = trace.trace().outputs.back().bodies[1];
    EXPECT_NEAR(after.v.z(), 0.6, error) << geometry::name_of(shape);
    EXPECT_LT(after.w.norm(), 1e-5) << geometry::name_of(shape);
    EXPECT_LT(summary.audit.energy_ledger_error, 1e-5) << geometry::name_of(shape);
  }
}

// Tells the run to stop when a number of outputs has been written.
struct Stopper : record::Sink {
  void output(const State&) override {
    if (++outputs == stop_at) watch.stop = true;
  }
  int outputs = 0, stop_at = 0;
  base::Watch watch;
};

Scene make_two_balls(double duration) {
  return support::build(
      {.between = {.restitution = 0.7, .friction = 0.3},
       .bodies = {support::make_ground(),
                  support::make_ball("one", 0.05, Vec3(0, 0, 0.1), Vec3(0.5, 0, 0)),
                  support::make_ball("two", 0.05, Vec3(0.3, 0.01, 0.05), Vec3(-0.2, 0, 0))},
       .method = {"elastic", {{"tolerance", 1e-6}, {"reduction", 1e-3}}},
       .duration = duration});
}

// The last step of a run is cut at its end, which what goes on from there must not repeat.
TEST(ElasticRun, GoesOnFromItsEnd) {
  for (const double end : {0.12, 0.2, 0.55}) {
    const Scene scene = make_two_balls(end), longer = make_two_balls(1);
    Simulation first(scene);
    record::TraceSink past;
    first.add(past);
    ASSERT_TRUE(first.run().finished);
    const record::Summary summary = Simulation(longer).resume(past.trace());
    ASSERT_TRUE(summary.finished);
    EXPECT_LT(summary.audit.momentum_error, 1e-3) << end;
    EXPECT_LT(summary.audit.energy_ledger_error, 1e-3) << end;
  }
}

TEST(ElasticRun, GoesOnFromItsLastCheckpointBitForBit) {
  const Scene scene = make_two_balls(1);
  Simulation whole(scene);
  record::TraceSink all;
  whole.add(all);
  ASSERT_TRUE(whole.run().finished);
  for (const int stop_at : {5, 12, 35, 70}) {  // falling, just landed, rolling, behind a collision
    Stopper stopper;
    stopper.stop_at = stop_at;
    Simulation first(scene, {.watch = &stopper.watch});
    record::TraceSink past, rest;
    first.add(past);
    first.add(stopper);
    ASSERT_FALSE(first.run().finished);
    Simulation resumed(scene);
    resumed.add(rest);
    ASSERT_TRUE(resumed.resume(past.trace()).finished);
    const State &one = rest.trace().outputs.back(), &other = all.trace().outputs.back();
    for (std::size_t i = 0; i < one.bodies.size(); ++i) {
      EXPECT_EQ(one.bodies[i].x, other.bodies[i].x) << stop_at;
      EXPECT_EQ(one.bodies[i].v, other.bodies[i].v) << stop_at;
      EXPECT_EQ(one.bodies[i].q.coeffs(), other.bodies[i].q.coeffs()) << stop_at;
    }
    EXPECT_EQ(rest.summary().counters.events, all.summary().counters.events);
    EXPECT_EQ(rest.summary().counters.steps, all.summary().counters.steps);
    EXPECT_EQ(rest.summary().audit.energy_ledger_error, all.summary().audit.energy_ledger_error);
    EXPECT_EQ(rest.summary().audit.momentum_error, all.summary().audit.momentum_error);
  }
}

}  // namespace
}  // namespace carom::simulation
