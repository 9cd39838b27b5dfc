#include "carom/methods/microcollision/balls/ball_cells.h"

#include <algorithm>

namespace carom::methods {

namespace {

constexpr double kBallsPerCell = 0.7;  // where balls are so sparse that cells may be wide
constexpr double kWider = 1 + 1e-6;    // than a diameter: faces are crossed at rounded times
constexpr double kMostCells = 4;       // per ball
constexpr std::int32_t kFewest = 3;    // along an axis, so that 27 cells are 27
constexpr std::size_t kSample = 1024;
constexpr double kFarthest = 1e9;  // cells; beyond it a coordinate is not told apart

struct Range {
  double low = 0, high = 0;
};

// Where nine tenths of the balls are along an axis, and as much again beyond either end as evenly
// spread balls would reach; a few that have gone far away do not widen it.
Range find_range(const std::vector<Ball>& balls, int axis, std::vector<double>& sample) {
  const std::size_t count = std::min(kSample, balls.size());
  sample.clear();
  for (std::size_t i = 0; i < count; ++i) {
    sample.push_back(balls[i * balls.size() / count].x[axis]);
  }
  std::sort(sample.begin(), sample.end());
  const std::size_t cut = count / 20;
  const double low = sample[cut], high = sample[count - 1 - cut];
  const double margin = 0.06 * (high - low);
  return {low - margin, high + margin};
}

}  // namespace

void BallCells::fit_grid(const std::vector<Ball>& balls, double greatest_diameter) {
  sample_.reserve(kSample);
  const double narrowest = kWider * greatest_diameter;
  Vec3 extent;
  for (int axis = 0; axis < 3; ++axis) {
    const Range range = find_range(balls, axis, sample_);
    origin_[axis] = range.low;
    extent[axis] = std::max(range.high - range.low, narrowest);
  }
  const double share = extent.prod() / static_cast<double>(balls.size());  // of a ball
  side_ = std::max(narrowest, std::cbrt(kBallsPerCell * share));
  const double most = kMostCells * static_cast<double>(balls.size());
  const double shrink = std::min(1.0, std::cbrt(most * side_ * side_ * side_ / extent.prod()));
  std::int32_t stride = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const double cells = shrink * extent[static_cast<int>(i)] / side_;
    count_[i] = std::max(kFewest, static_cast<std::int32_t>(std::min(cells, most)) + 1);
    stride_[i] = stride;
    stride *= count_[i];
  }
}

void BallCells::lay_out(const std::vector<Ball>& balls, double greatest_diameter) {
  fit_grid(balls, greatest_diameter);
  const std::int64_t total_cells = std::int64_t{stride_[2]} * count_[2];
  const auto total = static_cast<std::size_t>(total_cells);
  const std::size_t most = static_cast<std::size_t>(kMostCells) * balls.size();
  cells_.reserve(std::max(total, most) + balls.size());
  cells_.assign(total, {{kNobody, kNobody, kNobody}, kNobody});
  spare_ = kNobody;
  near_.resize(balls.size() + kRoom);
}

CellAt BallCells::locate(const Vec3& x) const {
  CellAt at;
  for (int axis = 0; axis < 3; ++axis) {
    const double cell = std::floor((x[axis] - origin_[axis]) / side_);
    at[static_cast<std::size_t>(axis)] =
        static_cast<std::int32_t>(std::clamp(cell, -kFarthest, kFarthest));
  }
  return at;
}

std::int32_t BallCells::take_spare() {
  if (spare_ == kNobody) {
    cells_.push_back({});
    return static_cast<std::int32_t>(cells_.size()) - 1;
  }
  const std::int32_t taken = spare_;
  spare_ = cell(taken).more;
  return taken;
}

void BallCells::insert(std::int32_t ball, const CellAt& at) {
  std::int32_t index = index_of(at);
  while (cell(index).more != kNobody) index = cell(index).more;
  Cell& last = cell(index);
  const auto free = std::find(last.balls.begin(), last.balls.end(), kNobody);
  if (free != last.balls.end()) {
    *free = ball;
    return;
  }
  const std::int32_t next = take_spare();
  cell(index).more = next;
  cell(next) = {{ball, kNobody, kNobody}, kNobody};
}

// The last of the cell takes its place.
void BallCells::remove(std::int32_t ball, const CellAt& at) {
  std::int32_t* hole = nullptr;
  std::int32_t index = index_of(at), before = kNobody;
  while (true) {
    Cell& here = cell(index);
    const auto found = std::find(here.balls.begin(), here.balls.end(), ball);
    if (found != here.balls.end()) hole = &*found;
    if (here.more == kNobody) break;
    before = index;
    index = here.more;
  }
  Cell& last = cell(index);
  std::size_t filled = kRoom;
  while (last.balls[filled - 1] == kNobody) --filled;
  *hole = last.balls[filled - 1];
  last.balls[filled - 1] = kNobody;
  if (filled > 1 || before == kNobody) return;
  cell(before).more = kNobody;
  last.more = spare_;
  spare_ = index;
}

BallCells::Block BallCells::ahead(const CellAt& at, int axis, int step) const {
  Block block = near(at);
  Triple& across = block[static_cast<std::size_t>(axis)];
  const int farthest = 1 + step;
  across = {{across.offset[static_cast<std::size_t>(farthest)], 0, 0}, 1};
  return block;
}

// All three places of a cell are copied, without asking how many are taken; that is counted.
std::span<const std::int32_t> BallCells::find_in(const Block& block) {
  const auto& [x, y, z] = block;
  std::size_t count = 0;
  const auto take = [&](const Cell& here) {
    for (std::size_t i = 0; i < kRoom; ++i) near_[count + i] = here.balls[i];
    for (std::size_t i = 0; i < kRoom; ++i) count += here.balls[i] != kNobody ? 1U : 0U;
  };
  for (int k = 0; k < z.count; ++k) {
    for (int j = 0; j < y.count; ++j) {
      const std::int32_t row =
          z.offset[static_cast<std::size_t>(k)] + y.offset[static_cast<std::size_t>(j)];
      for (int i = 0; i < x.count; ++i) {
        std::int32_t index = row + x.offset[static_cast<std::size_t>(i)];
        while (index != kNobody) {
          take(cell(index));
          index = cell(index).more;
        }
      }
    }
  }
  return {near_.data(), count};
}

void BallCells::prefetch(const Block& block) const {
  const auto& [x, y, z] = block;
  const std::size_t last = x.count == 3 ? 2 : 0;
  for (int k = 0; k < z.count; ++k) {
    for (int j = 0; j < y.count; ++j) {
      const std::int32_t row =
          z.offset[static_cast<std::size_t>(k)] + y.offset[static_cast<std::size_t>(j)];
      const Cell* first = cells_.data() + row;
      base::prefetch(first + x.offset[0]);
      base::prefetch(first + x.offset[last]);
    }
  }
}

}  // namespace carom::methods
