// Many boxes in grids of cubic cells, one grid for every power of two of their sizes: a box stands
// in the one cell that holds its low corner, at the level whose cells are two to four times its
// largest extent. So it overlaps boxes of its own level or a higher one within a few cells of each,
// and all pairs of n boxes that crowd no more than a bounded number over a point are found in O(n
// (1 + log R)) for sizes of ratio R: the bound of Overmars' method in Mirtich & Canny, §3.2.
//
// Cells are hashed, empty ones cost nothing, and after `build` the boxes of one cell lie side by
// side. A box that is infinite, or over 2⁶⁰ times the resolution of `build`, is compared with all
// others.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/geometry/box3.h"

namespace carom::geometry {

class HierarchicalGrid {
 public:
  void build(std::span<const Box3> boxes);
  void relocate(std::int32_t index, const Box3& box);

  // visit(j) for every box j that overlaps `box`, in any order. Looking up finer levels costs as
  // many cells as `box` covers there, or a scan of all boxes where that is less.
  template <class Visit>
  void visit_overlaps(const Box3& box, const Visit& visit) const;

  // visit(i, j) once for every two boxes that overlap, in any order.
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
    double count() const;
  };

  static int level_of(const Entry& entry) { return static_cast<int>(entry.key & 63U); }
  static std::uint64_t key_of(int level, const Cell& cell);
  void set_resolution(std::span<const Box3> boxes);
  int find_level(const Box3& box) const;
  std::uint64_t register_box(const Box3& box);
  CellRange cells_for(const Box3& box, int level) const;
  std::size_t bucket_of(std::uint64_t key) const { return key >> bucket_shift_; }
  void link_buckets();
  void unlink(std::int32_t slot);

  template <class Visit>
  void visit_cells(const CellRange& cells, int level, const Visit& visit) const;

  int base_exponent_ = 0;  // level 0 has cells of 2 to this power
  std::array<Level, 64> levels_;
  std::uint64_t occupied_ = 0;  // a bit for every level that holds something
  unsigned bucket_shift_ = 63;
  std::vector<Entry> entries_;           // bucket by bucket as built; then in place
  std::vector<std::int32_t> slots_;      // of each box in entries_
  std::vector<std::int32_t> heads_;      // of each bucket
  std::vector<std::int32_t> unbounded_;  // slots
  std::vector<std::uint64_t> keys_;      // while building
};

template <class Visit>
void HierarchicalGrid::visit_cells(const CellRange& cells, int level, const Visit& visit) const {
  for (std::int64_t z = cells.first[2]; z <= cells.last[2]; ++z) {
    for (std::int64_t y = cells.first[1]; y <= cells.last[1]; ++y) {
      for (std::int64_t x = cells.first[0]; x <= cells.last[0]; ++x) {
        const std::uint64_t key = key_of(level, {x, y, z});
        for (std::int32_t slot = heads_[bucket_of(key)]; slot != kNone;
             slot = entries_[static_cast<std::size_t>(slot)].next) {
          const Entry& entry = entries_[static_cast<std::size_t>(slot)];
          if (entry.key == key) visit(slot, entry);
        }
      }
    }
  }
}

template <class Visit>
void HierarchicalGrid::visit_overlaps(const Box3& box, const Visit& visit) const {
  const auto test = [&](std::int32_t /*slot*/, const Entry& entry) {
    if (entry.box.overlaps(box)) visit(entry.index);
  };
  std::uint64_t scanned = 0;
  for (std::uint64_t rest = occupied_; rest != 0; rest &= rest - 1) {
    const int level = std::countr_zero(rest);
    const CellRange cells = cells_for(box, level);
    if (cells.count() > 8 + levels_[static_cast<std::size_t>(level)].count) {
      scanned |= std::uint64_t{1} << level;
    } else {
      visit_cells(cells, level, test);
    }
  }
  for (const std::int32_t slot : unbounded_) test(slot, entries_[static_cast<std::size_t>(slot)]);
  if (scanned == 0) return;
  for (const Entry& entry : entries_) {
    if (((scanned >> level_of(entry)) & 1U) != 0) test(kNone, entry);
  }
}

template <class Visit>
void HierarchicalGrid::visit_pairs(const Visit& visit) const {
  for (std::size_t s = 0; s < entries_.size(); ++s) {
    const Entry& one = entries_[s];
    const int own = level_of(one);
    if (own == kUnbounded) continue;
    const auto same_level = [&](std::int32_t slot, const Entry& other) {
      if (slot > static_cast<std::int32_t>(s) && one.box.overlaps(other.box)) {
        visit(one.index, other.index);
      }
    };
    const auto higher_level = [&](std::int32_t /*slot*/, const Entry& other) {
      if (one.box.overlaps(other.box)) visit(one.index, other.index);
    };
    visit_cells(cells_for(one.box, own), own, same_level);
    for (std::uint64_t rest = occupied_ >> own >> 1U << own << 1U; rest != 0; rest &= rest - 1) {
      const int level = std::countr_zero(rest);
      visit_cells(cells_for(one.box, level), level, higher_level);
    }
  }
  for (const std::int32_t u : unbounded_) {
    const Entry& one = entries_[static_cast<std::size_t>(u)];
    for (std::size_t s = 0; s < entries_.size(); ++s) {
      if (level_of(entries_[s]) == kUnbounded && static_cast<std::int32_t>(s) <= u) continue;
      if (one.box.overlaps(entries_[s].box)) visit(one.index, entries_[s].index);
    }
  }
}

}  // namespace carom::geometry
