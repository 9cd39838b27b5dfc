// The simulation that a LiveSimulation has at the moment, and what hears of it.
#pragma once

#include <utility>

#include "live_simulation.h"

namespace carom::cli {

struct LiveSimulation::Running {
  Running(io::LoadedScene loaded_in, double start_in, Scene scene,
          const simulation::RunOptions& options)
      : loaded(std::move(loaded_in)),
        start(start_in),
        data(start_in),
        simulation(std::move(scene), options) {
    simulation.add(data);
  }

  io::LoadedScene loaded;
  double start;       // s; where it took over
  io::PageData data;  // before the simulation, which tells it
  simulation::Simulation simulation;
};

}  // namespace carom::cli
