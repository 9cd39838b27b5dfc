// The pairs of shapes that may touch in a scene, found by a broad phase over swept boxes; pairs
// with a plane, and the stops of joints (joint_stops.h), which are contacts like others, are kept
// as a list, made when they are first asked for. Caches and scratch memory
// live here, so that a step allocates nothing once they have grown; a pair that stays near keeps
// its query, and with it the place where the last one ended.
#pragma once

#include <cmath>
#include <compare>
#include <mutex>
#include <span>
#include <vector>

#include "carom/base/workers.h"
#include "carom/contact/pair_query.h"
#include "carom/contact/travel.h"
#include "carom/geometry/broad_phase/broad_phase.h"

namespace carom::contact {

enum class SearchStatus {
  Complete,
  IterationCap,  // a root search did not finish
};
struct SearchResult {
  SearchStatus status = SearchStatus::Complete;
  ShapePair pair;       // the culprit, if any
  double unproven = 0;  // m; the most of any pair (geometry::TouchSearch)
};

// Which near contacts are asked for. Where bodies are marked, what does not touch yet is found only
// if one of the two is and neither sleeps. Two that both stand still are not asked.
struct NearOptions {
  std::span<const Wrench> applied{};  // empty or one per body: forces beside gravity
  std::span<const char> marked{};     // empty: all
  // m/s; what approaches faster, does not touch, and has a body that moves unmarked is left out
  double fastest = HUGE_VAL;
  double touching = 0;  // m; gaps that count as touching, found as by find_contacts()
};

class Pairs {
 public:
  Pairs(const Scene& scene, base::Workers& workers);

  // From now on pairs whose bodies both are marked are passed over. One mark per body, read by
  // every question; they must outlive this.
  void skip_still(std::span<const char> still) { still_ = still; }

  // Every touching feature pair, in a fixed order. Reuses `out`'s memory.
  void find_contacts(const State& state, ContactSet& out,
                     std::vector<ContactFeatures>* features = nullptr);

  // Every feature pair that may come to touch within `duration`: those whose gap is at most as far
  // as the two shapes can approach each other meanwhile (travel.h). Overlapping shapes give
  // negative gaps. Depends on the state alone, bit for bit, not on earlier questions or threads.
  // Biases are left at zero.
  void find_near_contacts(const State& state, double duration, ContactSet& out,
                          const NearOptions& options = {});

  // The contacts that were found last, at a state nearby: `contacts` are these. Points and normals
  // of those whose features still face each other are those of the state, the others are left.
  void follow_near_contacts(const State& state, double duration, ContactSet& contacts);

  // The times in [0, duration) at which features come into contact: for balls and for corners over
  // planes up to and including the first impact of each, for other shapes up to the first impact of
  // the two. `out` is ordered by time, then by bodies and feature. A contact that rests at the
  // start is reported only if it sinks below the tolerance.
  [[nodiscard]] SearchResult times_of_contact(const Flight& flight, std::vector<ContactTime>& out);

  // For bodies that keep their own clocks (pairs_frame.cpp): the pairs that may meet during a
  // frame, numbered from 0. `flight` is that of all bodies from its start.
  struct Pieces {  // colliders that are no planes, and the triangle of one that is a mesh
    std::int32_t i = -1, j = -1, triangle = 0;
    auto operator<=>(const Pieces&) const = default;
  };
  struct Meeting {
    Pieces who;  // left at -1 for pairs with planes and stops
    PairQuery* query;
  };
  std::size_t begin_frame(const Flight& flight);
  // The same for what may meet while no point of a body gets farther than its `reach`, one per
  // body, from where it is in this state.
  std::size_t begin_watch(const State& state, std::span<const double> reaches);
  double lever_bound(BodyId body) const;  // how far turning can move its surface, per rad
  Meeting meeting(std::size_t number);
  // A body has taken another way, for `left` seconds to the end of the frame. Where the box around
  // its ways grows, appends all that the new box meets, known or not. Threads may ask at the same
  // time, for different bodies: whose boxes meet in the end is told to the later of the two.
  void reroute(BodyId body, const RigidMotion& motion, double left, std::vector<Pieces>& out);
  // As begin_frame() had it.
  void set_back(BodyId body, const Flight& flight);
  std::pair<BodyId, BodyId> bodies_of(const Pieces& who) const;
  void set_query(const Pieces& who, PairQuery& query) const;

  // Every two convex pieces that overlap, the deepest first, found without the list of pairs with
  // planes: one that is asked this is asked nothing else. Moving a along the normal by the depth
  // brings the two apart, wherever they are moved across it.
  struct Overlap {
    double depth = 0;
    BodyId a{}, b{};
    Vec3 normal = Vec3::Zero();  // from b to a
  };
  std::vector<Overlap> find_overlaps(const State& state);

