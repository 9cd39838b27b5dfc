// Runs are functions of their scene: the same bytes again, for any number of threads, and in two
// halves.
#include "carom/simulation/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carom/base/diagnostics.h"
#include "carom/io/scene_file.h"
#include "carom/methods/registry.h"
#include "support/same_bits.h"
#include "support/scenes.h"

namespace carom::simulation {
namespace {

using record::Trace;
using support::expect_same;

io::LoadedScene load(const std::string& name, const std::vector<io::Override>& overrides) {
  return io::load_scene(std::string(CAROM_SOURCE_DIR) + "/scenes/" + name, overrides,
                        methods::catalog());
}

struct Ran {
  Trace trace;
  record::Summary summary;
};

Ran run(const Scene& scene, const RunOptions& options = {}) {
  Simulation simulation(scene, options);
  record::TraceSink sink;
  simulation.add(sink);
  const record::Summary summary = simulation.run();
  return {sink.trace(), summary};
}

TEST(Simulation, GivesTheSameBitsAgainAndForAnyNumberOfThreads) {
  const io::LoadedScene loaded = load("break.json", {{"/duration", "1"}});
  const Ran first = run(loaded.scene);
  EXPECT_TRUE(first.summary.finished) << first.summary.reason.value_or("");
  EXPECT_GT(first.trace.events.size(), 50U);
  expect_same(first.trace, run(loaded.scene).trace);
  expect_same(first.trace, run(loaded.scene, {.threads = 2}).trace);
}

TEST(Simulation, RunsTheSameWithoutAnAudit) {
  const io::LoadedScene loaded = load("break.json", {{"/duration", "0.2"}});
  const Ran audited = run(loaded.scene), bare = run(loaded.scene, {.audit = false});
  EXPECT_GT(audited.summary.audit.energy_initial, 0);
  EXPECT_EQ(bare.summary.audit.energy_initial, 0);
  expect_same(audited.trace, bare.trace);
}

// Sets the stop flag when the run has come so far.
class StopAt : public record::Sink {
 public:
  StopAt(double t, std::atomic<bool>& stop) : t_(t), stop_(stop) {}
  void output(const State& state) override {
    if (state.t >= t_) stop_ = true;
  }

 private:
  double t_;
  std::atomic<bool>& stop_;
};

TEST(Simulation, GoesOnFromAStopBitForBit) {
  for (const char* name : {"break.json", "bouncing-ball.json", "resting-box.json"}) {
    const io::LoadedScene loaded = load(name, {{"/duration", "0.8"}});
    const Ran whole = run(loaded.scene);
    base::Watch watch;
    StopAt stopper(0.43, watch.stop);
    record::TraceSink half;
    Simulation interrupted(loaded.scene, {.watch = &watch});
    interrupted.add(stopper);
    interrupted.add(half);
    const record::Summary stopped = interrupted.run();
    EXPECT_FALSE(stopped.finished);
    EXPECT_LT(stopped.simulated_seconds, 0.5);
    Simulation resumed(loaded.scene);
    record::TraceSink rest;
    resumed.add(rest);
    const record::Summary finished = resumed.resume(half.trace());
    expect_same(whole.trace, rest.trace());
    EXPECT_EQ(finished.counters.steps, whole.summary.counters.steps) << name;
    EXPECT_EQ(finished.audit.energy_final, whole.summary.audit.energy_final) << name;
    EXPECT_EQ(finished.audit.max_penetration, whole.summary.audit.max_penetration) << name;
    EXPECT_EQ(finished.audit.momentum_error, whole.summary.audit.momentum_error) << name;
  }
}

// Sets the stop flag at an event, which is in the middle of a step.
class StopAtEvent : public record::Sink {
 public:
  StopAtEvent(int event, base::Watch& watch) : left_(event), watch_(watch) {}
  void event(const record::ContactEvent&) override {
    if (--left_ == 0) watch_.stop = true;
  }

