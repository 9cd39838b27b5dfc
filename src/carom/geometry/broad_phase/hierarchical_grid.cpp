#include "carom/geometry/broad_phase/hierarchical_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/base/prefetch.h"

namespace carom::geometry {

namespace {

// Corners stay below 2 to this power in units of their cells: rounding is then far below a cell.
constexpr int kCellBits = 40;

constexpr std::size_t kAhead = 16;  // boxes asked for before they are read

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

}  // namespace

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

// Where the low corners of overlapping boxes below the level lie.
Box3 HierarchicalGrid::corners_for(const Box3& box, int level) const {
  Vec3 extent = Vec3::Zero();
  for (std::uint64_t rest = occupied_ & ~levels_from(level); rest != 0; rest &= rest - 1) {
    const Level& below = levels_[static_cast<std::size_t>(std::countr_zero(rest))];
    const double rounding = kRounding / below.inverse_size;
    extent = extent.cwiseMax(below.extent + Vec3::Constant(rounding));
  }
  return {box.low - extent, box.high};
}

void HierarchicalGrid::build(std::span<const Box3> boxes) {
  set_resolution(boxes);
  const std::size_t blocks = std::bit_ceil(std::max<std::size_t>(boxes.size() / 4, 2));
  block_shift_ = 64U - static_cast<unsigned>(std::countr_zero(blocks));
  heads_.assign(8 * blocks, kNone);
  filter_shift_ = block_shift_ - 3;  // more bits than buckets, for they are many times smaller
  filter_.assign(8 * blocks, 0);
  entries_.resize(boxes.size());
  slots_.resize(boxes.size());
  scratch_.resize(boxes.size());
  unbounded_.clear();
  const std::span<const std::int32_t> order = order_.sort(boxes);
  for (std::size_t slot = 0; slot < order.size(); ++slot) {
    const std::int32_t index = order[slot];
    base::prefetch(
        &boxes[static_cast<std::size_t>(order[std::min(slot + kAhead, order.size() - 1)])]);
    const Box3& box = boxes[static_cast<std::size_t>(index)];
    slots_[static_cast<std::size_t>(index)] = static_cast<std::int32_t>(slot);
    entries_[slot] = {box, register_box(box), kNone, index};
    link(static_cast<std::int32_t>(slot));
    scratch_[slot] = corner_of(entries_[slot]);
  }
  corners_.build(scratch_);
}

Box3 HierarchicalGrid::corner_of(const Entry& entry) {
  if (level_of(entry) != kUnbounded) return {entry.box.low, entry.box.low};
  const Vec3 infinite = Vec3::Constant(std::numeric_limits<double>::infinity());
  return {infinite, -infinite};
}

void HierarchicalGrid::relocate(std::int32_t index, const Box3& box) {
  const std::int32_t slot = slots_[static_cast<std::size_t>(index)];
  unlink(slot);
  Entry& entry = entries_[static_cast<std::size_t>(slot)];
  entry = {box, register_box(box), kNone, index};
  link(slot);
  corners_.change(slot, corner_of(entry));
}

void HierarchicalGrid::link(std::int32_t slot) {
  Entry& entry = entries_[static_cast<std::size_t>(slot)];
  if (entry.key == kUnbounded) return unbounded_.push_back(slot);
  entry.next = std::exchange(heads_[bucket_of(entry.key)], slot);
  const auto bit = static_cast<std::uint8_t>(1U << cell_in_block(entry.key));
  filter_[entry.key >> filter_shift_] |= bit;
}

void HierarchicalGrid::unlink(std::int32_t slot) {
  const Entry& entry = entries_[static_cast<std::size_t>(slot)];
  const int level = level_of(entry);
  if (level == kUnbounded) {
    std::erase(unbounded_, slot);
    return;
  }
  std::int32_t* link = &heads_[bucket_of(entry.key)];
  while (*link != slot) link = &entries_[static_cast<std::size_t>(*link)].next;
  *link = entry.next;
  if (--levels_[static_cast<std::size_t>(level)].count == 0) {
    occupied_ &= ~(std::uint64_t{1} << level);
  }
}

}  // namespace carom::geometry
