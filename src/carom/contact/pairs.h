// The pairs of shapes that may touch in a scene, and the two questions asked of them: where do they
// touch now, and when will they touch in a flight. Pairs with a plane are kept as a list; the
// others come from a sweep over swept boxes. Caches and scratch memory live here, so that a step
// allocates nothing once they have grown.
#pragma once

#include <span>
#include <vector>

#include "carom/base/workers.h"
#include "carom/contact/contact_set.h"
#include "carom/dynamics/flight.h"
#include "carom/geometry/broad_phase.h"
#include "carom/model/scene.h"

namespace carom::contact {

// Two shapes of a scene. Body a owns the first feature of each feature pair.
struct ShapePair {
  BodyId a{}, b{};
  std::int32_t shape_a = 0, shape_b = 0;
  geometry::PairRoutine routine = geometry::PairRoutine::Unsupported;
};

// A contact that happens during a flight, s seconds after its start.
struct ContactTime {
  double s = 0;
  BodyId a{}, b{};
  std::int64_t feature = 0;
  double rate = 0;  // d gap/dt then; negative is an impact
};

enum class SearchStatus {
  Complete,
  IterationCap,     // a root search did not finish
  UnsupportedPair,  // a plane or a near shape with which there is no routine
};
struct SearchResult {
  SearchStatus status = SearchStatus::Complete;
  ShapePair pair;  // the culprit, if any
};

class Pairs {
 public:
  Pairs(const Scene& scene, base::Workers& workers);

  // Every touching feature pair, in a fixed order. Reuses `out`'s memory.
  void find_contacts(const State& state, ContactSet& out);

  // For every feature pair the times in [0, duration) at which it comes into contact, up to and
  // including its first impact; `out` is ordered by time, then by bodies and feature. A contact
  // that rests at the start is reported only if it sinks below the tolerance; one that leaves, when
  // it comes back.
  [[nodiscard]] SearchResult times_of_contact(const Flight& flight, std::vector<ContactTime>& out);

  // The deepest overlap of any pair; depth 0 when there is none.
  struct Overlap {
    double depth = 0;
    BodyId a{}, b{};
  };
  Overlap find_deepest_overlap(const State& state);

 private:
  struct Query {  // one pair of shapes and what the search found; each writes to its own place
    ShapePair pair;
    std::vector<geometry::FeaturePair> features;
    std::vector<ContactTime> times;
    bool capped = false;
  };
  struct Collider {
    BodyId body{};
    std::int32_t shape = 0;
    double reach = 0;  // of the shape from the body's centre of mass
  };

  void collect(const Flight& flight);  // queries for the pairs whose swept boxes meet
  void add_query(ShapePair pair, bool swapped);
  void search(Query& query, const Flight& flight) const;
  void search_feature(Query& query, std::size_t feature, const Flight& flight) const;
  double starting_level(const math::Sample& start) const;
  void append_contacts(const Query& query, const State& state, ContactSet& out) const;
  bool may_collide(BodyId a, BodyId b) const;

  const Scene& scene_;
  base::Workers& workers_;
  std::vector<Collider> bounded_;                  // every colliding shape that is no plane
  std::vector<std::pair<BodyId, BodyId>> joined_;  // sorted: joints that keep bodies from colliding
  geometry::BroadPhase broad_phase_;
  std::vector<geometry::Box3> boxes_;
  std::vector<Query> queries_;  // first the pairs with planes, for good; then those that are near
  std::size_t with_planes_ = 0;
  std::size_t active_ = 0;
  Flight still_;  // no motion at all, for questions about one instant
};

}  // namespace carom::contact
