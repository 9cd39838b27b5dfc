// Factors L U of I + Σ Rᵀ D R, for rows R that each act on at most two stretches of a vector
// (block_rows.h) and small square D, symmetric or not. What is kept are blocks of 6 by 6 where the
// factors have entries (elimination.h): a stretch of six numbers, as nearly all are, is one, and
// others are cut into several. No rows are exchanged: where the symmetric part of the matrix is not
// positive definite, answers may need refinement. Keeps its memory; allocates nothing once it has
// grown.
#pragma once

#include <vector>

#include "carom/math/block_rows.h"
#include "carom/math/elimination.h"

namespace carom::math {

class BlockLu {
 public:
  // Where entries may be: between stretches that share a row.
  void set_pattern(const BlockRows& rows);
  // Forgets the entries, not where they may be: the identity.
  void clear();
  // Adds Rᵀ D R of the three rows from `first` on, all of which act on the same stretches.
  void add(const BlockRows& rows, Index first, const Mat3& D);
  // Adds Rᵀ d r of the three rows from `first` on and the row `other`.
  void add(const BlockRows& rows, Index first, Index other, const Vec3& d);
  // False if a pivot is zero or not a number.
  [[nodiscard]] bool factor();
  void solve_in_place(VecView b);

 private:
  static constexpr int kSize = 6;
  using Block = Eigen::Matrix<double, kSize, kSize>;
  using Thin = Eigen::Matrix<double, kSize, 3>;
  struct Tile {
    Index first = 0, size = 0;  // of the vector; what a block has beyond it is the identity
  };
  // Three rows, or one, where they act on one tile.
  struct Rows {
    std::int32_t position = 0;
    Thin values = Thin::Zero();
  };

  void cut_into_tiles(const BlockRows& rows);
  void collect(const BlockRows& rows, Index first, int count, std::vector<Rows>& out) const;
  Block& at(std::int32_t row, std::int32_t column);
  void subtract_column(std::size_t column);

  std::vector<std::int32_t> first_tile_;  // of each stretch, and one beyond
  std::vector<Tile> tiles_;
  Elimination places_;
  std::vector<Elimination::Couple> couples_;
  std::vector<Block> diagonal_, lower_, upper_;
  std::vector<Rows> left_, right_;  // while adding
  VecBuffer permuted_;
};

}  // namespace carom::math
