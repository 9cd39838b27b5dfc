#include "carom/audit/ball_tree.h"

#include <algorithm>
#include <cmath>

namespace carom::audit {

namespace {

constexpr std::size_t kMostInLeaf = 8;

}  // namespace

void BallTree::find_overlaps(std::span<Ball> balls, std::vector<Pair>& out) {
  const auto end = std::partition(balls.begin(), balls.end(), [](const Ball& ball) {
    return ball.center.allFinite() && std::isfinite(ball.radius);
  });
  balls_ = balls.first(static_cast<std::size_t>(end - balls.begin()));
  out_ = &out;
  nodes_.clear();
  if (balls_.empty()) return;
  build(0, balls_.size());
  join(0);
}

// Halves the balls across the longest side of the box around their centres.
std::size_t BallTree::build(std::size_t first, std::size_t last) {
  Vec3 low = balls_[first].center, high = low, box_low = low, box_high = low;
  for (const Ball& ball : balls_.subspan(first, last - first)) {
    low = low.cwiseMin(ball.center);
    high = high.cwiseMax(ball.center);
    box_low = box_low.cwiseMin((ball.center.array() - ball.radius).matrix());
    box_high = box_high.cwiseMax((ball.center.array() + ball.radius).matrix());
  }
  const std::size_t node = nodes_.size();
  nodes_.push_back({box_low, box_high, first, last});
  if (last - first <= kMostInLeaf) return node;
  math::Index axis = 0;
  (high - low).maxCoeff(&axis);
  const std::size_t middle = first + (last - first) / 2;
  const auto at = [&](std::size_t i) { return balls_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(first), at(middle), at(last), [&](const Ball& a, const Ball& b) {
    return std::pair(a.center[axis], a.number) < std::pair(b.center[axis], b.number);
  });
  build(first, middle);
  const std::size_t second = build(middle, last);
  nodes_[node].second = second;
  return node;
}

void BallTree::join(std::size_t node) {
  const Node& of = nodes_[node];
  if (of.second != 0) {
    join(node + 1);
    join(of.second);
    return join(node + 1, of.second);
  }
  for (std::size_t i = of.first; i < of.last; ++i)
    for (std::size_t j = i + 1; j < of.last; ++j) compare(i, j);
}

// The larger of the two is divided.
void BallTree::join(std::size_t node, std::size_t other) {
  const Node &a = nodes_[node], &b = nodes_[other];
  if ((a.low.array() > b.high.array()).any() || (b.low.array() > a.high.array()).any()) return;
  const bool divides_a = a.second != 0 && (b.second == 0 || a.last - a.first >= b.last - b.first);
  if (divides_a) {
    join(node + 1, other);
    return join(a.second, other);
  }
  if (b.second != 0) {
    join(node, other + 1);
    return join(node, b.second);
  }
  for (std::size_t i = a.first; i < a.last; ++i)
    for (std::size_t j = b.first; j < b.last; ++j) compare(i, j);
}

void BallTree::compare(std::size_t i, std::size_t j) {
  const Ball &a = balls_[i], &b = balls_[j];
  const double reach = a.radius + b.radius;
  if ((a.center - b.center).squaredNorm() > reach * reach) return;
  out_->push_back(std::minmax(a.number, b.number));
}

}  // namespace carom::audit
