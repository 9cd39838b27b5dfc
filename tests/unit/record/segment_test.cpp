// How segments are told: the order of calls, the forces of outputs and what they add up to.
#include <gtest/gtest.h>

#include "carom/record/recorder.h"
#include "carom/record/trace.h"
#include "unit/record/hand_made_frame.h"

namespace carom::record {
namespace {

const BodyId kGround{0}, kFirst{1}, kSecond{2}, kThird{3};

Scene make_scene(double every) {
  Scene scene;
  scene.bodies.resize(4);
  for (Body& body : scene.bodies) {
    body.mass = body.inverse_mass = 1;
    body.inertia = body.inverse_inertia = Mat3::Identity();
  }
  scene.bodies[0].motion = model::Motion::Fixed;
  scene.initial.resize(4);
  scene.duration = 1;
  scene.output_every = every;
  return scene;
}

State make_start(double t) { return {t, std::vector<BodyState>(4)}; }

class Calls : public Sink {
 public:
  void frame(const Frame&) override { names.push_back("frame"); }
  void event(const ContactEvent& event) override {
    names.push_back(event.kind == EventKind::ContactBegin ? "begin" : "end");
  }
  void output(const State&) override { names.push_back("output"); }
  void forces(double t, std::span<const CarriedForce>) override {
    names.push_back(t == 0 ? "first forces" : "forces");
  }
  std::vector<std::string> names;
};

struct Told {
  explicit Told(double every) : scene(make_scene(every)), recorder(scene) {
    recorder.add(sink);
    recorder.add(calls);
    recorder.begin(make_start(0));
    calls.names.clear();
  }
  const std::vector<ForceAt>& forces() const { return sink.trace().forces; }

