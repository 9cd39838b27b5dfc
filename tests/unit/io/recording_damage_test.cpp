// Bits that change in a recording after it was written.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "carom/base/diagnostics.h"
#include "unit/io/recorded_file.h"

namespace carom::io {
namespace {

using test::kSceneJson;
using testing::HasSubstr;

// What a resumed run depends on, as text that is equal only where every bit is.
std::string covered_by_checkpoint(const record::Trace& trace) {
  if (!trace.checkpoint) return "no checkpoint";
  std::string bytes = trace.version + trace.scene_json + trace.checkpoint->memory;
  const auto add = [&bytes](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const auto add_state = [&](const State& state) {
    add(state.t);
    for (const BodyState& body : state.bodies) {
      for (const double* part : {body.x.data(), body.v.data(), body.w.data()})
        for (int k = 0; k < 3; ++k) add(part[k]);
      for (int k = 0; k < 4; ++k) add(body.q.coeffs()[k]);
    }
  };
  add_state(trace.checkpoint->state);
  add(trace.checkpoint->next_output);
  add(trace.checkpoint->counters.steps);
  for (std::size_t k = 0; k < trace.outputs_at_checkpoint; ++k) add_state(trace.outputs[k]);
  for (std::size_t k = 0; k < trace.events_at_checkpoint; ++k) {
    add(trace.events[k].t);
    add(trace.events[k].kind);
    add(trace.events[k].impulse.z());
  }
  return bytes;
}

enum Outcome { kNoticed = 10, kHarmless, kUnnoticed };

// Apart from this process, since HDF5 itself may fall over damaged tables.
int read_apart(const std::filesystem::path& path, const std::string& truth) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(covered_by_checkpoint(read_recording(path)) == truth ? kHarmless : kUnnoticed);
    } catch (const base::BadInput&) {
      _exit(kNoticed);
    } catch (...) {
      _exit(1);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

struct Counts {
  int noticed = 0, harmless = 0;
};

Counts flip_bits(const std::filesystem::path& path, int flips) {
  const std::string truth = covered_by_checkpoint(read_recording(path));
  const std::string whole = test::bytes_of(path);
  std::mt19937 random(3);
  Counts counts;
  for (int i = 0; i < flips; ++i) {
    std::string damaged = whole;
    const std::size_t at = random() % whole.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    std::ofstream(path, std::ios::binary) << damaged;
    const int outcome = read_apart(path, truth);
    EXPECT_TRUE(outcome == kNoticed || outcome == kHarmless) << "byte " << at << ": " << outcome;
    counts.noticed += outcome == kNoticed ? 1 : 0;
    counts.harmless += outcome == kHarmless ? 1 : 0;
  }
  return counts;
}

// A kilobyte or more of memory, so that bits of it are hit.
auto with_memory(const Scene& scene) {
  return [&scene](int k) {
    record::Checkpoint checkpoint = test::true_checkpoint(scene)(k);
    checkpoint.memory += std::string(4000, 'm');
    return checkpoint;
  };
}

TEST(DamagedRecording, IsNoticedWhereARunWasKilled) {
  const test::TemporaryFolder folder;
  const Scene scene = test::make_scene({"ground", "ball"});
  RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0");
  sink.begin(scene);
  test::record_outputs(sink, scene, 0, 100, with_memory(scene));
  std::filesystem::copy(folder / "run.h5", folder / "killed.h5");
  EXPECT_GT(flip_bits(folder / "killed.h5", 400).noticed, 40);
}

TEST(DamagedRecording, IsNoticedWhereARunHasEnded) {
  const test::TemporaryFolder folder;
  const Scene scene = test::make_scene({"ground", "ball"});
  {
    RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0");
    sink.begin(scene);
    test::record_outputs(sink, scene, 0, 400, with_memory(scene));
    sink.end({});
  }
  EXPECT_GT(flip_bits(folder / "run.h5", 400).noticed, 200);
}

TEST(DamagedRecording, IsToldByTheNameOfWhatIsDamaged) {
  const test::TemporaryFolder folder;
  const Scene scene = test::make_scene({"ground", "ball"});
  RecordingSink sink(folder / "run.h5", kSceneJson, "0.1.0");
  sink.begin(scene);
  test::record_outputs(sink, scene, 0, 10, test::true_checkpoint(scene));
  std::string bytes = test::bytes_of(folder / "run.h5");
  const Vec3 mark = test::make_state(scene, 0.01 * 7).bodies[1].x;  // stands there once, in row 7
  const std::string_view needle(reinterpret_cast<const char*>(mark.data()), sizeof(double));
  const std::size_t at = bytes.find(needle);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(folder / "damaged.h5", std::ios::binary) << bytes;
  try {
    (void)read_recording(folder / "damaged.h5");
    FAIL();
  } catch (const base::BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("damaged.h5"));
    EXPECT_THAT(error.what(), HasSubstr("/states/position: found damage"));
  }
}

}  // namespace
}  // namespace carom::io
