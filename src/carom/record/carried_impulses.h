// What lasting contacts have done since the start: the time integral of the force between every two
// bodies. Constant forces count for the time they act; for those that vary, Simpson's rule. A
// contact costs O(1) for each segment; what is kept grows with the pairs alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/record/pair_table.h"
#include "carom/record/sink.h"

namespace carom::record {

class CarriedImpulses {
 public:
  void add(double t0, double duration, const Forces& forces);
  std::vector<CarriedImpulse> all() const;  // in the ascending order of the pairs

  void save(std::string& bytes) const { sums_.save(bytes); }  // for checkpoints
  void restore(std::string_view& bytes) { sums_.restore(bytes); }

 private:
  struct Sum {
    Vec3 impulse = Vec3::Zero();  // on the first of the pair
    double first = -1, last = -1;

    template <typename Self, typename Visit>
    static void visit_numbers(Self& sum, const Visit& visit) {
      for (auto& number : sum.impulse) visit(number);
      visit(sum.first);
      visit(sum.last);
    }
  };
  PairTable<Sum> sums_;
};

}  // namespace carom::record
