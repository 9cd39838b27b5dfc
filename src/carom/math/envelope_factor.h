// Factors L U of I + Σ Rᵀ D R, for rows R that each act on at most two stretches of a vector
// (block_rows.h) and small square D, symmetric or not. Stretches are coupled where they share a
// row; they are ordered so that coupled ones stand close to each other (reverse Cuthill–McKee), and
// each row of L and column of U is kept from its first entry to the diagonal. No rows are
// exchanged: where the symmetric part of the matrix is not positive definite, answers may need
// refinement. A chain of n bodies costs n, a dense island n³. Keeps its memory; allocates nothing
// once it has grown.
#pragma once

#include <span>
#include <vector>

#include "carom/math/block_rows.h"

namespace carom::math {

class EnvelopeFactor {
 public:
  // Where entries may be: between stretches that share a row.
  void set_pattern(const BlockRows& rows);
  // Forgets the entries, not where they may be: the identity.
  void clear();
  // Adds Rᵀ D R of D.rows() rows from `first` on, all of which act on the same stretches.
  void add(const BlockRows& rows, Index first, const Eigen::Ref<const MatX>& D);
  // Adds Rᵀ D S of D.rows() rows from `first` on and D.cols() from `other` on.
  void add(const BlockRows& rows, Index first, Index other, const Eigen::Ref<const MatX>& D);
  // False if a pivot is zero or not a number.
  [[nodiscard]] bool factor();
  void solve_in_place(VecView b);

 private:
  void add_between(const BlockRows& rows, Index first, const Eigen::Ref<const MatX>& D, int p,
                   int q);
  struct Part {
    Index row;
    int part;
  };
  void add_product(const BlockRows& rows, const Part& left, const Part& right, double scale);
  void collect_neighbours(const BlockRows& rows);
  void order_stretches();
  std::int32_t visit_from(std::int32_t start);
  void place_rows(const BlockRows& rows);
  std::span<const std::int32_t> neighbours_of(std::int32_t stretch) const;
  std::int32_t degree(std::int32_t stretch) const;
  double& entry(Index i, Index j) { return i >= j ? row(i)[j] : column(j)[i]; }
  // Of L at column 0, and of U at row 0; the diagonal stands with L, inverted once factored.
  double* row(Index i) { return lower_.data() + start_[static_cast<std::size_t>(i)]; }
  double* column(Index i) { return upper_.data() + start_[static_cast<std::size_t>(i)]; }
  Index first(Index i) const { return first_[static_cast<std::size_t>(i)]; }

  std::vector<std::pair<std::int32_t, std::int32_t>> couples_;
  std::vector<std::int32_t> first_neighbour_, neighbours_;
  std::vector<std::int32_t> order_;  // stretches, as they stand in the factor
  std::vector<bool> visited_;
  std::vector<Index> position_;  // by stretch: of its first row in the factor
  std::vector<BlockRows::Stretch> stretches_;
  std::vector<Index> first_;           // by row: the first column
  std::vector<std::ptrdiff_t> start_;  // by row: where column 0 would be in lower_
  std::vector<double> lower_, upper_;
  VecBuffer permuted_;
};

}  // namespace carom::math
