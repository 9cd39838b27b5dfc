// The mean force between every two bodies that collided, from the impulses of their collisions over
// a time: what a contact carries when nothing but collisions holds bodies apart. It acts at the
// mean of the contact points, weighted by the sizes of the impulses. A collision costs O(1).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/record/pair_table.h"
#include "carom/record/sink.h"

namespace carom::record {

class MeanForces {
 public:
  void add(const Collision& collision);

  // Over the `duration` in which the collisions happened, in the ascending order of the pairs.
  // Reuses the memory of `out`.
  void compute(double duration, std::vector<CarriedForce>& out) const;
  void clear() { sums_.clear(); }

  void save(std::string& bytes) const;  // for checkpoints
  void restore(std::string_view& bytes);

 private:
  struct Sums {
    Vec3 impulse = Vec3::Zero(), couple = Vec3::Zero();  // on the first of the pair
    Vec3 weighted_point = Vec3::Zero();
    double weight = 0;
  };
  PairTable<Sums> sums_;
};

}  // namespace carom::record
