// Elastic contacts: the break of sixteen balls as published and softened, and balls that drop into
// a box, whose cost goes with how many touch.
#include <benchmark/benchmark.h>

#include "carom/base/random.h"
#include "carom/io/scene_file.h"
#include "carom/methods/registry.h"
#include "carom/simulation/simulation.h"
#include "support/scenes.h"

namespace {

using namespace carom;

void run_break(benchmark::State& state, const std::string& reduction) {
  const std::vector<io::Override> overrides = {{"/method/reduction", reduction}};
  const io::LoadedScene loaded =
      io::load_scene(std::string(CAROM_SOURCE_DIR) + "/papers/neumayr-otter/break.json", overrides,
                     methods::catalog());
  double simulated = 0;
  for (auto _ : state) simulated += simulation::Simulation(loaded.scene).run().simulated_seconds;
  state.counters["real_time_factor"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
}

void elastic_break(benchmark::State& state) { run_break(state, "1"); }
void elastic_break_softened(benchmark::State& state) { run_break(state, "1e-4"); }

// Balls of 2 cm radius in rows of five or ten, none quite in line, above the floor of a box.
Scene make_box_of_balls(int count, double duration) {
  constexpr double kRadius = 0.02, kApart = 0.05, kJitter = 0.004;
  const int wide = count >= 1000 ? 10 : 5;
  const double half = 0.5 * kApart * wide;
  support::SceneParts parts{.between = {.restitution = 0.5, .friction = 0.3},
                            .bodies = {support::make_ground()},
                            .method = {"elastic", {{"tolerance", 1e-5}}},
                            .duration = duration};
  for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
    parts.bodies.push_back(
        support::make_plane("wall" + std::to_string(parts.bodies.size()), normal, -half));
  base::Random random(1);
  const auto off = [&] { return random.uniform(-kJitter, kJitter) / 2; };
  for (int i = 0; i < count; ++i) {
    const Vec3 cell(i % wide, i / wide % wide, i / (wide * wide));
    const Vec3 place = kApart * cell + Vec3(0.5 * kApart - half, 0.5 * kApart - half, 0.03);
    model::BodySpec ball =
        support::make_ball("ball" + std::to_string(i), kRadius, place + Vec3(off(), off(), off()));
    ball.mass = 0.084;
    parts.bodies.push_back(ball);
  }
  return support::build(parts);
}

void elastic_balls_in_a_box(benchmark::State& state) {
  const Scene scene = make_box_of_balls(static_cast<int>(state.range(0)),
                                        1e-3 * static_cast<double>(state.range(1)));
  std::int64_t contacts = 0, steps = 0;
  for (auto _ : state) {
    simulation::Simulation simulation(scene, {.audit = false});
    const record::Summary summary = simulation.run();
    contacts = summary.counters.events[static_cast<std::size_t>(record::EventKind::ContactBegin)];
    steps = summary.elastic.steps;
  }
  state.counters["contacts"] = static_cast<double>(contacts);
  state.counters["steps"] = static_cast<double>(steps);
}

BENCHMARK(elastic_break)->Unit(benchmark::kMillisecond);
BENCHMARK(elastic_break_softened)->Unit(benchmark::kMillisecond);
BENCHMARK(elastic_balls_in_a_box)
    ->ArgNames({"balls", "ms"})
    ->ArgsProduct({{200, 1000}, {80, 140}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
