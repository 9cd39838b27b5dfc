#include "carom/io/recording.h"

#include <gmock/gmock.h>

#include "carom/base/diagnostics.h"
#include "carom/io/output_error.h"
#include "carom/io/outputs.h"
#include "unit/io/recorded_file.h"

namespace carom::io {
namespace {

using test::kSceneJson;
using test::record_outputs;
using test::record_run;
using test::true_checkpoint;
using test::two_bodies;
using testing::HasSubstr;

void expect_equal(const State& a, const State& b) {
  EXPECT_EQ(a.t, b.t);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].x, b.bodies[i].x);
    EXPECT_EQ(a.bodies[i].q.coeffs(), b.bodies[i].q.coeffs());
    EXPECT_EQ(a.bodies[i].v, b.bodies[i].v);
    EXPECT_EQ(a.bodies[i].w, b.bodies[i].w);
  }
}

void expect_equal(const record::ContactEvent& a, const record::ContactEvent& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.a, b.a);
  EXPECT_EQ(a.b, b.b);
  EXPECT_EQ(a.point, b.point);
  EXPECT_EQ(a.normal, b.normal);
  EXPECT_EQ(a.approach_speed, b.approach_speed);
  EXPECT_EQ(a.separation_speed, b.separation_speed);
  EXPECT_EQ(a.impulse, b.impulse);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.lineality, b.lineality);
}

void expect_equal(const record::ForceAt& a, const record::ForceAt& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.force.joint, b.force.joint);
  EXPECT_EQ(a.force.a, b.force.a);
  EXPECT_EQ(a.force.b, b.force.b);
  EXPECT_EQ(a.force.point, b.force.point);
  EXPECT_EQ(a.force.force, b.force.force);
  EXPECT_EQ(a.force.torque, b.force.torque);
}

void expect_equal(const record::Checkpoint& a, const record::Checkpoint& b) {
  expect_equal(a.state, b.state);
  EXPECT_EQ(a.next_output, b.next_output);
  EXPECT_EQ(a.memory, b.memory);
  EXPECT_EQ(a.sequence, b.sequence);
  EXPECT_EQ(a.counters.steps, b.counters.steps);
  EXPECT_EQ(a.counters.events, b.counters.events);
  EXPECT_EQ(a.counters.impact_iterations_total, b.counters.impact_iterations_total);
  EXPECT_EQ(a.counters.impact_iterations_max, b.counters.impact_iterations_max);
  EXPECT_EQ(a.counters.lineality_detected, b.counters.lineality_detected);
  EXPECT_EQ(a.counters.lineality_dimension_max, b.counters.lineality_dimension_max);
}

TEST(Recording, GivesBackWhatWasRecorded) {
  const test::TemporaryFolder folder;
  const Scene scene = two_bodies();
  record_run(folder / "run.h5", scene, 2500);  // more rows than a chunk holds
  record::TraceSink expected;
  record_outputs(expected, scene, 0, 2500, true_checkpoint(scene));

  const record::Trace trace = read_recording(folder / "run.h5");
  EXPECT_EQ(trace.scene_json, kSceneJson);
  ASSERT_EQ(trace.outputs.size(), 2500);
  for (std::size_t k = 0; k < 2500; ++k)
    expect_equal(trace.outputs[k], expected.trace().outputs[k]);
  EXPECT_EQ(trace.events_before, expected.trace().events_before);
  ASSERT_EQ(trace.events.size(), expected.trace().events.size());
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    expect_equal(trace.events[i], expected.trace().events[i]);
  ASSERT_EQ(trace.forces.size(), 2500);
  for (std::size_t i = 0; i < trace.forces.size(); ++i)
    expect_equal(trace.forces[i], expected.trace().forces[i]);
  ASSERT_TRUE(trace.checkpoint);
  expect_equal(*trace.checkpoint, *expected.trace().checkpoint);
  EXPECT_EQ(trace.outputs_at_checkpoint, expected.trace().outputs_at_checkpoint);
  EXPECT_EQ(trace.events_at_checkpoint, expected.trace().events_at_checkpoint);
}

TEST(Recording, HasNoCheckpointBeforeTheFirst) {
  const test::TemporaryFolder folder;
  record_run(folder / "run.h5", two_bodies(), 5);
  const record::Trace trace = read_recording(folder / "run.h5");
  EXPECT_EQ(trace.outputs.size(), 5);
  EXPECT_FALSE(trace.checkpoint);
}

