// Cholesky factor of α I + Σ w r rᵀ for rows r that each act on at most two stretches of six
// numbers (block_rows.h): bodies and what acts between them. Stretches are eliminated by least
// degree, and what is kept are blocks of 6 by 6 where the factor has entries: a chain of n bodies
// costs n, a wall as wide as high about n^1.5. The order is that of the coupling and is found again
// only when that changes. Stretch k stands at 6 k. Keeps its memory; allocates nothing once it has
// grown.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "carom/math/block_rows.h"

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
  using Couple = std::pair<std::int32_t, std::int32_t>;

  bool find_couples(const BlockRows& rows);
  void order_by_degree();
  std::int32_t find_least_degree() const;
  void eliminate(std::int32_t stretch);
  void place_columns();
  Block& between(std::int32_t low, std::int32_t high);
  void subtract_column(std::size_t column);
  std::span<const std::int32_t> below(std::size_t column) const;

  std::vector<Couple> couples_, found_;
  std::vector<std::vector<std::int32_t>> neighbours_;  // while ordering
  std::vector<std::int32_t> merged_;
  std::vector<std::int32_t> position_, order_;  // of a stretch in the factor, and back
  std::vector<std::size_t> first_below_;        // by column, into row_ and blocks_
  std::vector<std::int32_t> row_;               // positions below the diagonal, rising
  std::vector<Block> diagonal_, blocks_;
  VecBuffer permuted_;
};

}  // namespace carom::math
