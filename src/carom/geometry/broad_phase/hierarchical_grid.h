// Many boxes in grids of cubic cells, one grid for every power of two of their sizes: a box stands
// in the one cell that holds its low corner, at the level whose cells are two to four times its
// largest extent. So it overlaps boxes of its own level or a higher one within a few cells of each,
// and all pairs of n boxes that crowd no more than a bounded number over a point are found in O(n
// (1 + log R)) for sizes of ratio R: the bound of Overmars' method in Mirtich & Canny, §3.2. What
// overlaps one box is found above it in the same way, and below it in a tree over low corners: O(1
// + log R + log n) and as many corners as lie in two to three times its extent.
//
// Cells are hashed, eight neighbours to a block; a look at an empty one mostly ends at one bit.
// `build` lays the boxes out along a curve through space, so that neighbours share cache lines.
// Boxes that `relocate` puts far from where they were built are found as surely, but slow the tree
// down: build again after many. A box that is infinite, or over 2⁶⁰ times the resolution of
// `build`, is compared with all others.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/geometry/broad_phase/box3.h"
#include "carom/geometry/broad_phase/box_tree.h"
#include "carom/geometry/broad_phase/spatial_order.h"

namespace carom::geometry {

class HierarchicalGrid {
 public:
  void build(std::span<const Box3> boxes);
  void relocate(std::int32_t index, const Box3& box);

  // visit(j) for every box j that overlaps `box`, in any order. Looking up finer levels costs as
  // many cells as `box` covers there, or a scan of all boxes where that is less.
  template <class Visit>
  void visit_overlaps(const Box3& box, const Visit& visit) const;

  // visit(i, j) once for every two boxes that overlap, in any order. Only until the first
  // relocation.
  template <class Visit>
  void visit_pairs(const Visit& visit) const;

 private:
  static constexpr int kUnbounded = 63;  // the level of boxes that no grid holds
  static constexpr std::int32_t kNone = -1;

  struct alignas(64) Entry {
    Box3 box;
    std::uint64_t key;  // of its cell; the lowest six bits are the level
    std::int32_t next;  // in the same bucket
    std::int32_t index;
  };
  struct Level {
    double inverse_size = 0;
    Vec3 extent = Vec3::Zero();  // the largest along each axis that was ever put here
    std::int32_t count = 0;
  };
  using Cell = std::array<std::int64_t, 3>;
  struct CellRange {
    Cell first, last;
  };

  static int level_of(const Entry& entry) { return static_cast<int>(entry.key & 63U); }
  static Box3 corner_of(const Entry& entry);  // empty for what no grid holds
  static std::uint64_t key_of(int level, const Cell& cell);
  void set_resolution(std::span<const Box3> boxes);
  int find_level(const Box3& box) const;
  std::uint64_t register_box(const Box3& box);
  CellRange cells_for(const Box3& box, int level) const;
  Box3 corners_for(const Box3& box, int level) const;
  std::uint64_t levels_from(int level) const { return occupied_ & (~std::uint64_t{0} << level); }
  std::size_t bucket_of(std::uint64_t key) const;
  static unsigned cell_in_block(std::uint64_t key) { return (key >> 6U) & 7U; }
  bool may_hold(std::uint64_t key) const {
    return ((filter_[key >> filter_shift_] >> cell_in_block(key)) & 1U) != 0;
  }
  void link(std::int32_t slot);
  void unlink(std::int32_t slot);

  // visit(entry) for the entries in the cells, of those in slots after `slot`; as long as nothing
  // was relocated a bucket's slots descend, so these come first.
  template <class Visit>
  void visit_cells(const CellRange& cells, int level, std::int32_t slot, const Visit& visit) const;

