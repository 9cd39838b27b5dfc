// Which of many balls of similar size overlap: cells as wide as the usual ball, made anew each
// time. Costs O(n) and the pairs that are told while the balls lie about evenly; one much larger
// than the mean looks through all cells that it may reach, at its own cost alone. Balls are
// compared several at a time in single precision, each with as much to spare as that can miss.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/audit/ball_tree.h"

namespace carom::audit {

// Balls in single precision, compared several at a time, with room for what rounding may hide.
class BallBatch {
 public:
  void resize(std::size_t count);
  void put(std::size_t place, const Vec3& center, double radius, int number);
  // Its balls from one place to another behind the first `count`, which become that many more.
  void append(const BallBatch& other, std::size_t from, std::size_t to, std::size_t& count);

  // The places of those from one to another that a ball may touch; until the next call.
  std::span<const std::uint32_t> find_near(std::size_t ball, std::size_t from, std::size_t to);
  int number(std::size_t place) const { return number_[place]; }
  float radius(std::size_t place) const { return radius_[place]; }
  Vec3 center(std::size_t place) const { return Vec3(x_[place], y_[place], z_[place]); }
  std::size_t compared() const { return compared_; }

 private:
  std::vector<float> x_, y_, z_, radius_;
  std::vector<int> number_;
  std::vector<float> apart_;  // m²; of those that are compared
  std::vector<std::uint32_t> found_;
  std::size_t compared_ = 0;
};

class BallGrid {
 public:
  void fill(std::span<const Ball> balls);  // which are somewhere

  // Calls visit(i, j) with the numbers of every two that overlap or touch, some of them twice, and
  // of some that are apart by less than 1e-6 of how far they are from the others, in an order that
  // depends on the balls alone.
  template <typename Visit>
  void visit_overlaps(const Visit& visit);

  std::size_t compared() const { return balls_.compared() + near_.compared(); }  // pairs, so far

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
    const auto at = [](int k) { return static_cast<std::size_t>(k); };
    return (at(z) * at(counts_[1]) + at(y)) * at(counts_[0]) + at(x);
  }
  Row row(int low, int high, int y, int z) const {  // from low to high along x
    return {first_[number({low, y, z})], first_[number({high, y, z}) + 1]};
  }
  std::size_t gather(const Cell& cell, Row own);
  template <typename Visit>
  void visit_cell(const Cell& cell, const Visit& visit);
  template <typename Visit>
  void visit_reach(std::size_t i, const Visit& visit);

  double usual_ = 0;  // m; the greatest radius of balls that cells side by side see
  double side_ = 1;   // m
  Vec3 low_ = Vec3::Zero(), high_ = Vec3::Zero();  // what is outside is in the cells at the border
  Cell counts_{1, 1, 1};
  std::vector<std::uint32_t> first_;  // per cell, where its balls stand, and one more
  std::vector<std::uint32_t> cell_of_;
  BallBatch balls_;                 // cell by cell, from low_
  BallBatch near_;                  // a cell's, and those in half of the 26 cells around it
  std::vector<std::size_t> large_;  // places of those above the usual
  std::vector<double> sorted_;
};

template <typename Visit>
void BallGrid::visit_overlaps(const Visit& visit) {
  Cell cell{};
  for (cell[2] = 0; cell[2] < counts_[2]; ++cell[2])
    for (cell[1] = 0; cell[1] < counts_[1]; ++cell[1])
      for (cell[0] = 0; cell[0] < counts_[0]; ++cell[0]) visit_cell(cell, visit);
  for (const std::size_t i : large_) visit_reach(i, visit);
}

template <typename Visit>
void BallGrid::visit_cell(const Cell& cell, const Visit& visit) {
  const Row own = row(cell[0], cell[0], cell[1], cell[2]);
  if (own.from == own.to) return;
  const std::size_t count = gather(cell, own);
  for (std::size_t i = 0; i < own.to - own.from; ++i)
    for (const std::size_t j : near_.find_near(i, i + 1, count))
      visit(near_.number(i), near_.number(j));
}

// All that are no larger: larger ones look for themselves.
template <typename Visit>
void BallGrid::visit_reach(std::size_t i, const Visit& visit) {
  const Vec3 center = low_ + balls_.center(i), reach = Vec3::Constant(2 * balls_.radius(i));
  const Cell low = locate(center - reach), high = locate(center + reach);
  for (int z = low[2]; z <= high[2]; ++z) {
    for (int y = low[1]; y <= high[1]; ++y) {
      const Row others = row(low[0], high[0], y, z);
      for (const std::size_t j : balls_.find_near(i, others.from, others.to))
        if (j != i) visit(balls_.number(i), balls_.number(j));
    }
  }
}

}  // namespace carom::audit
