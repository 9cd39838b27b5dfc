// The pairs of shapes that may touch before some body has come to the end of its reach, with what
// is known of their distances: a pair is apart until its bodies have travelled as far as it was
// apart when last looked at. That is proved by the exact distance, less what smoothing adds to the
// shapes (pair_measure.h).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "carom/contact/pairs.h"
#include "carom/methods/elastic/body_tracks.h"
#include "carom/methods/elastic/elastic_contact.h"

namespace carom::methods {

class NearPairs {
 public:
  NearPairs(const Scene& scene, contact::Pairs& pairs, const Gauge& gauge = {})
      : scene_(scene), pairs_(pairs), gauge_(gauge) {}

  struct Near {
    BodyId a{}, b{};
    std::size_t number = 0;  // among contact::Pairs'
    double clear = 0;        // m; as far as its bodies may travel, both counted from the start
    bool touches = false;
  };

  // Finds them anew, for bodies at this state that may get as far as their reaches, one per body.
  void watch(const State& state, std::span<const double> reaches, const BodyTracks& bodies);

  std::size_t size() const { return all_.size(); }
  Near& operator[](std::size_t i) { return all_[i]; }
  const Near& operator[](std::size_t i) const { return all_[i]; }
  contact::PairQuery& query(std::size_t i) { return *pairs_.meeting(all_[i].number).query; }
  std::span<const std::size_t> of(BodyId id) const {
    return {of_.data() + first_[index(id)], first_[index(id) + 1] - first_[index(id)]};
  }
  std::size_t find(const ElasticContact& touch);

  // The contact of a pair as the force law sees it.
  contact::Contact find_nearest(std::size_t i, const State& state) {
    return methods::find_nearest(gauge_, query(i), {scene_, state});
  }
  double extension(std::size_t i) { return extension_of(gauge_, query(i)); }

  // Whether no other body of a pair moves by forces than these, which are ascending.
  bool is_among(std::size_t i, std::span<const BodyId> bodies) const {
    const auto is_one = [&](BodyId id) {
      return !scene_.body(id).is_dynamic() || std::binary_search(bodies.begin(), bodies.end(), id);
    };
    return is_one(all_[i].a) && is_one(all_[i].b);
  }

  // What a body that has travelled so far may still travel, and the part of its reach it has used.
  double room(BodyId id, double travelled) const { return ends_[index(id)] - travelled; }
  double used(BodyId id, double travelled) const {
    return 1 - room(id, travelled) / reaches_[index(id)];
  }

 private:
  void list_by_bodies();

  const Scene& scene_;
  contact::Pairs& pairs_;
  Gauge gauge_;
  std::vector<Near> all_;
  std::vector<std::size_t> first_, next_, of_;  // per body, its pairs
  std::vector<double> reaches_, ends_;          // per body
  std::vector<double> grown_;                   // reaches with the balls that smooth shapes
};

}  // namespace carom::methods