 private:
  struct Collider {  // a colliding shape
    Carried carried;
    std::int32_t shape = 0;
    std::vector<geometry::Convex> pieces;  // the shape itself, or the triangles of its surface
    const geometry::TriangleMesh* surface = nullptr;
    double reach = 0;  // of the shape from the body's centre of mass
    BodyId body() const { return carried.body; }
  };
  struct Piece {
    const Collider& of;
    std::int32_t number;
    const geometry::Convex& convex() const { return of.pieces[static_cast<std::size_t>(number)]; }
  };
  struct NearPair {
    Pieces who;
    std::size_t query;  // number of its query
  };
  struct MeshPlace {
    Pose X_WS;
    double travel = 0;  // m; how far its points may get
  };
  struct Asked {
    std::size_t query;
    double margin;
    std::size_t found = 0;  // near contacts
  };
  struct PlanePair {
    std::size_t plane, other;  // colliders
  };
  struct WorldPlane {
    BodyId body{};
    Vec3 normal;
    double offset;
  };

  void collect_colliders();
  void list_pairs_with_planes();
  void list_stops();
  void collect(const Flight& flight);                 // the pairs whose swept boxes meet
  void collect(const State& state, double duration);  // the pairs that may meet within a time
  void pair_up();                                     // the pairs whose boxes_ overlap
  const model::PlacedShape& placed(const Collider& collider) const;
  geometry::Box3 box_around(const Collider& collider, const State& state) const;
  bool may_touch(const Collider& a, const Collider& b) const;
  void set_query(const Piece& a, const Piece& b, PairQuery& query) const;
  void add_near(const Pieces& who);
  void append_near(const Pieces& who);
  // add(pieces) for the convex pieces of two colliders that may meet.
  template <typename Add>
  void visit_pieces(std::int32_t i, std::int32_t j, const Add& add);
  const Collider& bounded(std::int32_t i) const { return bounded_[static_cast<std::size_t>(i)]; }
  geometry::Box3 swept(const Collider& collider, const RigidMotion& motion, double duration) const;
  void move_box(std::size_t collider, const geometry::Box3& box);
  void ask_near(const State& state, double duration);  // fills asked_
  void find_near_triangles(const Collider& mesh, const geometry::Box3& box);
  void place_planes(const State& state);
  double plane_margin(const WorldPlane& plane, const Collider& other, const State& state) const;
  bool is_near(const WorldPlane& plane, const Collider& other, const State& state,
               double margin) const;
  void find_near_planes(const State& state);
  bool is_ahead(const ShapePair& pair, std::span<const char> marked) const;
  void ask_stops();
  bool may_collide(BodyId a, BodyId b) const;
  bool stand_still(const ShapePair& pair) const {
    return !still_.empty() && still_[index(pair.a)] && still_[index(pair.b)];
  }

  const Scene& scene_;
  base::Workers& workers_;
  std::span<const char> still_;
  std::vector<Collider> bounded_, planes_;
  std::vector<std::size_t> first_bounded_;         // of each body, and one more
  std::vector<std::pair<BodyId, BodyId>> joined_;  // sorted: joints that keep bodies from colliding
  geometry::BroadPhase broad_phase_;
  std::vector<geometry::Box3> boxes_;
  std::vector<MeshPlace> mesh_places_;  // one per bounded collider, of meshes only
  bool planes_listed_ = false;
  std::vector<PairQuery> queries_;       // first the pairs with planes, then stops, for good
  std::vector<PlanePair> plane_pairs_;   // of those
  std::vector<Carried> stops_;           // two for each query of stops: how far these bodies reach
  std::vector<NearPair> near_, before_;  // now and in the last collection, ascending
  std::size_t next_before_ = 0;
  std::mutex moving_;  // boxes, during a frame
  std::vector<std::int32_t> partners_;
  std::vector<std::size_t> idle_;        // queries that no pair uses
  std::vector<std::int32_t> triangles_;  // of one mesh, near one body
  Travel travel_;
  std::span<const Wrench> applied_;  // of the question at hand
  double touching_ = 0;              // m; of the last question for near contacts
  std::vector<WorldPlane> world_planes_;
  std::vector<NearContacts> chunks_;  // what was found, some queries at a time
  std::vector<Asked> asked_;          // queries of one question, in order
  std::vector<std::size_t> firsts_;   // near contact of each of these
};

template <typename Add>
void Pairs::visit_pieces(std::int32_t i, std::int32_t j, const Add& add) {
  const Collider &a = bounded(i), &b = bounded(j);
  if (!a.surface && !b.surface) return add({i, j, 0});
  if (a.surface && b.surface) return;
  find_near_triangles(a.surface ? a : b, boxes_[static_cast<std::size_t>(a.surface ? j : i)]);
  for (const std::int32_t t : triangles_) add({i, j, t});
}

}  // namespace carom::contact