TEST(Recording, HoldsAnEmptyScene) {
  const test::TemporaryFolder folder;
  const Scene scene = test::make_scene({});
  RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0");
  sink.begin(scene);
  sink.output(test::make_state(scene, 0));
  sink.checkpoint(test::make_checkpoint(test::make_state(scene, 0), 1, 1));
  sink.end({});
  const record::Trace trace = read_recording(folder / "run.h5");
  EXPECT_EQ(trace.outputs.size(), 1);
  EXPECT_TRUE(trace.checkpoint);
}

TEST(Recording, HoldsAnAuditOfAnySize) {
  const test::TemporaryFolder folder;
  const Scene scene = two_bodies();
  RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0");
  sink.begin(scene);
  record::Checkpoint checkpoint = true_checkpoint(scene)(9);
  for (const std::size_t bytes : {0, 100000, 3, 5000000, 7}) {
    checkpoint.memory.assign(bytes, 'x');
    sink.checkpoint(checkpoint);
    EXPECT_EQ(read_recording(folder / "run.h5").checkpoint.value().memory, checkpoint.memory);
    ++checkpoint.sequence;
  }
}

TEST(Recording, HoldsManyBodies) {
  const test::TemporaryFolder folder;
  const Scene scene = test::make_scene(std::vector<std::string>(5000, "bead"));
  record_run(folder / "run.h5", scene, 12);  // each row a chunk of its own
  const record::Trace trace = read_recording(folder / "run.h5");
  ASSERT_EQ(trace.outputs.size(), 12);
  expect_equal(trace.outputs[11], test::make_state(scene, 0.01 * 11));
  expect_equal(trace.checkpoint->state, test::make_state(scene, 0.01 * 9));
}

TEST(Recording, IsTheSameBytesEveryTime) {
  const test::TemporaryFolder folder;
  record_run(folder / "a.h5", two_bodies(), 1234);
  record_run(folder / "b.h5", two_bodies(), 1234);
  EXPECT_TRUE(test::bytes_of(folder / "a.h5") == test::bytes_of(folder / "b.h5"));
}

std::vector<record::CarriedForce> forces_of(const record::Trace& trace, std::size_t pair) {
  return {trace.forces[2 * pair].force, trace.forces[2 * pair + 1].force};
}

// A resumed run knows the last checkpoint alone; where the earlier ones stood between the rows, and
// what they held, must leave no trace.
class ResumedRecording : public testing::TestWithParam<int> {};

TEST_P(ResumedRecording, IsTheSameBytesAsTheUninterruptedOne) {
  const test::TemporaryFolder folder;
  const Scene scene = two_bodies();
  const int outputs = 1234;
  const int resumed_at = GetParam();
  record_run(folder / "whole.h5", scene, outputs);
  record::TraceSink past;
  record_outputs(past, scene, 0, resumed_at, true_checkpoint(scene));
  {
    RecordingSink sink(folder / "resumed.h5", kSceneJson, "0.1.0");
    sink.begin(scene);
    std::size_t event = 0;
    for (std::size_t k = 0; k < past.trace().outputs.size(); ++k) {
      while (event < past.trace().events_before[k]) sink.event(past.trace().events[event++]);
      sink.output(past.trace().outputs[k]);
      if (k % 2 == 0) sink.forces(past.trace().outputs[k].t, forces_of(past.trace(), k / 2));
    }
    sink.checkpoint(*past.trace().checkpoint);
    record_outputs(sink, scene, resumed_at, outputs, true_checkpoint(scene));
    sink.end({});
  }
  EXPECT_TRUE(test::bytes_of(folder / "whole.h5") == test::bytes_of(folder / "resumed.h5"));
}

TEST_P(ResumedRecording, IsTheSameBytesWhenEarlierCheckpointsAreReplayedFirst) {
  const test::TemporaryFolder folder;
  const Scene scene = two_bodies();
  const int resumed_at = GetParam();
  const record::Checkpoint last = true_checkpoint(scene)(resumed_at - 1);
  record_run(folder / "whole.h5", scene, resumed_at);
  {
    RecordingSink sink(folder / "resumed.h5", kSceneJson, "0.1.0");
    sink.begin(scene);
    for (std::int64_t i = 1; i < last.sequence; ++i) sink.checkpoint(last);
    record_outputs(sink, scene, 0, resumed_at, [&](int) { return last; });
    sink.end({});
  }
  EXPECT_TRUE(test::bytes_of(folder / "whole.h5") == test::bytes_of(folder / "resumed.h5"));
}

