// The pairs of shapes that may touch in a scene, found by a broad phase over swept boxes; pairs
// with a plane are kept as a list. Caches and scratch memory live here, so that a step allocates
// nothing once they have grown.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "carom/base/workers.h"
#include "carom/contact/pair_query.h"
#include "carom/geometry/broad_phase.h"

namespace carom::contact {

enum class SearchStatus {
  Complete,
  IterationCap,  // a root search did not finish
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

  // The times in [0, duration) at which features come into contact: for balls and for corners over
  // planes up to and including the first impact of each, for other shapes up to the first impact of
  // the two. `out` is ordered by time, then by bodies and feature. A contact that rests at the
  // start is reported only if it sinks below the tolerance.
  [[nodiscard]] SearchResult times_of_contact(const Flight& flight, std::vector<ContactTime>& out);

  // The deepest overlap of any pair; depth 0 when there is none.
  struct Overlap {
    double depth = 0;
    BodyId a{}, b{};
  };
  Overlap find_deepest_overlap(const State& state);

 private:
  struct Collider {  // a colliding shape
    BodyId body{};
    std::int32_t shape = 0;
    std::vector<geometry::Convex> pieces;  // the shape itself, or the triangles of its surface
    const geometry::TriangleMesh* surface = nullptr;
    double reach = 0;  // of the shape from the body's centre of mass
  };
  struct Piece {
    const Collider& of;
    std::int32_t number;
    const geometry::Convex& convex() const { return of.pieces[static_cast<std::size_t>(number)]; }
  };
  using NearPair = std::array<std::int32_t, 3>;  // two colliders, and the triangle of one
  struct RememberedHint {
    NearPair pair;
    geometry::DistanceHint hint;
  };

  void collect_colliders();
  void add_pairs_with_planes();
  void collect(const Flight& flight);  // queries for the pairs whose swept boxes meet
  void collect(const State& state);    // the same at one instant
  const geometry::Shape& shape_of(const Collider& collider) const;
  bool add_query(const Piece& a, const Piece& b);
  void add_near(const Piece& a, const Piece& b, const NearPair& pair);
  void find_near_triangles(const Collider& mesh, const geometry::Box3& box, const Flight& flight);
  bool may_collide(BodyId a, BodyId b) const;
  void remember_hints();
  geometry::DistanceHint recall_hint(const NearPair& pair);

  const Scene& scene_;
  base::Workers& workers_;
  std::vector<Collider> bounded_, planes_;
  std::vector<std::pair<BodyId, BodyId>> joined_;  // sorted: joints that keep bodies from colliding
  geometry::BroadPhase broad_phase_;
  std::vector<geometry::Box3> boxes_;
  std::vector<PairQuery>
      queries_;                 // first the pairs with planes, for good; then those that are near
  std::vector<NearPair> near_;  // colliders of the latter, ascending
  std::vector<std::int32_t> triangles_;  // of one mesh, near one body
  std::size_t with_planes_ = 0;
  std::size_t active_ = 0;
  std::vector<RememberedHint> hints_;  // of the last collection, ascending
  std::size_t next_hint_ = 0;
  Flight still_;  // no motion at all, for questions about one instant
};

}  // namespace carom::contact