 private:
  int left_;
  base::Watch& watch_;
};

TEST(Simulation, GoesOnFromAStopInMidStepBitForBit) {
  const io::LoadedScene loaded =
      load("break.json", {{"/duration", "0.8"}, {"/method/step", "0.1"}});
  const Ran whole = run(loaded.scene);
  for (const int event : {1, 20, 60}) {
    base::Watch watch;
    StopAtEvent stopper(event, watch);
    record::TraceSink part, rest;
    Simulation interrupted(loaded.scene, {.watch = &watch});
    interrupted.add(stopper);
    interrupted.add(part);
    const record::Summary stopped = interrupted.run();
    EXPECT_FALSE(stopped.finished);
    EXPECT_THAT(stopped.reason.value_or(""), testing::HasSubstr("on request at t = "));
    EXPECT_LT(part.trace().events.size(), whole.trace.events.size());
    EXPECT_EQ(part.trace().outputs.back().t, stopped.simulated_seconds);
    Simulation resumed(loaded.scene);
    resumed.add(rest);
    EXPECT_TRUE(resumed.resume(part.trace()).finished);
    expect_same(whole.trace, rest.trace());
  }
}

TEST(Simulation, EndsExactlyAtItsDuration) {
  const io::LoadedScene loaded =
      load("resting-box.json", {{"/duration", "0.1234"}, {"/method/step", "0.01"}});
  const Ran ran = run(loaded.scene);
  EXPECT_TRUE(ran.summary.finished);
  EXPECT_EQ(ran.summary.simulated_seconds, 0.1234);
  EXPECT_EQ(ran.summary.counters.steps, 13);
  EXPECT_EQ(ran.trace.outputs.back().t, 0.1234);
}

TEST(Simulation, SaysWhyItCouldNotGoOn) {
  const io::LoadedScene loaded = load("resting-box.json", {{"/method/name", "\"naive\""}});
  const Ran ran = run(loaded.scene);
  EXPECT_FALSE(ran.summary.finished);
  ASSERT_TRUE(ran.summary.reason);
  for (const char* word : {"t = 0", "box", "ground", "Zeno"}) {
    EXPECT_NE(ran.summary.reason->find(word), std::string::npos) << *ran.summary.reason;
  }
}

TEST(Simulation, RefusesBodiesThatOverlapAtTheStart) {
  const io::LoadedScene loaded = load("resting-box.json", {{"/bodies/1/position/2", "0.4"}});
  try {
    Simulation simulation(loaded.scene);
    FAIL() << "it starts 0.1 m deep in the ground";
  } catch (const base::BadInput& bad) {
    EXPECT_NE(std::string(bad.what()).find("box"), std::string::npos) << bad.what();
    EXPECT_NE(std::string(bad.what()).find("0.1"), std::string::npos) << bad.what();
  }
}

TEST(Simulation, StopsWithTheLastGoodStateWhenNumbersOverflow) {
  support::SceneParts parts{.bodies = {support::make_ball("ball", 0.1, Vec3::Zero())},
                            .method = support::zeno_free(1),
                            .duration = 100};
  Scene scene = support::build(parts);
  scene.gravity = Vec3(0, 0, 1e307);  // which no scene is built with
  const Ran ran = run(scene);
  EXPECT_FALSE(ran.summary.finished);
  ASSERT_TRUE(ran.summary.reason);
  EXPECT_NE(ran.summary.reason->find("finite"), std::string::npos) << *ran.summary.reason;
  EXPECT_TRUE(dynamics::is_finite(ran.trace.outputs.back()));
}

TEST(Simulation, TellsItsVersion) {
  EXPECT_FALSE(version().empty());
  EXPECT_EQ(run(load("resting-box.json", {{"/duration", "0.01"}}).scene).summary.version,
            version());
}

}  // namespace
}  // namespace carom::simulation
