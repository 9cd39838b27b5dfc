// The pairs of bodies that could meet during a segment, by balls around them. The list is made with
// room to spare and made anew when a body leaves its room; a pair that is not listed is provably
// apart, so how old the list is does not change any result.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "carom/audit/ball_tree.h"
#include "carom/dynamics/flight.h"

namespace carom::audit {

using BodyPair = std::pair<int, int>;  // ascending

class Neighbours {
 public:
  // radius: of a ball about each centre of mass, infinite with planes, 0 when nothing collides.
  void begin(const Scene& scene, std::vector<double> radius);

  // In ascending order; `path` bounds how far each centre moves from the given state.
  std::span<const BodyPair> find(const State& state, std::span<const double> path);

  double mean_radius() const { return 4 * skin_; }  // m; of what is bounded

  // Unless neither moves freely, or a joint connects them and says that they do not.
  bool may_collide(int i, int j) const;

 private:
  bool is_stale(const State& state, std::span<const double> path) const;
  void rebuild(const State& state, std::span<const double> path);
  void pair_up();  // what is bounded

  std::vector<double> radius_;
  std::vector<char> dynamic_;
  std::vector<BodyPair> excluded_;  // joined by joints that do not collide; sorted
  double skin_ = 0;
  std::vector<int> bounded_, unbounded_;
  std::vector<Vec3> center_;  // at the last rebuild
  std::vector<double> room_;  // how far each may move from there
  std::vector<BodyPair> pairs_, found_;
  std::vector<Ball> balls_;
  BallTree tree_;
};

}  // namespace carom::audit
