// The least of many keys, each of which may change: the winner is known at once, a change costs
// log n. Ties go to the lower index.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <vector>

namespace carom::impact {

class IndexedMinimum {
 public:
  static constexpr double kOut = std::numeric_limits<double>::infinity();

  void reset(std::size_t size) {
    leaves_ = std::bit_ceil(std::max<std::size_t>(size, 1));
    keys_.assign(leaves_, kOut);
    winners_.resize(2 * leaves_);
    for (std::size_t i = 0; i < leaves_; ++i) winners_[leaves_ + i] = i;
    for (std::size_t node = leaves_ - 1; node > 0; --node) play(node);
  }

  void set(std::size_t i, double key) {
    if (keys_[i] == key) return;
    keys_[i] = key;
    for (std::size_t node = (leaves_ + i) / 2; node > 0; node /= 2) play(node);
  }

  bool empty() const { return keys_[winner()] == kOut; }
  std::size_t winner() const { return leaves_ == 1 ? 0 : winners_[1]; }

 private:
  void play(std::size_t node) {
    const std::size_t left = winners_[2 * node];
    const std::size_t right = winners_[2 * node + 1];
    winners_[node] = keys_[right] < keys_[left] ? right : left;
  }

  std::size_t leaves_ = 1;
  std::vector<double> keys_{kOut};
  std::vector<std::size_t> winners_;
};

}  // namespace carom::impact
