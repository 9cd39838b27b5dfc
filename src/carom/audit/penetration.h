// The deepest overlap of any two colliding bodies, at instants and in continuous time. Within a
// stretch a pair is dismissed only when the bounds of approach.h prove that its overlap cannot
// exceed what is already known. Otherwise it is looked at where the overlap seems to culminate and
// the stretch is halved, up to a cap. What a pair that meets the cap could still hide is below K l²
// / 8, with l the length of the last parts and K the bound on how sharply its points turn.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "carom/audit/approach.h"
#include "carom/audit/neighbours.h"

namespace carom::audit {

class PenetrationWatch {
 public:
  void begin(const Scene& scene);
  void check(const State& state);                           // all pairs, now
  void check_pair(const State& state, BodyId a, BodyId b);  // one pair, now
  void check(const Flight& flight, const State& start, const State& end);

  // Two solids of an approach: at one time of it, and as deep as they may be all the time, given
  // how deep they are at the end.
  Overlap look(const Approach& approach, double s);
  void chase(const Approach& approach, double last_depth);
  double harmless_gap() const { return -std::max(max_depth, slack_); }  // one above changes nothing

  Neighbours& neighbours() { return neighbours_; }
  const std::vector<Solid>& solids(int body) const { return solids_[body]; }  // those that collide
  double radius(int body) const { return radius_[body]; }
  std::span<const double> levers() const { return levers_; }  // per body, the greatest

  double max_depth = 0;  // m

 private:
  struct Instant {
    double s, depth;
  };

  bool may_touch(const Approach& approach) const;
  bool is_harmless(const Approach& approach, const Witness& witness, Interval interval) const;
  void halve(const Approach& approach, Instant from, Instant to, int level);
  static double find_culmination(Instant from, Instant middle, Instant to);
  void check_solids(const State& state, BodyPair pair);
  void check_bodies(const Flight& flight, BodyPair pair);

  const Scene* scene_ = nullptr;
  double slack_ = 0;  // m; overlaps this small are not chased between instants
  std::vector<std::vector<Solid>> solids_;  // per body, those that collide
  std::vector<double> radius_, levers_, path_;
  std::vector<BodyStretch> stretches_;  // per body
  Neighbours neighbours_;
  OverlapFinder finder_;
};

}  // namespace carom::audit
