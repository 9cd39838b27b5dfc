// What a recording is worth when its process is killed or its disk is full.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <limits>
#include <random>
#include <thread>

#include "carom/io/output_error.h"
#include "carom/io/outputs.h"
#include "carom/io/recording.h"
#include "unit/io/recorded_file.h"

namespace {

// Writes that still succeed before the disk is full; the program's own pwrite stands before the
// system's.
int writes_left = std::numeric_limits<int>::max();

}  // namespace

extern "C" ssize_t pwrite(int descriptor, const void* bytes, std::size_t count, off_t offset) {
  if (writes_left-- > 0) return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
  errno = ENOSPC;
  return -1;
}

namespace carom::io {
namespace {

using test::kSceneJson;
using test::make_scene;
using test::record_outputs;
using test::true_checkpoint;
using testing::HasSubstr;

Scene scene_of(std::size_t bodies) {
  Scene scene = make_scene(std::vector<std::string>(bodies, "bead"));
  scene.duration = 10;
  return scene;
}

class Disk {
 public:
  explicit Disk(int writes) { writes_left = writes; }
  ~Disk() { writes_left = std::numeric_limits<int>::max(); }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
};

struct Outcome {
  bool full = false;
  std::size_t checkpoints = 0;  // that returned without a complaint
};

Outcome record_until_full(const std::filesystem::path& path, const Scene& scene, int writes,
                          int outputs) {
  Outcome outcome;
  const Disk disk(writes);
  try {
    RecordingSink sink(path, kSceneJson, "0.1.0");
    sink.begin(scene);
    for (int k = 0; k < outputs; k += 10) {
      record_outputs(sink, scene, k, k + 10, true_checkpoint(scene));
      ++outcome.checkpoints;
    }
    sink.end({});
  } catch (const OutputError& error) {
    outcome.full = true;
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
    EXPECT_THAT(error.what(), HasSubstr("No space left on device"));
  }
  return outcome;
}

void expect_sound_prefix(const record::Trace& trace, const Scene& scene) {
  for (std::size_t k = 0; k < trace.outputs.size(); ++k) {
    const State expected = test::make_state(scene, 0.01 * static_cast<double>(k));
    ASSERT_EQ(trace.outputs[k].t, expected.t);
    const BodyState &body = trace.outputs[k].bodies.back(), &truth = expected.bodies.back();
    ASSERT_EQ(body.x, truth.x);
    ASSERT_EQ(body.q.coeffs(), truth.q.coeffs());
    ASSERT_EQ(body.v, truth.v);
    ASSERT_EQ(body.w, truth.w);
  }
  if (!trace.checkpoint) return;
  ASSERT_EQ(trace.outputs_at_checkpoint, static_cast<std::size_t>(trace.checkpoint->next_output));
  ASSERT_EQ(trace.checkpoint->state.t, 0.01 * static_cast<double>(trace.outputs_at_checkpoint - 1));
}

// The disk stops after the given number of writes: the file must open and hold at least what the
// last successful checkpoint covered. A process killed there leaves the same bytes.
Outcome expect_sound_when_full_after(int writes, const Scene& scene, int outputs) {
  const test::TemporaryFolder folder;
  const auto path = folder / "run.h5";
  const Outcome outcome = record_until_full(path, scene, writes, outputs);
  if (!std::filesystem::exists(path)) return outcome;  // full before there was anything to keep
  const record::Trace trace = read_recording(path);
  EXPECT_GE(trace.outputs_at_checkpoint, 10 * outcome.checkpoints) << writes << " writes";
  EXPECT_GE(trace.outputs.size(), trace.outputs_at_checkpoint);
  expect_sound_prefix(trace, scene);
  return outcome;
}

TEST(Recording, OpensAndKeepsItsCheckpointsWhicheverWriteIsTheLast) {
  const Scene scene = scene_of(300);
  int writes = 0;
  while (expect_sound_when_full_after(writes, scene, 50).full) ++writes;
  EXPECT_GT(writes, 100);  // or the disk was never full
}

// While the file grows; the end of the run writes more.
int writes_of(const Scene& scene, int outputs) {
  constexpr int kPlenty = 1000000;
  const test::TemporaryFolder folder;
  const Disk disk(kPlenty);
  RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0");
  sink.begin(scene);
  record_outputs(sink, scene, 0, outputs, true_checkpoint(scene));
  return kPlenty - writes_left;
}

// HDF5 keeps 64 chunks in a leaf of its index. Here each row of orientations is a chunk: within the
// 65th output the root splits, before the 130th the last leaf does, while rows of it are on disk
// already.
TEST(Recording, OpensAndKeepsItsCheckpointsWhileChunkIndicesSplit) {
  const Scene scene = scene_of(520);
  for (const int outputs : {70, 130}) {
    const int end = writes_of(scene, outputs);
    for (int writes = writes_of(scene, outputs - 10); writes < end; ++writes)
      EXPECT_TRUE(expect_sound_when_full_after(writes, scene, outputs).full);
  }
}

TEST(Recording, ReportsAFileThatMayNotGrow) {
  const test::TemporaryFolder folder;
  const Scene scene = scene_of(300);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2000000, 2000000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      test::record_run(folder / "run.h5", scene, 1000);
    } catch (const OutputError& error) {
      _exit(std::string(error.what()).find("File too large") == std::string::npos ? 2 : 0);
    }
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_GT(read_recording(folder / "run.h5").outputs_at_checkpoint, 0);
}

// Tells the parent through a pipe how many checkpoints have returned.
[[noreturn]] void record_for_ever(const std::filesystem::path& path, const Scene& scene,
                                  int pipe_end) {
  RecordingSink sink(path, kSceneJson, "0.1.0");
  sink.begin(scene);
  for (int k = 0;; k += 10) {
    record_outputs(sink, scene, k, k + 10, true_checkpoint(scene));
    const char done = 1;
    if (write(pipe_end, &done, 1) != 1) _exit(1);
  }
}

std::size_t record_and_kill(const std::filesystem::path& path, const Scene& scene,
                            std::chrono::microseconds delay) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) record_for_ever(path, scene, ends[1]);
  close(ends[1]);
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  std::size_t checkpoints = 0;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    checkpoints += static_cast<std::size_t>(count);
  close(ends[0]);
  return checkpoints;
}

TEST(Recording, OpensAndKeepsItsCheckpointsWhenTheProcessIsKilled) {
  const test::TemporaryFolder folder;
  const Scene scene = scene_of(300);
  std::mt19937 random(1);
  std::size_t total = 0;
  // A busy machine gets less done before it is killed: it is given more rounds, and longer ones.
  for (int round = 0; round < 60 || (total <= 60 && round < 1000); ++round) {
    const auto path = folder / ("run" + std::to_string(round) + ".h5");
    const auto longest = static_cast<unsigned>(40000 * (1 + round / 60));
    const std::size_t checkpoints =
        record_and_kill(path, scene, std::chrono::microseconds(random() % longest));
    total += checkpoints;
    if (!std::filesystem::exists(path)) continue;  // killed before there was anything to keep
    const record::Trace trace = read_recording(path);
    ASSERT_GE(trace.outputs_at_checkpoint, 10 * checkpoints);
    expect_sound_prefix(trace, scene);
  }
  EXPECT_GT(total, 60);
}

}  // namespace
}  // namespace carom::io
