// Which of many boxes overlap: boxes sorted along x and swept, O(n log n + overlaps along x). The
// order survives from call to call as a starting point for the sort; it never changes the answer.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "carom/math/linear_algebra.h"

namespace carom::geometry {

struct Box3 {
  Vec3 low, high;

  bool overlaps(const Box3& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

class BroadPhase {
 public:
  // Index pairs (i < j) of overlapping boxes, in ascending order; valid until the next call.
  std::span<const std::pair<std::int32_t, std::int32_t>> find_overlaps(std::span<const Box3> boxes);

 private:
  std::vector<std::int32_t> order_;
  std::vector<std::pair<std::int32_t, std::int32_t>> overlaps_;
};

}  // namespace carom::geometry
