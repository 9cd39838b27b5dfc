// Which of many balls of similar size overlap: cells as wide as the usual ball, made anew each
// time. Costs O(n) and the pairs that are told while the balls lie about evenly; one much larger
// than the mean looks through all cells that it may reach, at its own cost alone.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "carom/audit/ball_tree.h"

namespace carom::audit {

class BallGrid {
 public:
  void fill(std::span<const Ball> balls);  // which are somewhere

  // Calls visit(i, j) with the numbers of every two that overlap or touch, some of them twice, in
  // an order that depends on the balls alone.
  template <typename Visit>
  void visit_overlaps(const Visit& visit) const;

 private:
  using Cell = std::array<int, 3>;
  struct Row {  // of balls, cell by cell
    std::size_t from, to;
  };

  void measure(std::span<const Ball> balls);
  void lay_out(std::size_t balls);
  int coordinate(double x, int axis) const;
  Cell locate(const Vec3& x) const;
  std::size_t number(const Cell& cell) const {
    const auto [x, y, z] = cell;
    return static_cast<std::size_t>((z * counts_[1] + y) * counts_[0] + x);
  }
  Row row(int low, int high, int y, int z) const {  // from low to high along x
    return {first_[number({low, y, z})], first_[number({high, y, z}) + 1]};
  }
  template <typename Visit>
  void visit_near(std::size_t i, const Cell& cell, const Visit& visit) const;
  template <typename Visit>
  void visit_reach(const Ball& own, const Visit& visit) const;
  template <typename Visit>
  void compare(const Ball& own, Row others, const Visit& visit) const;

  double usual_ = 0;  // m; the greatest radius of balls that cells side by side see
  double side_ = 1;   // m
  Vec3 low_ = Vec3::Zero(), high_ = Vec3::Zero();  // what is outside is in the cells at the border
  Cell counts_{1, 1, 1};
  std::vector<std::size_t> first_;  // per cell, where its balls stand, and one more
  std::vector<std::size_t> cell_of_;
  std::vector<Ball> balls_;  // cell by cell
  std::vector<double> sorted_;
};

template <typename Visit>
void BallGrid::visit_overlaps(const Visit& visit) const {
  Cell cell{};
  for (cell[2] = 0; cell[2] < counts_[2]; ++cell[2]) {
    for (cell[1] = 0; cell[1] < counts_[1]; ++cell[1]) {
      for (cell[0] = 0; cell[0] < counts_[0]; ++cell[0]) {
        const Row own = row(cell[0], cell[0], cell[1], cell[2]);
        for (std::size_t i = own.from; i < own.to; ++i) visit_near(i, cell, visit);
      }
    }
  }
  for (const Ball& own : balls_)
    if (own.radius > usual_) visit_reach(own, visit);
}

// With half of the 27 cells around, so that each pair comes up once.
template <typename Visit>
void BallGrid::visit_near(std::size_t i, const Cell& cell, const Visit& visit) const {
  const Ball& own = balls_[i];
  const auto [x, y, z] = cell;
  const int low = std::max(x - 1, 0), high = std::min(x + 1, counts_[0] - 1);
  compare(own, {i + 1, row(x, high, y, z).to}, visit);
  if (y + 1 < counts_[1]) compare(own, row(low, high, y + 1, z), visit);
  if (z + 1 == counts_[2]) return;
  for (int k = std::max(y - 1, 0); k <= std::min(y + 1, counts_[1] - 1); ++k)
    compare(own, row(low, high, k, z + 1), visit);
}

// All that are no larger: larger ones look for themselves.
template <typename Visit>
void BallGrid::visit_reach(const Ball& own, const Visit& visit) const {
  const Vec3 reach = Vec3::Constant(2 * own.radius);
  const Cell low = locate(own.center - reach), high = locate(own.center + reach);
  const auto visit_others = [&](int i, int j) {
    if (i != j) visit(i, j);
  };
  for (int z = low[2]; z <= high[2]; ++z)
    for (int y = low[1]; y <= high[1]; ++y) compare(own, row(low[0], high[0], y, z), visit_others);
}

template <typename Visit>
void BallGrid::compare(const Ball& own, Row others, const Visit& visit) const {
  for (std::size_t j = others.from; j < others.to; ++j) {
    const double reach = own.radius + balls_[j].radius;
    if ((own.center - balls_[j].center).squaredNorm() <= reach * reach)
      visit(own.number, balls_[j].number);
  }
}

}  // namespace carom::audit
