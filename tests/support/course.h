// Bodies on their own clocks in one scene, frame by frame.
#pragma once

#include "carom/methods/microcollision/parallel_regions.h"
#include "support/scenes.h"

namespace carom::support {

struct Course {
  explicit Course(const SceneParts& parts, const methods::ClockOptions& options = {},
                  int threads = 1)
      : scene(build(parts)),
        workers(threads),
        recorder(scene),
        context(scene, workers, recorder),
        regions(context, options, impact::Frictional{}, memory),
        state(dynamics::make_initial_state(scene)) {}

  methods::AdvanceResult advance(double t_end) { return regions.advance(state, t_end, collisions); }

  Scene scene;
  base::Workers workers;
  record::Recorder recorder;
  methods::StepContext context;
  methods::MicrocollisionMemory memory;
  methods::ParallelRegions regions;
  State state;
  std::vector<record::Collision> collisions;
};

}  // namespace carom::support
