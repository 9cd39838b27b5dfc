#include "carom/geometry/broad_phase.h"

#include <algorithm>
#include <numeric>

namespace carom::geometry {

std::span<const std::pair<std::int32_t, std::int32_t>> BroadPhase::find_overlaps(
    std::span<const Box3> boxes) {
  if (order_.size() != boxes.size()) {
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0);
  }
  const auto box = [&](std::int32_t i) -> const Box3& {
    return boxes[static_cast<std::size_t>(i)];
  };
  std::sort(order_.begin(), order_.end(), [&](std::int32_t i, std::int32_t j) {
    return std::pair(box(i).low.x(), i) < std::pair(box(j).low.x(), j);
  });
  overlaps_.clear();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const std::int32_t i = order_[k];
    for (std::size_t l = k + 1; l < order_.size(); ++l) {
      const std::int32_t j = order_[l];
      if (box(j).low.x() > box(i).high.x()) break;
      if (box(i).overlaps(box(j))) overlaps_.emplace_back(std::min(i, j), std::max(i, j));
    }
  }
  std::sort(overlaps_.begin(), overlaps_.end());
  return overlaps_;
}

}  // namespace carom::geometry