INSTANTIATE_TEST_SUITE_P(At, ResumedRecording, testing::Values(10, 20, 600, 690, 1220, 1230));

TEST(Recording, CanBeReadWhileTheRunGoesOn) {
  const test::TemporaryFolder folder;
  const Scene scene = two_bodies();
  RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0");
  sink.begin(scene);
  EXPECT_EQ(read_recording(folder / "run.h5").outputs.size(), 0);
  record_outputs(sink, scene, 0, 25, true_checkpoint(scene));
  const record::Trace trace = read_recording(folder / "run.h5");
  EXPECT_GE(trace.outputs.size(), 20);
  EXPECT_EQ(trace.outputs_at_checkpoint, 20);
}

TEST(Recording, LeavesAnOlderFileAloneUntilTheRunHasEnded) {
  const test::TemporaryFolder folder;
  const Scene scene = two_bodies();
  record_run(folder / "run.h5", scene, 5);
  const std::string before = test::bytes_of(folder / "run.h5");
  RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0");
  sink.begin(scene);
  record_outputs(sink, scene, 0, 25, true_checkpoint(scene));
  EXPECT_TRUE(test::bytes_of(folder / "run.h5") == before);
  EXPECT_EQ(read_recording(folder / "run.h5.partial").outputs_at_checkpoint, 20);
  sink.end({});
  EXPECT_EQ(read_recording(folder / "run.h5").outputs.size(), 25);
  EXPECT_FALSE(std::filesystem::exists(folder / "run.h5.partial"));
  EXPECT_FALSE(std::filesystem::exists(folder / "run.h5.packed"));
}

TEST(Recording, CarriesTheFilesOfItsScene) {
  const test::TemporaryFolder folder;
  const Scene scene = two_bodies();
  const std::vector<record::SceneFile> files = {{"meshes/floor.obj", std::string("v 0\0 0", 6)},
                                                {"empty.stl", ""}};
  RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0", files);
  sink.begin(scene);
  record_outputs(sink, scene, 0, 10, true_checkpoint(scene));
  const auto expect_files = [&] {
    const record::Trace trace = read_recording(folder / "run.h5");
    ASSERT_EQ(trace.scene_files.size(), 2);
    EXPECT_EQ(trace.scene_files[0].name, files[0].name);
    EXPECT_EQ(trace.scene_files[0].bytes, files[0].bytes);
    EXPECT_EQ(trace.scene_files[1].name, files[1].name);
    EXPECT_EQ(trace.scene_files[1].bytes, "");
    EXPECT_EQ(trace.version, "0.1.0");
  };
  expect_files();
  sink.end({});
  expect_files();
}

TEST(Recording, LeavesAnOlderFileAloneUntilItCanBeOpened) {
  const test::TemporaryFolder folder;
  record_run(folder / "run.h5", two_bodies(), 5);
  const std::string before = test::bytes_of(folder / "run.h5");
  {
    const RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0");
  }
  EXPECT_TRUE(test::bytes_of(folder / "run.h5") == before);
  EXPECT_FALSE(std::filesystem::exists(folder / "run.h5.partial"));
}

TEST(Recording, ReportsAMissingFolder) {
  try {
    const RecordingSink sink("/nonexistent-folder/run.h5", kSceneJson, "0.1.0");
    FAIL();
  } catch (const OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent-folder/run.h5: No such file or directory"));
  }
}

std::string complaint_about(const std::filesystem::path& path) {
  try {
    (void)read_recording(path);
  } catch (const base::BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(ReadRecording, RefusesWhatIsNoRecording) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "text.h5") << "no HDF5 at all";
  EXPECT_THAT(complaint_about(folder / "text.h5"), HasSubstr("text.h5"));
  EXPECT_THAT(complaint_about(folder / "text.h5"), HasSubstr("expected a carom recording"));
  EXPECT_THAT(complaint_about(folder / "missing.h5"), HasSubstr("missing.h5"));
}

TEST(ReadRecording, RefusesATruncatedFile) {
  const test::TemporaryFolder folder;
  record_run(folder / "run.h5", two_bodies(), 100);
  const auto size = std::filesystem::file_size(folder / "run.h5");
  for (const auto part : {size - 1, size / 2, std::uintmax_t{96}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(folder / "run.h5", part);
    EXPECT_NE(complaint_about(folder / "run.h5"), "") << part << " bytes";
  }
}

}  // namespace
}  // namespace carom::io