  Scene scene;
  Recorder recorder;
  TraceSink sink;
  Calls calls;
};

TEST(SegmentRecording, TellsTheFrameThenEventsThenTheOutputAndItsForces) {
  Told run(0.5);
  HandMadeFrame first(run.scene, make_start(0));
  first.press(0.2, 0.5, kFirst, kGround, {Vec3(0, 0, 2)});
  first.tell({.t = 0.2, .kind = EventKind::ContactBegin});
  first.tell({.t = 0.5, .kind = EventKind::ContactEnd});
  const Frame frame = first.finish(0.5);
  run.recorder.flown(frame);
  EXPECT_EQ(run.calls.names, (std::vector<std::string>{"frame", "first forces", "begin", "end",
                                                       "output", "forces"}));
  EXPECT_EQ(run.sink.trace().outputs.back().bodies[1].x, frame.end.bodies[1].x);
  run.calls.names.clear();
  HandMadeFrame second(run.scene, frame.end);
  second.press(0.5, 0.75, kFirst, kGround, {Vec3(0, 0, 2)});
  run.recorder.flown(second.finish(0.75));
  EXPECT_EQ(run.calls.names, (std::vector<std::string>{"frame"}));
}

TEST(SegmentRecording, TellsForcesOfTheStartFromSegmentsThatBeginThere) {
  Told run(0.5);
  HandMadeFrame frame(run.scene, make_start(0));
  frame.press(0, 0.1, kFirst, kGround, {Vec3(0, 0, 2)});
  frame.press(0.2, 0.3, kSecond, kGround, {Vec3(0, 0, 3)});
  run.recorder.flown(frame.finish(0.4));
  ASSERT_EQ(run.forces().size(), 1U);
  EXPECT_EQ(run.forces()[0].t, 0);
  EXPECT_EQ(run.forces()[0].force.a, kFirst);
}

TEST(SegmentRecording, TellsNoForcesOfTheStartWhereTheFirstFrameFlies) {
  Told run(0.5);
  HandMadeFrame flight(run.scene, make_start(0));
  run.recorder.flown(flight.finish(0.1));
  HandMadeFrame frame(run.scene, make_start(0.1));
  frame.press(0.1, 0.2, kFirst, kGround, {Vec3(0, 0, 2)});
  run.recorder.flown(frame.finish(0.2));
  EXPECT_TRUE(run.forces().empty());
}

// Of those that end with the frame, by the bodies in ascending order, joints last.
TEST(SegmentRecording, TellsForcesAtTheEndOfSegmentsInTheOrderOfBodies) {
  Told run(0.5);
  run.scene.joints.resize(1);
  run.scene.joints[0].a = kSecond;
  run.scene.joints[0].b = kGround;
  HandMadeFrame frame(run.scene, make_start(0));
  frame.press(0.1, 0.4, kFirst, kGround, {Vec3(0, 0, 9)});  // over by then
  frame.press(0.3, 0.5, kThird, kGround, {Vec3(0, 0, 3)});
  HandMadeSegment& segment = frame.press(0.4, 0.5, kSecond, kGround, {Vec3(0, 0, 2)});
  CarriedForce pin = segment.end[0];
  pin.joint = 0;
  for (std::vector<CarriedForce>* forces : {&segment.start, &segment.middle, &segment.end})
    forces->insert(forces->begin(), pin);
  segment.effects.insert(segment.effects.begin(), ForceEffect{});
  segment.end[1].force = Vec3(0, 0, 5);
  frame.press(0.45, 0.5, kFirst, kGround, {Vec3(0, 0, 1)});
  run.recorder.flown(frame.finish(0.5));
  ASSERT_EQ(run.forces().size(), 4U);
  for (const ForceAt& at : run.forces()) EXPECT_EQ(at.t, 0.5);
  EXPECT_EQ(run.forces()[0].force.a, kFirst);
  EXPECT_EQ(run.forces()[0].force.force, Vec3(0, 0, 1));
  EXPECT_EQ(run.forces()[1].force.a, kSecond);
  EXPECT_EQ(run.forces()[1].force.force, Vec3(0, 0, 5));  // that of the end
  EXPECT_EQ(run.forces()[2].force.a, kThird);
  EXPECT_EQ(run.forces()[3].force.joint, 0);
}

TEST(SegmentRecording, AddsUpWhatContactsCarry) {
  Told run(1);
  HandMadeFrame frame(run.scene, make_start(0));
  frame.press(0.1, 0.3, kFirst, kGround, {Vec3(0, 0, 2)});
  frame.press(0.3, 0.4, kFirst, kGround, {Vec3(1, 0, 0)});
  frame.press(0.2, 0.7, kThird, kSecond, {Vec3(0, 4, 0)});
  run.recorder.flown(frame.finish(0.8));
  const std::vector<CarriedImpulse> carried = run.recorder.carried();
  ASSERT_EQ(carried.size(), 2U);
  EXPECT_NEAR((carried[0].impulse - Vec3(-0.1, 0, -0.4)).norm(), 0, 1e-15);  // on the ground
  EXPECT_EQ(carried[0].first_time, 0.1);
  EXPECT_EQ(carried[0].last_time, 0.4);
  EXPECT_EQ(carried[1].a, kSecond);
  EXPECT_NEAR((carried[1].impulse - Vec3(0, -2, 0)).norm(), 0, 1e-15);
}

TEST(SegmentRecording, CountsEventsAloneWithoutSinks) {
  const Scene scene = make_scene(0.1);
  Recorder recorder(scene);
  recorder.begin(make_start(0));
  HandMadeFrame frame(scene, make_start(0));
  frame.press(0, 0.1, kFirst, kGround, {Vec3(0, 0, 2)});
  frame.tell({.t = 0.1, .kind = EventKind::ContactEnd});
  recorder.flown(frame.finish(0.1));
  EXPECT_EQ(recorder.counters().events[static_cast<std::size_t>(EventKind::ContactEnd)], 1);
  EXPECT_EQ(recorder.next_output(), 2);
  EXPECT_TRUE(recorder.carried().empty());
}

}  // namespace
}  // namespace carom::record
