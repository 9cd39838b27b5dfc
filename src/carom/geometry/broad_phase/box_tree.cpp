#include "carom/geometry/broad_phase/box_tree.h"

namespace carom::geometry {

Box3 BoxTree::around_children(std::size_t layer, std::size_t node) const {
  const Children children = children_of(layer, node);
  Box3 around = layers_[layer - 1][children.first];
  for (std::size_t child = children.first + 1; child < children.end; ++child) {
    const Box3& box = layers_[layer - 1][child];
    around = {around.low.cwiseMin(box.low), around.high.cwiseMax(box.high)};
  }
  return around;
}

void BoxTree::build(std::span<const Box3> boxes) {
  height_ = 0;
  if (boxes.empty()) return;
  const auto add_layer = [this](std::size_t size) -> std::vector<Box3>& {
    if (layers_.size() == height_) layers_.emplace_back();
    layers_[height_].resize(size);
    return layers_[height_++];
  };
  std::copy(boxes.begin(), boxes.end(), add_layer(boxes.size()).begin());
  do {  // at least one layer of nodes, so that there is a root
    std::vector<Box3>& nodes = add_layer((layers_[height_ - 1].size() + kFanOut - 1) / kFanOut);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = around_children(height_ - 1, i);
  } while (layers_[height_ - 1].size() > 1);
}

void BoxTree::change(std::int32_t i, const Box3& box) {
  auto node = static_cast<std::size_t>(i);
  layers_[0][node] = box;
  for (std::size_t layer = 1; layer < height_; ++layer) {
    node /= kFanOut;
    layers_[layer][node] = around_children(layer, node);
  }
}

}  // namespace carom::geometry
