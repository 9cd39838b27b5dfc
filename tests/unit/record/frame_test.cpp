// How motion with a clock for every body is told. Outputs are judged by closed forms of hops.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/bytes.h"
#include "carom/record/recorder.h"
#include "carom/record/trace.h"
#include "unit/record/hand_made_frame.h"

namespace carom::record {
namespace {

constexpr double kG = 10, kMass = 2, kHop = 0.05;  // s; how long a hop takes
const BodyId kGround{0}, kBall{1};

Scene make_scene(double every) {
  Scene scene;
  scene.gravity = Vec3(0, 0, -kG);
  scene.bodies.resize(2);
  scene.bodies[0].motion = model::Motion::Fixed;
  scene.bodies[1].mass = kMass;
  scene.bodies[1].inverse_mass = 1 / kMass;
  scene.bodies[1].inertia = scene.bodies[1].inverse_inertia = Mat3::Identity();
  scene.initial.resize(2);
  scene.duration = 1;
  scene.output_every = every;
  return scene;
}

// A ball of radius 0 that hops on z = 0 and moves along x by 3 m/s.
State make_start(double t) {
  State state{t, std::vector<BodyState>(2)};
  state.bodies[1].x.x() = 3 * t;
  state.bodies[1].v = Vec3(3, 0, kG * kHop / 2);
  return state;
}
double height_at(double t) {
  const double s = t - kHop * std::floor(t / kHop + 1e-9);
  return kG / 2 * s * (kHop - s);
}

void hop(HandMadeFrame& frame, int first, int last) {
  for (int k = first; k <= last; ++k)
    frame.collide(k * kHop, kBall, kGround, Vec3(3 * k * kHop, 0, 0),
                  {.impulse = Vec3(0, 0, kMass * kG * kHop)});
}

struct Told {
  explicit Told(double every) : scene(make_scene(every)), recorder(scene) {
    recorder.add(sink);
    recorder.begin(make_start(0));
  }
  const Trace& trace() const { return sink.trace(); }

