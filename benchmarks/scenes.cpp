// Whole scenes: one iteration is one run of the scene, quiet and unrecorded. The rival that each is
// measured against stands beside it, with the same name and its own suffix.
#include <benchmark/benchmark.h>

#include "carom/io/scene_file.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"

namespace {

using namespace carom;

io::LoadedScene load(const std::string& name, std::vector<io::Override> overrides = {}) {
  return io::load_scene(std::string(CAROM_SOURCE_DIR) + "/scenes/" + name, overrides,
                        methods::catalog());
}

void run_scene(benchmark::State& state, const io::LoadedScene& loaded, int threads = 1) {
  double simulated = 0;
  for (auto _ : state) {
    simulation::Simulation simulation(loaded.scene, {.threads = threads});
    simulated += simulation.run().simulated_seconds;
  }
  state.counters["real_time_factor"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
}

void resting_box_exact(benchmark::State& state) { run_scene(state, load("resting-box.json")); }
void resting_box_euler(benchmark::State& state) {
  run_scene(state, load("resting-box.json", {{"/method/integrator", "euler"}}));
}
void bouncing_ball_exact(benchmark::State& state) { run_scene(state, load("bouncing-ball.json")); }
void bouncing_ball_euler(benchmark::State& state) {
  run_scene(state, load("bouncing-ball.json", {{"/method/integrator", "euler"}}));
}
void break_one_thread(benchmark::State& state) { run_scene(state, load("break.json"), 1); }
void break_two_threads(benchmark::State& state) { run_scene(state, load("break.json"), 2); }

BENCHMARK(resting_box_exact)->Unit(benchmark::kMillisecond);
BENCHMARK(resting_box_euler)->Unit(benchmark::kMillisecond);
BENCHMARK(bouncing_ball_exact)->Unit(benchmark::kMillisecond);
BENCHMARK(bouncing_ball_euler)->Unit(benchmark::kMillisecond);
BENCHMARK(break_one_thread)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(break_two_threads)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
