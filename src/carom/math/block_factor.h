// Cholesky factor of α I + Σ w r rᵀ for rows r that each act on at most two stretches of six
// numbers (block_rows.h): bodies and what acts between them. What is kept are blocks of 6 by 6
// where the factor has entries (elimination.h). Stretch k stands at 6 k. Keeps its memory;
// allocates nothing once it has grown.
#pragma once

#include <vector>

#include "carom/math/block_rows.h"
#include "carom/math/elimination.h"

namespace carom::math {

class BlockFactor {
 public:
  // Where entries may be: between stretches that share a row. Every stretch has six numbers.
  void set_pattern(const BlockRows& rows);
  // Forgets the entries, not where they may be: α I.
  void clear(double alpha);
  void add(const BlockRows& rows, Index row, double weight);
  // False if the matrix is not positive definite to round-off.
  [[nodiscard]] bool factor();
  void solve_in_place(VecView b);

 private:
  static constexpr int kSize = 6;
  using Block = Eigen::Matrix<double, kSize, kSize>;
  using Part = Eigen::Matrix<double, kSize, 1>;

  Block& between(std::int32_t low, std::int32_t high) { return blocks_[places_.place(low, high)]; }
  void subtract_column(std::size_t column);

  Elimination places_;
  std::vector<Elimination::Couple> couples_;
  std::vector<Block> diagonal_, blocks_;
  VecBuffer permuted_;
};

}  // namespace carom::math
