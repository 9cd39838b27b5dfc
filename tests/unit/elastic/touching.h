// A scene whose pairs in contact tests look at, with a state they may change.
#pragma once

#include "carom/elastic/contact_loads.h"
#include "support/scenes.h"

namespace carom::elastic {

struct Touching {
  static constexpr double kReach = 4;  // m

  explicit Touching(Scene of)
      : scene(std::move(of)),
        workers(1),
        pairs(scene, workers),
        dictionary(scene, pairs),
        state(dynamics::make_initial_state(scene)) {}

  // As at an event, with everything near watched.
  void select() {
    watch(kReach);
    dictionary.select(state, changes);
    std::int32_t slot = 0;
    for (Touch& touch : dictionary.touches()) touch.slot = slot++;
  }
  void watch(double reach) {
    dictionary.watch(state, std::vector<double>(state.bodies.size(), reach));
  }
  BodyState& operator[](std::size_t body) { return state.bodies[body]; }

  Scene scene;
  base::Workers workers;
  contact::Pairs pairs;
  ContactDictionary dictionary;
  State state;
  std::vector<Change> changes;
};

}  // namespace carom::elastic
