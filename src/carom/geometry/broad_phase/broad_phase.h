// Which of many boxes overlap. Boxes grown by a skin stand in a hierarchical grid, with a list of
// the pairs whose grown boxes overlap; the answer is those of them that really do. While boxes stay
// in their skins a call costs one pass over boxes and candidates; those that leave are looked up
// anew, and when many did, or after enough calls, all are, in O(n (1 + log R)) for sizes of ratio R
// (see hierarchical_grid.h). What is kept from call to call never changes an answer, only its cost.
//
// For the heap of Mirtich & Canny, §3.2: set all boxes at the start of a frame, then move those of
// colliding bodies and ask for their partners, at the cost of the cells they cover.
//
// Boxes may be flat, points, or infinite; an infinite one is compared with all others. No NaN.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "carom/geometry/broad_phase/box3.h"
#include "carom/geometry/broad_phase/hierarchical_grid.h"

namespace carom::geometry {

class BroadPhase {
 public:
  using Pair = std::pair<std::int32_t, std::int32_t>;

  // Index pairs (i < j) of overlapping boxes, in ascending order; valid until the next call.
  std::span<const Pair> find_overlaps(std::span<const Box3> boxes);

  // Replaces box i of those last given.
  void move(std::int32_t i, const Box3& box);

  // The boxes that overlap box i as they now are, without i itself, ascending.
  void overlaps_with(std::int32_t i, std::vector<std::int32_t>& out) const;

 private:
  void copy_and_find_leavers(std::span<const Box3> boxes);
  bool is_stale(std::int32_t i) const { return stale_[static_cast<std::size_t>(i)] != 0; }
  void rebuild();
  void select_overlaps();
  void look_up_stale();
  void sort_candidates();

  std::vector<Box3> boxes_, grown_;
  HierarchicalGrid grid_;  // of grown boxes
  std::vector<Pair> candidates_, overlaps_, scratch_, fresh_;
  std::vector<std::int32_t> stale_list_;  // boxes whose candidates are out of date
  std::vector<char> stale_;
  std::vector<std::int32_t> leavers_, starts_;
  int calls_since_rebuild_ = 0;
};

}  // namespace carom::geometry
