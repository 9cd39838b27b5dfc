// A made-up run as a recording sees it: outputs, forces, events, checkpoints.
#pragma once

#include "carom/io/outputs.h"
#include "carom/io/recording.h"
#include "unit/io/recorded_run.h"

namespace carom::test {

inline constexpr const char* kSceneJson = R"({"carom": 1, "name": "made up"})";

inline Scene two_bodies() {
  Scene scene = make_scene({"ground", "ball"});
  scene.duration = 3;
  return scene;
}

// Outputs k·0.01 for k in [first, last), with k % 3 events before each, two forces (every second
// time, of those scenes that have two bodies) and a checkpoint after every tenth, as
// `checkpoint_at` makes it.
template <typename MakeCheckpoint>
void record_outputs(record::Sink& sink, const Scene& scene, int first, int last,
                    MakeCheckpoint checkpoint_at) {
  for (int k = first; k < last; ++k) {
    for (int i = 0; i < k % 3; ++i) sink.event(make_event(0.01 * k - 0.001 * i));
    sink.output(make_state(scene, 0.01 * k));
    if (k % 2 == 0 && scene.bodies.size() > 1) sink.forces(0.01 * k, make_forces(0.01 * k));
    if (k % 10 == 9) sink.checkpoint(checkpoint_at(k));
  }
}

inline auto true_checkpoint(const Scene& scene) {
  return
      [&scene](int k) { return make_checkpoint(make_state(scene, 0.01 * k), k + 1, k / 10 + 1); };
}

inline void record_run(const std::filesystem::path& path, const Scene& scene, int outputs) {
  io::RecordingSink sink(path, kSceneJson, "0.1.0");
  sink.begin(scene);
  record_outputs(sink, scene, 0, outputs, true_checkpoint(scene));
  sink.end({});
}

}  // namespace carom::test
