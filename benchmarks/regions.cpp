// Many heaps that know nothing of each other, on clocks of their own: frames in regions, one thread
// beside two.
#include <benchmark/benchmark.h>

#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace {

using namespace carom;

// Boxes that tumble into a small heap, 64 times, no two alike.
Scene make_heaps() {
  support::SceneParts parts{.between = {.restitution = 0.3, .friction = 0.5},
                            .bodies = {support::make_ground()},
                            .method = {"microcollision", {{"epsilon", 1e-3}}},
                            .duration = 0.5};
  constexpr int kHeaps = 64, kBoxes = 4;
  for (int i = 0; i < kHeaps * kBoxes; ++i) {
    const int heap = i / kBoxes, level = i % kBoxes;
    const Vec3 middle(6 * (heap % 8), 6 * (heap / 8), 0);
    model::BodySpec box =
        support::make_box("box" + std::to_string(i), Vec3(0.8, 1, 0.6),
                          middle + Vec3(0.1 * (level % 2), 0.01 * heap, 0.4 + 0.7 * level));
    box.angular_velocity = Vec3(0.3 * level, 0.02 * heap, 0.5);
    parts.bodies.push_back(box);
  }
  return support::build(parts);
}

void run_heaps(benchmark::State& state, int threads) {
  const Scene scene = make_heaps();
  std::int64_t collisions = 0;
  for (auto _ : state) {
    simulation::Simulation simulation(scene, {.threads = threads, .audit = false});
    const record::Summary summary = simulation.run();
    collisions += summary.counters.impact_iterations_total;
  }
  state.counters["collisions_per_second"] =
      benchmark::Counter(static_cast<double>(collisions), benchmark::Counter::kIsRate);
}

void heaps_one_thread(benchmark::State& state) { run_heaps(state, 1); }
void heaps_two_threads(benchmark::State& state) { run_heaps(state, 2); }

BENCHMARK(heaps_one_thread)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(heaps_two_threads)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
