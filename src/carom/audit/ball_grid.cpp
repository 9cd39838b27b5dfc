#include "carom/audit/ball_grid.h"

#include <algorithm>
#include <cmath>

namespace carom::audit {

void BallGrid::fill(std::span<const Ball> balls) {
  measure(balls);
  lay_out(balls.size());
  first_.assign(number({counts_[0] - 1, counts_[1] - 1, counts_[2] - 1}) + 3, 0);
  cell_of_.resize(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i) {
    cell_of_[i] = number(locate(balls[i].center));
    ++first_[cell_of_[i] + 2];
  }
  for (std::size_t c = 2; c < first_.size(); ++c) first_[c] += first_[c - 1];
  balls_.resize(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i) balls_[first_[cell_of_[i] + 1]++] = balls[i];
}

// What is a usual radius, and a box around most centres, half as large again.
void BallGrid::measure(std::span<const Ball> balls) {
  constexpr double kUsual = 1.4;         // of the mean
  constexpr std::size_t kTail = 100;     // one ball in so many may lie outside on either side
  constexpr std::size_t kAsked = 2'000;  // balls that are asked, at the least
  if (balls.empty()) return;
  double sum = 0;
  for (const Ball& ball : balls) sum += ball.radius;
  usual_ = kUsual * sum / static_cast<double>(balls.size());
  const std::size_t every = std::max<std::size_t>(balls.size() / kAsked, 1);
  for (int axis = 0; axis < 3; ++axis) {
    sorted_.clear();
    for (std::size_t i = 0; i < balls.size(); i += every) sorted_.push_back(balls[i].center[axis]);
    const auto tail = static_cast<std::ptrdiff_t>(sorted_.size() / kTail);
    const auto low = sorted_.begin() + tail, high = sorted_.end() - 1 - tail;
    std::nth_element(sorted_.begin(), low, sorted_.end());
    low_[axis] = *low;
    std::nth_element(low, high, sorted_.end());
    high_[axis] = *high;
  }
  const Vec3 more = 0.25 * (high_ - low_);
  low_ -= more;
  high_ += more;
}

// Cells as wide as two usual balls reach, or wider where there would be too many.
void BallGrid::lay_out(std::size_t balls) {
  constexpr double kMostCells = 2;  // for each ball
  constexpr double kWider = 1.26;   // half as many
  side_ = usual_ > 0 ? 2 * usual_ : 1;
  const auto cells = [&](int axis) { return std::floor((high_[axis] - low_[axis]) / side_) + 1; };
  while (cells(0) * cells(1) * cells(2) > kMostCells * static_cast<double>(balls) + 1)
    side_ *= kWider;
  for (int axis = 0; axis < 3; ++axis)
    counts_[static_cast<std::size_t>(axis)] = static_cast<int>(cells(axis));
}

int BallGrid::coordinate(double x, int axis) const {
  const int last = counts_[static_cast<std::size_t>(axis)] - 1;
  return static_cast<int>(std::clamp((x - low_[axis]) / side_, 0.0, static_cast<double>(last)));
}

BallGrid::Cell BallGrid::locate(const Vec3& x) const {
  return {coordinate(x.x(), 0), coordinate(x.y(), 1), coordinate(x.z(), 2)};
}

}  // namespace carom::audit