  int base_exponent_ = 0;  // level 0 has cells of 2 to this power
  std::array<Level, 64> levels_;
  std::uint64_t occupied_ = 0;  // a bit for every level that holds something
  unsigned block_shift_ = 60, filter_shift_ = 60;
  SpatialOrder order_;
  std::vector<Entry> entries_;           // along the curve as built; then in place
  std::vector<std::int32_t> slots_;      // of each box in entries_
  std::vector<std::int32_t> heads_;      // of each bucket
  std::vector<std::uint8_t> filter_;     // a bit for every cell that may hold something, by blocks
  std::vector<std::int32_t> unbounded_;  // slots
  BoxTree corners_;                      // the low corners of entries_
  std::vector<Box3> scratch_;
};

inline std::size_t HierarchicalGrid::bucket_of(std::uint64_t key) const {
  return ((key >> block_shift_) << 3U) | cell_in_block(key);
}

// From the highest bits down: a hash of the block of 2×2×2 cells, the cell in its block, the level.
inline std::uint64_t HierarchicalGrid::key_of(int level, const Cell& cell) {
  const auto x = static_cast<std::uint64_t>(cell[0]), y = static_cast<std::uint64_t>(cell[1]),
             z = static_cast<std::uint64_t>(cell[2]), l = static_cast<std::uint64_t>(level);
  std::uint64_t block = (x >> 1U) * 0x9e3779b97f4a7c15ULL + (y >> 1U) * 0xc2b2ae3d27d4eb4fULL +
                        (z >> 1U) * 0x165667b19e3779f9ULL + l * 0xd6e8feb86659fd93ULL;
  block = (block ^ (block >> 32U)) * 0xbf58476d1ce4e5b9ULL;
  const std::uint64_t within = (x & 1U) | ((y & 1U) << 1U) | ((z & 1U) << 2U);
  return (block & ~std::uint64_t{511}) | (within << 6U) | l;
}

template <class Visit>
void HierarchicalGrid::visit_cells(const CellRange& cells, int level, std::int32_t slot,
                                   const Visit& visit) const {
  for (std::int64_t z = cells.first[2]; z <= cells.last[2]; ++z) {
    for (std::int64_t y = cells.first[1]; y <= cells.last[1]; ++y) {
      for (std::int64_t x = cells.first[0]; x <= cells.last[0]; ++x) {
        const std::uint64_t key = key_of(level, {x, y, z});
        if (!may_hold(key)) continue;
        for (std::int32_t s = heads_[bucket_of(key)]; s > slot;) {
          const Entry& entry = entries_[static_cast<std::size_t>(s)];
          if (entry.key == key) visit(entry);
          s = entry.next;
        }
      }
    }
  }
}

template <class Visit>
void HierarchicalGrid::visit_overlaps(const Box3& box, const Visit& visit) const {
  const int own = find_level(box);
  const auto test = [&](const Entry& entry) {
    if (entry.box.overlaps(box)) visit(entry.index);
  };
  for (std::uint64_t rest = levels_from(own); rest != 0; rest &= rest - 1) {
    const int level = std::countr_zero(rest);
    visit_cells(cells_for(box, level), level, kNone, test);
  }
  for (const std::int32_t slot : unbounded_) test(entries_[static_cast<std::size_t>(slot)]);
  if (levels_from(own) == occupied_) return;
  corners_.visit_overlaps(corners_for(box, own), [&](std::int32_t slot) {
    const Entry& entry = entries_[static_cast<std::size_t>(slot)];
    if (level_of(entry) < own) test(entry);
  });
}

template <class Visit>
void HierarchicalGrid::visit_pairs(const Visit& visit) const {
  for (std::size_t s = 0; s < entries_.size(); ++s) {
    const Entry& one = entries_[s];
    const auto test = [&](const Entry& other) {
      if (one.box.overlaps(other.box)) visit(one.index, other.index);
    };
    const auto slot = static_cast<std::int32_t>(s);
    const int own = level_of(one);
    if (own == kUnbounded) {
      for (const Entry& other : entries_) {
        if (level_of(other) != kUnbounded || &other > &one) test(other);
      }
      continue;
    }
    for (std::uint64_t rest = levels_from(own); rest != 0; rest &= rest - 1) {
      const int level = std::countr_zero(rest);
      visit_cells(cells_for(one.box, level), level, level == own ? slot : kNone, test);
    }
  }
}

}  // namespace carom::geometry
