#include "carom/geometry/broad_phase/spatial_order.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace carom::geometry {

namespace {

constexpr unsigned kAxisBits = 10;
constexpr unsigned kPassBits = 10;

// Two zeros after each of the lowest ten bits.
std::uint32_t spread(std::uint32_t x) {
  x = (x | (x << 16U)) & 0x030000ffU;
  x = (x | (x << 8U)) & 0x0300f00fU;
  x = (x | (x << 4U)) & 0x030c30c3U;
  return (x | (x << 2U)) & 0x09249249U;
}

// The cube around all finite low corners.
struct Frame {
  Vec3 origin;
  double scale;  // from metres to [0, 2^kAxisBits)
};

Frame make_frame(std::span<const Box3> boxes) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::max()), high = -low;
  for (const Box3& box : boxes) {
    if (!box.low.allFinite()) continue;
    low = low.cwiseMin(box.low);
    high = high.cwiseMax(box.low);
  }
  const double side = (0.5 * high - 0.5 * low).maxCoeff();  // half of it: the whole may overflow
  return {low, side > 0 ? 0.5 * ((1U << kAxisBits) - 1) / side : 0};
}

std::uint32_t code_of(const Vec3& corner, const Frame& frame) {
  std::uint32_t code = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double x = (corner[axis] - frame.origin[axis]) * frame.scale;
    const double inside = x > 0 ? std::min(x, double{(1U << kAxisBits) - 1}) : 0;
    code |= spread(static_cast<std::uint32_t>(inside)) << static_cast<unsigned>(axis);
  }
  return code;
}

}  // namespace

std::span<const std::int32_t> SpatialOrder::sort(std::span<const Box3> boxes) {
  const Frame frame = make_frame(boxes);
  items_.resize(boxes.size());
  scratch_.resize(boxes.size());
  order_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    items_[i] = {code_of(boxes[i].low, frame), static_cast<std::int32_t>(i)};
  }
  for (unsigned shift = 0; shift < 3 * kAxisBits; shift += kPassBits) radix_pass(shift);
  std::transform(items_.begin(), items_.end(), order_.begin(),
                 [](const Item& item) { return item.index; });
  return order_;
}

void SpatialOrder::radix_pass(unsigned shift) {
  std::array<std::size_t, 1U << kPassBits> starts{};
  const auto digit = [shift](const Item& item) {
    return (item.code >> shift) & ((1U << kPassBits) - 1);
  };
  for (const Item& item : items_) ++starts[digit(item)];
  std::size_t next = 0;
  for (std::size_t& start : starts) next += std::exchange(start, next);
  for (const Item& item : items_) scratch_[starts[digit(item)]++] = item;
  std::swap(items_, scratch_);
}

}  // namespace carom::geometry
