// A scene whose pairs in contact tests look at, with a state they may change. All bodies that move
// freely are one cluster.
#pragma once

#include "carom/methods/elastic/contact_dictionary.h"
#include "carom/methods/elastic/contact_loads.h"
#include "support/scenes.h"

namespace carom::methods {

struct Touching {
  static constexpr double kReach = 4;  // m

  explicit Touching(Scene of, const Gauge& gauge = {})
      : scene(std::move(of)),
        workers(1),
        pairs(scene, workers),
        tracks(scene, std::vector<double>(scene.bodies.size(), 0.0)),
        near(scene, pairs, gauge),
        state(dynamics::make_initial_state(scene)),
        dictionary(near, tracks, state),
        accelerations(scene.bodies.size()) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      if (scene.bodies[i].is_dynamic()) cluster.push_back(id_of<BodyId>(i));
  }

  // As at an event, with everything near watched.
  void select() {
    watch(kReach);
    changes.clear();
    dictionary.select(changes);
    std::vector<ElasticContact> touches = dictionary.touches().all;
    for (const Change& change : changes)
      if (change.begins) touches.push_back(begin_touch(near.query(change.near), change.at));
    std::sort(touches.begin(), touches.end());
    std::int32_t slot = 0;
    for (ElasticContact& touch : touches) touch.slot = slot++;
    dictionary.begin(cluster, std::move(touches));
  }
  void watch(double reach) {
    tracks.begin(state);
    for (const BodyId id : cluster) tracks.hold(id, state[id], state.t, accelerations[index(id)]);
    near.watch(state, std::vector<double>(state.bodies.size(), reach), tracks);
    dictionary.begin(cluster, dictionary.touches().all);
  }
  const std::vector<ElasticContact>& touches() const { return dictionary.touches().all; }
  BodyState& operator[](std::size_t body) { return state.bodies[body]; }

  Scene scene;
  base::Workers workers;
  contact::Pairs pairs;
  BodyTracks tracks;
  NearPairs near;
  State state;
  ContactDictionary dictionary;
  std::vector<math::Twist> accelerations;
  std::vector<BodyId> cluster;
  std::vector<Change> changes;
};

}  // namespace carom::methods
