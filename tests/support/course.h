// Bodies on their own clocks in one scene, frame by frame.
#pragma once

#include "carom/methods/clockwork.h"
#include "support/scenes.h"

namespace carom::support {

struct Course {
  explicit Course(const SceneParts& parts, const methods::ClockOptions& options = {},
                  int threads = 1)
      : scene(build(parts)),
        workers(threads),
        pairs(scene, workers),
        clockwork(scene, workers, pairs, options, impact::Frictional{}, memory),
        state(dynamics::make_initial_state(scene)) {}

  methods::AdvanceResult advance(double t_end) {
    return clockwork.advance(state, t_end, collisions);
  }

  Scene scene;
  base::Workers workers;
  contact::Pairs pairs;
  methods::HopMemory memory;
  methods::Clockwork clockwork;
  State state;
  std::vector<record::Collision> collisions;
};

}  // namespace carom::support
