// The deepest overlap of any two colliding bodies, at instants and in continuous time. Within a
// segment a pair is dismissed only when the bounds of approach.h prove that its overlap cannot
// exceed what is already known by more than a tenth of what the method promises, nor that promise
// unless something already does. Otherwise the part of the segment that may hide most is divided
// where the overlap seems to culminate, and looked at there, up to a cap of parts. What a pair that
// meets the cap could still hide is what the bounds of its last parts leave.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "carom/audit/approach.h"
#include "carom/audit/neighbours.h"

namespace carom::audit {

// Two solids of two bodies, and how deep they are in each other.
struct SolidOverlap {
  BodyPair bodies;
  PlacedSolid a, b;
  Overlap overlap;  // direction from a towards b

  Vec3 middle() const;  // of the overlap
};

// A plane that stands still for good and is all that there is of its body.
struct StandingPlane {
  int body;
  Vec3 normal;
  double offset;

  bool is_below(const Vec3& x, double reach) const { return normal.dot(x) - offset > reach; }
};

class PenetrationWatch {
 public:
  void begin(const Scene& scene);
  void check(const State& state);  // all pairs, now
  // Calls visit(const SolidOverlap&) for all that overlap now, or may be apart by less than a
  // margin: then the overlap is negative, and of bounded solids possibly too great.
  template <typename Visit>
  void visit_overlaps(const State& state, const Visit& visit, double margin = 0);
  // The same for two bodies that are there.
  template <typename Visit>
  void visit_overlaps(BodyPair pair, const BodyState& a, const BodyState& b, const Visit& visit,
                      double margin = 0);
  void check_pair(const State& state, BodyId a, BodyId b);  // one pair, now
  void check(const Flight& flight, const State& start, const State& end);

  // Two solids of an approach: at one time of it, and as deep as they may be all the time, given
  // the direction along which they are least deep at the end.
  Overlap look(const Approach& approach, double s);
  void chase(const Approach& approach, const Vec3& last_direction);
  void see(double depth) { max_depth = std::max(max_depth, depth); }  // as found by others
  double harmless_gap() const;                                        // one above changes nothing

  Neighbours& neighbours() { return neighbours_; }
  const std::vector<Solid>& solids(int body) const { return solids_[body]; }  // those that collide
  double radius(int body) const { return radius_[body]; }
  std::span<const double> radii() const { return radius_; }
  std::span<const double> levers() const { return levers_; }  // per body, the greatest

  const StandingPlane* standing_plane(int body) const {  // null: another kind of body
    return plane_of_[body] < 0 ? nullptr : &planes_[static_cast<std::size_t>(plane_of_[body])];
  }
  // Whether one is a standing plane that the other is above while it comes no farther than its
  // path, one per body.
  bool are_apart(BodyPair pair, const State& start, std::span<const double> paths) const;

  // Whether this flight of a pair, which begins at t, is among those that are judged.
  bool is_chosen(BodyPair pair, double t) const;

  double max_depth = 0;  // m
  bool samples = false;  // one flight in record::kOneIn

 private:
  struct Part {
    Interval times;
    GapBound bound;
    bool operator<(const Part& other) const { return bound.least > other.bound.least; }
  };

  void find_standing_plane(int body);
  void deepen(const SolidOverlap& at) { max_depth = std::max(max_depth, at.overlap.depth); }
  bool is_broken() const { return max_depth > promise_; }
  bool may_touch(const Approach& approach) const;
  bool is_harmless(const Approach& approach, const Witness& witness, Interval interval) const;
  void climb(const Approach& approach);
  void divide(const Approach& approach, const Part& part);
  GapBound bound(const Approach& approach, const Witness& witness, Interval interval);
  GapBound bound_found(const Approach& approach, Interval interval);
  void check_bodies(const Flight& flight, BodyPair pair);
  const MotionBounds& bounds_of(std::size_t body);

  const Scene* scene_ = nullptr;
  double promise_ = 0, slack_ = 0;  // m; overlaps that exceed what is known by less are not chased
  std::vector<Part> parts_;         // a heap
  struct {
    double s, depth, within;                // the length of the part that it was found in
  } deepest_{};                             // instant of the present approach
  std::vector<std::vector<Solid>> solids_;  // per body, those that collide
  std::vector<double> radius_, levers_, path_;
  std::vector<StandingPlane> planes_;
  std::vector<int> plane_of_;                        // per body, -1: none
  std::vector<BodySegment> segments_;                // per body
  std::vector<std::optional<MotionBounds>> bounds_;  // per body, once a pair asks for them
  std::vector<PoseMemory> memories_;                 // per body
  Neighbours neighbours_;
  OverlapFinder finder_;
};

template <typename Visit>
void PenetrationWatch::visit_overlaps(const State& state, const Visit& visit, double margin) {
  std::fill(path_.begin(), path_.end(), 0.5 * margin);
  for (const BodyPair& pair : neighbours_.find(state, path_))
    visit_overlaps(pair, state.bodies[pair.first], state.bodies[pair.second], visit, margin);
}

template <typename Visit>
void PenetrationWatch::visit_overlaps(BodyPair pair, const BodyState& x_a, const BodyState& x_b,
                                      const Visit& visit, double margin) {
  const double reach = radius_[pair.first] + radius_[pair.second] + margin;
  if ((x_a.x - x_b.x).norm() > reach) return;
  for (const Solid& a : solids_[pair.first]) {
    for (const Solid& b : solids_[pair.second]) {
      const PlacedSolid placed_a{a, x_a.pose() * a.X_BS}, placed_b{b, x_b.pose() * b.X_BS};
      if ((placed_a.X_WS.p - placed_b.X_WS.p).norm() > a.radius + b.radius + margin) continue;
      const Overlap overlap = finder_.find(placed_a, placed_b);
      if (overlap.depth > -margin) visit(SolidOverlap{pair, placed_a, placed_b, overlap});
    }
  }
}

}  // namespace carom::audit
