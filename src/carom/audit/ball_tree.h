// Which of many balls overlap: a balanced tree of boxes around them, made anew each time, joined
// with itself. Costs O(n log n) and the pairs that are told, whatever the sizes are and however
// the balls lie.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/math/linear_algebra.h"

namespace carom::audit {

struct Ball {
  Vec3 center;    // not finite: nowhere, and overlaps nothing
  double radius;  // m
  int number;
};

class BallTree {
 public:
  using Pair = std::pair<int, int>;  // numbers, ascending

  // Appends every two that overlap or touch, in no particular order. Changes the order of `balls`.
  void find_overlaps(std::span<Ball> balls, std::vector<Pair>& out);

 private:
  struct Node {
    Vec3 low, high;           // of the box around its balls
    std::size_t first, last;  // of its balls
    std::size_t second = 0;   // its second child, the first stands after it; 0: a leaf
  };

  std::size_t build(std::size_t first, std::size_t last);
  void join(std::size_t node);
  void join(std::size_t node, std::size_t other);
  void compare(std::size_t i, std::size_t j);

  std::span<Ball> balls_;
  std::vector<Node> nodes_;
  std::vector<Pair>* out_ = nullptr;
};

}  // namespace carom::audit
