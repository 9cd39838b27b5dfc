#include "carom/record/recorder.h"

#include <gtest/gtest.h>

#include "carom/record/trace.h"

namespace carom::record {
namespace {

Scene make_scene(double duration, double every) {
  Scene scene;
  scene.bodies.resize(1);
  scene.initial.resize(1);
  scene.duration = duration;
  scene.output_every = every;
  return scene;
}

// One body at constant velocity 1 along x: where it is says when it was asked.
Flight make_flight(double t0, double duration) {
  return {
      t0, duration, {RigidMotion{Vec3(t0, 0, 0), Vec3::UnitX(), Vec3::Zero(), math::SteadySpin{}}}};
}

State make_state(double t) {
  State state{t, std::vector<BodyState>(1)};
  state.bodies[0].x = Vec3(t, 0, 0);
  return state;
}

std::vector<double> output_times(const TraceSink& sink) {
  std::vector<double> times;
  for (const State& state : sink.trace().outputs) {
    EXPECT_NEAR(state.bodies[0].x.x(), state.t, 1e-12);
    times.push_back(state.t);
  }
  return times;
}

struct Recording {
  explicit Recording(double duration, double every)
      : scene(make_scene(duration, every)), recorder(scene) {
    recorder.add(sink);
    recorder.begin(make_state(0));
  }
  void fly(double from, double to, const Forces& forces = {}) {
    Flight flight = make_flight(from, to - from);
    recorder.flown(flight, to - from, forces);
  }
  Scene scene;
  Recorder recorder;
  TraceSink sink;
};

TEST(Recorder, RemembersFallbacksInCheckpoints) {
  Recording run(1, 0.25), resumed(1, 0.25);
  run.recorder.fallback(Rung::InelasticCrowd, 0.5);
  std::string bytes;
  run.recorder.save(bytes);
  std::string_view left = bytes;
  resumed.recorder.restore(left);
  resumed.recorder.fallback(Rung::InelasticCrowd, 0.25);
  const Fallback& crowd = resumed.recorder.fallbacks().rungs[0];
  EXPECT_EQ(crowd.times, 2);
  EXPECT_EQ(crowd.error, 0.5);
  EXPECT_TRUE(left.empty());
}

TEST(Recorder, SamplesFlightsAtTheOutputTimes) {
  Recording run(1, 0.25);
  run.fly(0, 0.3);
  run.fly(0.3, 0.4);
  run.fly(0.4, 1);
  run.recorder.end(make_state(1), {});
  EXPECT_EQ(output_times(run.sink), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

TEST(Recorder, MakesNoOutputsThatNobodyReads) {
  class Judge : public TraceSink {
   public:
    bool reads_outputs() const override { return false; }
  };
  const Scene scene = make_scene(1, 0.25);
  Recorder recorder(scene);
  Judge judge;
  recorder.add(judge);
  recorder.begin(make_state(0));
  Flight flight = make_flight(0, 1);
  recorder.flown(flight, 1, {});
  EXPECT_EQ(recorder.next_output(), 5);
  recorder.end(make_state(1), {});
  EXPECT_EQ(output_times(judge), (std::vector<double>{0}));
}

TEST(Recorder, WritesTheEndOfARunThatStopsBetweenOutputs) {
  Recording run(1, 0.25);
  run.fly(0, 0.6);
  run.recorder.end(make_state(0.6), {});
  EXPECT_EQ(output_times(run.sink), (std::vector<double>{0, 0.25, 0.5, 0.6}));
}

// 0.1 + 0.1 + … misses 0.7 by a rounding; it is still one output per time.
TEST(Recorder, IsNotConfusedByRoundedTimes) {
  Recording run(1, 0.1);
  double t = 0;
  for (int i = 0; i < 10; ++i, t += 0.1) run.fly(t, t + 0.1);
  run.recorder.end(make_state(t), {});
  EXPECT_EQ(output_times(run.sink).size(), 11U);
}

TEST(Recorder, FollowsTheFlownPartOfAFlightAlone) {
  Recording run(1, 0.25);
  Flight flight = make_flight(0, 1);
  run.recorder.flown(flight, 0.3, {});
  EXPECT_EQ(flight.duration, 0.3);
  EXPECT_EQ(output_times(run.sink), (std::vector<double>{0, 0.25}));
}

TEST(Recorder, CountsEventsAndIterations) {
  Recording run(1, 0.25);
  const State state = make_state(0);
  run.recorder.event({.kind = EventKind::Impact});
  run.recorder.event({.kind = EventKind::Impact});
  run.recorder.event({.kind = EventKind::Rest});
  run.recorder.impact({{}, {}, state, state, 5});
  run.recorder.impact({{}, {}, state, state, 3, 2});
  run.recorder.step_done();
  const Counters& counters = run.recorder.counters();
  EXPECT_EQ(counters.events[static_cast<std::size_t>(EventKind::Impact)], 2);
  EXPECT_EQ(counters.events[static_cast<std::size_t>(EventKind::Rest)], 1);
  EXPECT_EQ(counters.impact_iterations_total, 8);
  EXPECT_EQ(counters.impact_iterations_max, 5);
  EXPECT_EQ(counters.lineality_detected, 1);
  EXPECT_EQ(counters.lineality_dimension_max, 2);
  EXPECT_EQ(counters.steps, 1);
}

TEST(Recorder, GoesOnAfterACheckpointWithTheNextOutput) {
  Recording run(1, 0.25);
  Checkpoint checkpoint;
  checkpoint.state = make_state(0.6);
  checkpoint.next_output = 3;
  checkpoint.counters.steps = 42;
  run.recorder.resume(checkpoint);
  run.fly(0.6, 1);
  run.recorder.end(make_state(1), {});
  EXPECT_EQ(output_times(run.sink), (std::vector<double>{0, 0.75, 1}));
  EXPECT_EQ(run.recorder.counters().steps, 42);
}

// A push along z that says when it acted: f(t) = 2 + 3 t − t², at a point that moves with t.
CarriedForce push_at(double t) {
  return {BodyId{0}, BodyId{0}, Vec3(t, 0, 0), Vec3(0, 0, 2 + 3 * t - t * t)};
}

TEST(Recorder, TellsForcesAtTheOutputTimesAndThoseOfTheStartOnce) {
  Recording run(1, 0.25);
  const std::vector<CarriedForce> first{push_at(0)}, later{push_at(0.5)};
  run.fly(0, 0, {later});  // no time has passed: nothing has acted yet
  run.fly(0, 0.1, {first});
  run.fly(0.1, 0.3, {later});
  run.fly(0.3, 0.5, {});
  const auto& forces = run.sink.trace().forces;
  ASSERT_EQ(forces.size(), 2U);
  EXPECT_EQ(forces[0].t, 0);
  EXPECT_EQ(forces[0].force.force, push_at(0).force);
  EXPECT_EQ(forces[1].t, 0.25);
  EXPECT_EQ(forces[1].force.force, push_at(0.5).force);
}

TEST(Recorder, FollowsForcesThatVaryAsAParabolaExactly) {
  Recording run(1, 0.25);
  const std::vector<CarriedForce> start{push_at(0.2)}, middle{push_at(0.6)}, end{push_at(1)};
  run.fly(0, 0.2);
  run.fly(0.2, 1, {start, middle, end});
  const auto& forces = run.sink.trace().forces;
  ASSERT_EQ(forces.size(), 4U);
  for (const ForceAt& at : forces) {
    EXPECT_LT((at.force.force - push_at(at.t).force).norm(), 1e-15 * 10) << at.t;
    EXPECT_LT((at.force.point - push_at(at.t).point).norm(), 1e-15) << at.t;
  }
  EXPECT_EQ(forces.back().force.force, push_at(1).force);
}

TEST(Recorder, TellsNoForcesOfTheStartAgainWhenItGoesOn) {
  Recording run(1, 0.25);
  Checkpoint checkpoint;
  checkpoint.next_output = 3;
  run.recorder.resume(checkpoint);
  const std::vector<CarriedForce> forces{push_at(0)};
  run.fly(0.6, 0.8, {forces});
  ASSERT_EQ(run.sink.trace().forces.size(), 1U);
  EXPECT_EQ(run.sink.trace().forces[0].t, 0.75);
}

}  // namespace
}  // namespace carom::record
