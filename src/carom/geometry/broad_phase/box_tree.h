// A tree of boxes over a list of boxes: each node is the box around eight neighbours of the list,
// so the list should run through space without jumping (see spatial_order.h). The tree is implicit,
// a few arrays without pointers. A query costs O(log n) and what it finds, if the list is well
// ordered and the boxes are of similar size; changing one box costs O(log n) and may cost later
// queries more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/geometry/broad_phase/box3.h"

namespace carom::geometry {

class BoxTree {
 public:
  void build(std::span<const Box3> boxes);
  void change(std::int32_t i, const Box3& box);

  // visit(i) for every box i that overlaps `box`, ascending.
  template <class Visit>
  void visit_overlaps(const Box3& box, const Visit& visit) const;

 private:
  static constexpr std::size_t kFanOut = 8;

  struct Children {
    std::size_t first, end;  // in the layer below
  };
  Children children_of(std::size_t layer, std::size_t node) const;
  Box3 around_children(std::size_t layer, std::size_t node) const;

  template <class Visit>
  void visit_children(const Box3& box, std::size_t layer, std::size_t node,
                      const Visit& visit) const;

  std::vector<std::vector<Box3>> layers_;  // the list itself first, the root last
  std::size_t height_ = 0;                 // layers in use
};

inline BoxTree::Children BoxTree::children_of(std::size_t layer, std::size_t node) const {
  return {node * kFanOut, std::min((node + 1) * kFanOut, layers_[layer - 1].size())};
}

template <class Visit>
void BoxTree::visit_children(const Box3& box, std::size_t layer, std::size_t node,
                             const Visit& visit) const {
  const Children children = children_of(layer, node);
  for (std::size_t child = children.first; child < children.end; ++child) {
    if (!layers_[layer - 1][child].overlaps(box)) continue;
    if (layer == 1) {
      visit(static_cast<std::int32_t>(child));
    } else {
      visit_children(box, layer - 1, child, visit);
    }
  }
}

template <class Visit>
void BoxTree::visit_overlaps(const Box3& box, const Visit& visit) const {
  if (height_ > 0) visit_children(box, height_ - 1, 0, visit);
}

}  // namespace carom::geometry
