// Which balls are near which, by the cells of a grid in which their centres stand. Space is not
// bounded: beyond the grid its cells repeat, so that balls far apart may share one, which costs
// those who look but changes nothing they find. Cells are no narrower than the greatest diameter;
// balls that touch stand in the same cell or in neighbouring ones.
//
// One grid serves all sizes: with n balls a cell, a look costs 27 n. Sizes that differ by up to
// three or four times are served well; much smaller balls among large ones crowd the cells.
// Everything is O(1) for balls of about one size. Memory is that of four cells a ball.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/base/prefetch.h"
#include "carom/methods/microcollision/balls/ball_times.h"

namespace carom::methods {

using CellAt = std::array<std::int32_t, 3>;

class BallCells {
 public:
  // Empties all cells and fits the grid to where most of the balls are.
  void lay_out(const std::vector<Ball>& balls, double greatest_diameter);

  CellAt locate(const Vec3& x) const;
  void insert(std::int32_t ball, const CellAt& at);
  void remove(std::int32_t ball, const CellAt& at);

  // The faces of a cell along one axis.
  double low_face(int axis, std::int32_t at) const { return origin_[axis] + side_ * at; }
  double side() const { return side_; }

  struct Triple {  // offsets of up to three neighbours along an axis
    std::array<std::int32_t, 3> offset;
    int count;
  };
  using Block = std::array<Triple, 3>;

  // The 27 cells about `at`, or the nine of them farthest along `axis` in the direction `step`.
  Block near(const CellAt& at) const {
    return {neighbours(at, 0), neighbours(at, 1), neighbours(at, 2)};
  }
  Block ahead(const CellAt& at, int axis, int step) const;

  std::span<const std::int32_t> find_in(const Block& block);  // valid until the next call

  // Asks for the memory of cells.
  void prefetch(const Block& block) const;
  void prefetch(const CellAt& at) const {
    base::prefetch(&cells_[static_cast<std::size_t>(index_of(at))]);
  }

 private:
  static constexpr std::int32_t kNobody = -1;
  static constexpr std::size_t kRoom = 3;
  struct Cell {
    std::array<std::int32_t, kRoom> balls;  // from the first place on
    std::int32_t more;                      // another cell with the rest, or kNobody
  };

  Triple neighbours(const CellAt& at, int axis) const {
    return {{place(at, axis, -1), place(at, axis, 0), place(at, axis, 1)}, 3};
  }
  std::int32_t place(const CellAt& at, int axis, std::int32_t step) const {
    const auto i = static_cast<std::size_t>(axis);
    const std::int32_t n = count_[i], c = at[i] + step;
    const std::int32_t inside = c >= 0 && c < n ? c : ((c % n) + n) % n;
    return inside * stride_[i];
  }
  std::int32_t index_of(const CellAt& at) const {
    return place(at, 0, 0) + place(at, 1, 0) + place(at, 2, 0);
  }
  Cell& cell(std::int32_t index) { return cells_[static_cast<std::size_t>(index)]; }

  void fit_grid(const std::vector<Ball>& balls, double greatest_diameter);
  std::int32_t take_spare();

  Vec3 origin_ = Vec3::Zero();
  double side_ = 1;
  std::array<std::int32_t, 3> count_{1, 1, 1}, stride_{1, 1, 1};
  std::vector<Cell> cells_;  // of the grid, then those that hold what did not fit
  std::int32_t spare_ = kNobody;
  std::vector<double> sample_;
  std::vector<std::int32_t> near_;
};

}  // namespace carom::methods
