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
    cell_of_[i] = static_cast<std::uint32_t>(number(locate(balls[i].center)));
    ++first_[cell_of_[i] + 2];
  }
  for (std::size_t c = 2; c < first_.size(); ++c) first_[c] += first_[c - 1];
  balls_.resize(balls.size());
  large_.clear();
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const Ball& ball = balls[i];
    const std::size_t place = first_[cell_of_[i] + 1]++;
    balls_.put(place, ball.center - low_, ball.radius, ball.number);
    if (ball.radius > usual_) large_.push_back(place);
  }
}

std::size_t BallGrid::gather(const Cell& cell, Row own) {
  const auto [x, y, z] = cell;
  const int low = std::max(x - 1, 0), high = std::min(x + 1, counts_[0] - 1);
  std::size_t count = 0;
  const auto append = [&](Row balls) { near_.append(balls_, balls.from, balls.to, count); };
  append({own.from, row(x, high, y, z).to});
  if (y + 1 < counts_[1]) append(row(low, high, y + 1, z));
  if (z + 1 < counts_[2])
    for (int k = std::max(y - 1, 0); k <= std::min(y + 1, counts_[1] - 1); ++k)
      append(row(low, high, k, z + 1));
  return count;
}

void BallBatch::resize(std::size_t count) {
  for (std::vector<float>* part : {&x_, &y_, &z_, &radius_}) part->resize(count);
  number_.resize(count);
}

void BallBatch::append(const BallBatch& other, std::size_t from, std::size_t to,
                       std::size_t& count) {
  const std::size_t end = count + to - from;
  if (number_.size() < end) resize(2 * end);
  for (std::vector<float> BallBatch::* part :
       {&BallBatch::x_, &BallBatch::y_, &BallBatch::z_, &BallBatch::radius_})
    std::copy((other.*part).data() + from, (other.*part).data() + to, (this->*part).data() + count);
  std::copy(other.number_.data() + from, other.number_.data() + to, number_.data() + count);
  count = end;
}

// Rounding moves each of two coordinates, and then the squares of what they differ by, their sum
// and that of the radii, by 6e-8 of their sizes: together by less than is added here.
void BallBatch::put(std::size_t place, const Vec3& center, double radius, int number) {
  constexpr double kSpare = 4e-7;
  x_[place] = static_cast<float>(center.x());
  y_[place] = static_cast<float>(center.y());
  z_[place] = static_cast<float>(center.z());
  radius_[place] = static_cast<float>(radius + kSpare * (center.lpNorm<1>() + radius));
  number_[place] = number;
}

// Two plain loops, of which compilers make vector instructions without branches.
std::span<const std::uint32_t> BallBatch::find_near(std::size_t ball, std::size_t from,
                                                    std::size_t to) {
  const std::size_t count = to - from;
  compared_ += count;
  if (apart_.size() < count) apart_.resize(2 * count);
  if (found_.size() < count) found_.resize(2 * count);
  const float x = x_[ball], y = y_[ball], z = z_[ball], radius = radius_[ball];
  const float *xs = x_.data() + from, *ys = y_.data() + from, *zs = z_.data() + from,
              *radii = radius_.data() + from;
  float* apart = apart_.data();
  for (std::size_t k = 0; k < count; ++k) {
    const float dx = xs[k] - x, dy = ys[k] - y, dz = zs[k] - z, reach = radii[k] + radius;
    apart[k] = dx * dx + dy * dy + dz * dz - reach * reach;
  }
  std::size_t found = 0;
  for (std::size_t k = 0; k < count; ++k) {
    found_[found] = static_cast<std::uint32_t>(from + k);
    found += apart[k] <= 0 ? 1U : 0U;
  }
  return std::span(found_).first(found);
}

// What is a usual radius, and a box around most centres, half as large again. Some balls are asked,
// in steps of the golden section: bodies that stand on a lattice come in a regular order.
void BallGrid::measure(std::span<const Ball> balls) {
  constexpr double kUsual = 1.6;       // of the mean
  constexpr std::size_t kAsked = 300;  // balls that are asked, at the most
  constexpr std::size_t kTail = 100;   // one of them in so many may lie outside on either side
  constexpr double kGolden = 0.618033988749895;
  if (balls.empty()) return;
  const auto count = static_cast<double>(balls.size());
  double sum = 0;
  for (const Ball& ball : balls) sum += ball.radius;
  usual_ = kUsual * sum / count;
  const std::size_t asked = std::min(balls.size(), kAsked);
  for (int axis = 0; axis < 3; ++axis) {
    sorted_.clear();
    for (std::size_t k = 0; k < asked; ++k) {
      const double turns = kGolden * static_cast<double>(k);
      const double at =
          asked < kAsked ? static_cast<double>(k) : count * (turns - std::floor(turns));
      sorted_.push_back(balls[static_cast<std::size_t>(at)].center[axis]);
    }
    std::ranges::sort(sorted_);
    const std::size_t tail = asked / kTail;
    low_[axis] = sorted_[tail];
    high_[axis] = sorted_[asked - 1 - tail];
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