  Scene scene;
  Recorder recorder;
  TraceSink sink;
};

TEST(FrameRecording, SamplesEveryBodyFromItsLastCollision) {
  Told run(0.03);
  HandMadeFrame first(run.scene, make_start(0));
  hop(first, 1, 4);
  run.recorder.flown(first.finish(0.21));
  ASSERT_EQ(run.trace().outputs.size(), 8U);  // 0, 0.03, … 0.21
  for (const State& state : run.trace().outputs) {
    EXPECT_NEAR(state.bodies[1].x.x(), 3 * state.t, 1e-14);
    EXPECT_NEAR(state.bodies[1].x.z(), height_at(state.t), 1e-14);
    EXPECT_EQ(state.bodies[0].x, Vec3(0, 0, 0));
  }
}

TEST(FrameRecording, WritesTheFramesEndToTheLastBit) {
  Told run(0.1);
  HandMadeFrame frame(run.scene, make_start(0));
  hop(frame, 1, 1);
  const Frame whole = frame.finish(0.1 * (1 + 1e-13));  // misses 0.1 by round-off
  run.recorder.flown(whole);
  ASSERT_EQ(run.trace().outputs.size(), 2U);
  EXPECT_EQ(run.trace().outputs[1].t, 0.1);
  EXPECT_EQ(run.trace().outputs[1].bodies[1].x, whole.end.bodies[1].x);
  EXPECT_EQ(run.trace().outputs[1].bodies[1].v, whole.end.bodies[1].v);
}

TEST(FrameRecording, TellsEventsUpToAnOutputBeforeIt) {
  Told run(0.1);
  HandMadeFrame frame(run.scene, make_start(0));
  frame.collide(0.04, kBall, kGround, Vec3::Zero(), {});
  frame.collide(0.1, kBall, kGround, Vec3::Zero(), {});
  frame.collide(0.15, kBall, kGround, Vec3::Zero(), {});
  run.recorder.flown(frame.finish(0.16));
  EXPECT_EQ(run.trace().events_before, (std::vector<std::size_t>{0, 2}));
  ASSERT_EQ(run.trace().events.size(), 3U);
  EXPECT_EQ(run.trace().events[2].t, 0.15);
  const Counters& counters = run.recorder.counters();
  EXPECT_EQ(counters.events[static_cast<std::size_t>(EventKind::Microcollision)], 3);
  EXPECT_EQ(counters.impact_iterations_total, 3);
  EXPECT_EQ(counters.impact_iterations_max, 1);
}

// Hops at 0.05, 0.1, …: four impulses between two outputs, and a mean force equal to the weight.
TEST(FrameRecording, TellsTheMeanForceSinceTheLastOutput) {
  Told run(0.2);
  HandMadeFrame frame(run.scene, make_start(0));
  hop(frame, 1, 8);
  run.recorder.flown(frame.finish(0.42));
  const auto& forces = run.trace().forces;
  ASSERT_EQ(forces.size(), 2U);
  EXPECT_EQ(forces[0].t, 0.2);
  EXPECT_EQ(forces[0].force.a, kGround);  // ascending
  EXPECT_EQ(forces[0].force.b, kBall);
  EXPECT_NEAR((forces[0].force.force - Vec3(0, 0, -kMass * kG)).norm(), 0, 1e-12);
  EXPECT_NEAR((forces[1].force.force - Vec3(0, 0, -kMass * kG)).norm(), 0, 1e-12);
  EXPECT_NEAR((forces[0].force.point - Vec3(3 * 0.125, 0, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((forces[1].force.point - Vec3(3 * 0.325, 0, 0)).norm(), 0, 1e-14);
}

TEST(FrameRecording, WeighsContactPointsByImpulses) {
  Told run(0.5);
  HandMadeFrame frame(run.scene, make_start(0));
  frame.collide(0.1, kBall, kGround, Vec3(1, 0, 0), {.impulse = {0, 0, 3}, .couple = {0, 2, 0}});
  frame.collide(0.2, kGround, kBall, Vec3(5, 0, 0), {.impulse = {0, 0, -1}});
  run.recorder.flown(frame.finish(0.5));
  ASSERT_EQ(run.trace().forces.size(), 1U);
  const CarriedForce& force = run.trace().forces[0].force;
  EXPECT_NEAR((force.point - Vec3(2, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((force.force - Vec3(0, 0, -8)).norm(), 0, 1e-15);
  EXPECT_NEAR((force.torque - Vec3(0, -4, 0)).norm(), 0, 1e-15);
}

// The frame ends between two outputs: what it did to the mean force goes with the checkpoint.
TEST(FrameRecording, GoesOnFromACheckpointBitForBit) {
  const auto first = [](Told& run) {
    HandMadeFrame frame(run.scene, make_start(0));
    hop(frame, 1, 5);
    run.recorder.flown(frame.finish(0.25));
  };
  const auto second = [](Told& run) {
    State start = make_start(0.25);
    HandMadeFrame frame(run.scene, start);
    hop(frame, 6, 8);
    run.recorder.flown(frame.finish(0.4));
  };
  Told whole(0.2), before(0.2), after(0.2);
  first(whole);
  second(whole);
  first(before);
  Checkpoint checkpoint;
  checkpoint.counters = before.recorder.counters();
  checkpoint.next_output = before.recorder.next_output();
  before.recorder.save(checkpoint.memory);
  after.recorder.resume(checkpoint);
  std::string_view memory = checkpoint.memory;
  after.recorder.restore(memory);
  EXPECT_TRUE(memory.empty());
  second(after);
  const CarriedForce &expected = whole.trace().forces.back().force,
                     &found = after.trace().forces.back().force;
  EXPECT_EQ(found.force, expected.force);
  EXPECT_EQ(found.point, expected.point);
  EXPECT_NEAR(found.force.z(), -kMass * kG, 1e-12);
}

TEST(FrameRecording, CountsWithoutSinks) {
  const Scene scene = make_scene(0.1);
  Recorder recorder(scene);
  recorder.begin(make_start(0));
  HandMadeFrame frame(scene, make_start(0));
  hop(frame, 1, 6);
  recorder.flown(frame.finish(0.31));
  EXPECT_EQ(recorder.counters().events[static_cast<std::size_t>(EventKind::Microcollision)], 6);
  EXPECT_EQ(recorder.next_output(), 4);
  std::string kept, nothing;
  recorder.save(kept);
  Recorder(scene).save(nothing);
  EXPECT_EQ(kept, nothing);
}

// Against a search through all of them.
TEST(PairTable, FindsEveryPairAgainHoweverManyThereAre) {
  PairTable<int> table;
  for (int round = 1; round <= 2; ++round)
    for (int i = 0; i < 40; ++i)
      for (int j = 0; j < i; ++j)
        table.at(id_of<BodyId>(static_cast<std::size_t>(round == 1 ? i : j)),
                 id_of<BodyId>(static_cast<std::size_t>(round == 1 ? j : i))) += 100 * i + j;
  EXPECT_EQ(table.entries().size(), 40U * 39 / 2);
  for (const auto& [a, b, value] : table.entries())
    EXPECT_EQ(value, 2 * (100 * static_cast<int>(b) + static_cast<int>(a)));
  table.clear();
  EXPECT_TRUE(table.entries().empty());
  EXPECT_EQ(table.at(BodyId{3}, BodyId{2}), 0);
}

}  // namespace
}  // namespace carom::record
