// Boxes in the order of a Z-curve through space: what is near in space is mostly near in the order,
// so walking along it touches memory that was just touched. O(n), by radix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/geometry/broad_phase/box3.h"

namespace carom::geometry {

class SpatialOrder {
 public:
  // The numbers of the boxes along the curve, by their low corners; equal ones and those at
  // infinity in a fixed order. Valid until the next call.
  std::span<const std::int32_t> sort(std::span<const Box3> boxes);

 private:
  struct Item {
    std::uint32_t code;
    std::int32_t index;
  };
  void radix_pass(unsigned shift);

  std::vector<Item> items_, scratch_;
  std::vector<std::int32_t> order_;
};

}  // namespace carom::geometry
