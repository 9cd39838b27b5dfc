// Which of some numbered things are connected, directly or through others: union-find with halved
// paths. The root of a set is its least number.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace carom::base {

class DisjointSets {
 public:
  void reset(std::size_t count) {
    above_.resize(count);
    std::iota(above_.begin(), above_.end(), std::size_t{0});
  }
  void add() { above_.push_back(above_.size()); }

  std::size_t root_of(std::size_t i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  // The root that is none any more; the other's where both were one set already.
  std::size_t unite(std::size_t i, std::size_t j) {
    i = root_of(i);
    j = root_of(j);
    const std::size_t low = i < j ? i : j, high = i < j ? j : i;
    above_[high] = low;
    return high;
  }

 private:
  std::vector<std::size_t> above_;
};

}  // namespace carom::base
