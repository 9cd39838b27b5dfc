// The mean force between every two bodies that collided, from the impulses of their collisions over
// a time: what a contact carries when nothing but collisions holds bodies apart. It acts at the
// mean of the contact points, weighted by the sizes of the impulses. A collision costs O(1).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/record/frame.h"
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

  void save(std::string& bytes) const { sums_.save(bytes); }  // for checkpoints
  void restore(std::string_view& bytes) { sums_.restore(bytes); }

 private:
  struct Sums {
    Vec3 impulse = Vec3::Zero(), couple = Vec3::Zero();  // on the first of the pair
    Vec3 weighted_point = Vec3::Zero();
    double weight = 0;

    template <typename Self, typename Visit>
    static void visit_numbers(Self& sums, const Visit& visit) {
      for (auto* vector : {&sums.impulse, &sums.couple, &sums.weighted_point})
        for (auto& number : *vector) visit(number);
      visit(sums.weight);
    }
  };
  PairTable<Sums> sums_;
};

}  // namespace carom::record
