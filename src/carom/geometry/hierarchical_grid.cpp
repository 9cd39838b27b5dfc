#include "carom/geometry/hierarchical_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom::geometry {

namespace {

// Corners stay below 2 to this power in units of their cells: rounding is then far below a cell.
constexpr int kCellBits = 40;

constexpr int kLowestExponent = -1000;  // whose inverse is still a number

// What rounding may move a corner by, in cells, with room to spare.
constexpr double kRounding = 0x1p-10;

double largest_extent(const Box3& box) { return (box.high - box.low).maxCoeff(); }

double farthest_corner(const Box3& box) { return box.low.cwiseAbs().maxCoeff(); }

bool is_bounded(const Box3& box) { return box.low.allFinite() && (box.high - box.low).allFinite(); }

// The power of two of cells that are over twice as large as the box.
int exponent_for_extent(double extent) {
  return extent > 0 ? std::ilogb(extent) + 2 : std::numeric_limits<int>::min();
}

int exponent_for_corner(double corner) {
  return corner > 0 ? std::ilogb(corner) + 1 - kCellBits : std::numeric_limits<int>::min();
}

std::int64_t floored(double x) {
  const auto whole = static_cast<std::int64_t>(x);
  return whole - (static_cast<double>(whole) > x ? 1 : 0);
}

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 32U)) * 0xbf58476d1ce4e5b9ULL;
  return (z ^ (z >> 29U)) * 0x94d049bb133111ebULL;
}

}  // namespace

double HierarchicalGrid::CellRange::count() const {
  double product = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    product *= static_cast<double>(last[axis] - first[axis] + 1);
  }
  return product;
}

std::uint64_t HierarchicalGrid::key_of(int level, const Cell& cell) {
  const auto x = static_cast<std::uint64_t>(cell[0]), y = static_cast<std::uint64_t>(cell[1]),
             z = static_cast<std::uint64_t>(cell[2]), l = static_cast<std::uint64_t>(level);
  const std::uint64_t sum = x * 0x9e3779b97f4a7c15ULL + y * 0xc2b2ae3d27d4eb4fULL +
                            z * 0x165667b19e3779f9ULL + l * 0xd6e8feb86659fd93ULL;
  return (mixed(sum) & ~std::uint64_t{63}) | l;
}

void HierarchicalGrid::set_resolution(std::span<const Box3> boxes) {
  double corner = 0, extent = 0;
  for (const Box3& box : boxes) {
    if (!is_bounded(box)) continue;
    corner = std::max(corner, farthest_corner(box));
    extent = std::max(extent, largest_extent(box));
  }
  const double reach = std::max(corner, extent);
  base_exponent_ = reach > 0 ? std::max(exponent_for_corner(reach), kLowestExponent) : 0;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    levels_[level] = {};
    levels_[level].inverse_size = std::ldexp(1.0, -(base_exponent_ + static_cast<int>(level)));
  }
  occupied_ = 0;
}

int HierarchicalGrid::find_level(const Box3& box) const {
  if (!is_bounded(box)) return kUnbounded;
  const int exponent = std::max({exponent_for_extent(largest_extent(box)),
                                 exponent_for_corner(farthest_corner(box)), base_exponent_});
  return std::min(exponent - base_exponent_, kUnbounded);
}

std::uint64_t HierarchicalGrid::register_box(const Box3& box) {
  const int index = find_level(box);
  if (index == kUnbounded) return kUnbounded;
  Level& level = levels_[static_cast<std::size_t>(index)];
  level.extent = level.extent.cwiseMax(box.high - box.low);
  ++level.count;
  occupied_ |= std::uint64_t{1} << index;
  Cell cell;
  for (int axis = 0; axis < 3; ++axis) {
    cell[static_cast<std::size_t>(axis)] = floored(box.low[axis] * level.inverse_size);
  }
  return key_of(index, cell);
}

// Every box of the level that overlaps has its low corner between the box's low side, less the
// largest extent of the level, and the box's high side.
HierarchicalGrid::CellRange HierarchicalGrid::cells_for(const Box3& box, int level) const {
  constexpr double kLimit = 2 * (std::int64_t{1} << kCellBits);  // no corner lies beyond
  const Level& grid = levels_[static_cast<std::size_t>(level)];
  CellRange cells;
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const double low = (box.low[axis] - grid.extent[axis]) * grid.inverse_size - kRounding;
    const double high = box.high[axis] * grid.inverse_size;
    cells.first[k] = floored(std::clamp(low, -kLimit, kLimit));
    cells.last[k] = floored(std::clamp(high, -kLimit, kLimit));
  }
  return cells;
}

void HierarchicalGrid::build(std::span<const Box3> boxes) {
  set_resolution(boxes);
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(2 * boxes.size(), 2));
  bucket_shift_ = 64U - static_cast<unsigned>(std::countr_zero(buckets));
  keys_.resize(boxes.size());
  heads_.assign(buckets, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    keys_[i] = register_box(boxes[i]);
    ++heads_[bucket_of(keys_[i])];
  }
  std::int32_t first = 0;  // counts become the first slots of the buckets
  for (std::int32_t& head : heads_) first += std::exchange(head, first);
  entries_.resize(boxes.size());
  slots_.resize(boxes.size());
  unbounded_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::int32_t slot = heads_[bucket_of(keys_[i])]++;
    slots_[i] = slot;
    entries_[static_cast<std::size_t>(slot)] = {boxes[i], keys_[i], kNone,
                                                static_cast<std::int32_t>(i)};
    if (keys_[i] == kUnbounded) unbounded_.push_back(slot);
  }
  link_buckets();
}

// On entry heads_ holds the slot after each bucket's last.
void HierarchicalGrid::link_buckets() {
  for (std::size_t b = heads_.size(); b-- > 0;) {
    const std::int32_t first = b == 0 ? 0 : heads_[b - 1], end = heads_[b];
    for (std::int32_t slot = first; slot + 1 < end; ++slot) {
      entries_[static_cast<std::size_t>(slot)].next = slot + 1;
    }
    heads_[b] = first < end ? first : kNone;
  }
}

void HierarchicalGrid::relocate(std::int32_t index, const Box3& box) {
  const std::int32_t slot = slots_[static_cast<std::size_t>(index)];
  unlink(slot);
  const std::uint64_t key = register_box(box);
  std::int32_t& head = heads_[bucket_of(key)];
  entries_[static_cast<std::size_t>(slot)] = {box, key, head, index};
  head = slot;
  if (key == kUnbounded) unbounded_.push_back(slot);
}

void HierarchicalGrid::unlink(std::int32_t slot) {
  const Entry& entry = entries_[static_cast<std::size_t>(slot)];
  std::int32_t* link = &heads_[bucket_of(entry.key)];
  while (*link != slot) link = &entries_[static_cast<std::size_t>(*link)].next;
  *link = entry.next;
  const int level = level_of(entry);
  if (level == kUnbounded) {
    std::erase(unbounded_, slot);
  } else if (--levels_[static_cast<std::size_t>(level)].count == 0) {
    occupied_ &= ~(std::uint64_t{1} << level);
  }
}

}  // namespace carom::geometry
