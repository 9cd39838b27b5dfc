// Factors G + δ I for the Gram matrix G of chosen rows, each scaled to unit length, and solves with
// it. Few rows are factored densely, without allocation once warm; many sparsely, at a cost that
// follows the rows' coupling (Eigen's simplicial Cholesky, which allocates).
#pragma once

#include <memory>

#include "carom/math/block_rows.h"

namespace carom::math {

class GramFactor {
 public:
  GramFactor();
  ~GramFactor();
  GramFactor(GramFactor&&) noexcept;
  GramFactor& operator=(GramFactor&&) noexcept;

  // `scale` holds one factor per row of `rows`, of which those in `chosen` are taken. False where a
  // pivot is below what δ guarantees, by round-off or because numbers are not finite: there is
  // nothing to solve with then.
  [[nodiscard]] bool factor(const BlockRows& rows, std::span<const std::int32_t> chosen,
                            std::span<const double> scale, double delta);
  void solve_in_place(VecView b) const;

 private:
  struct Sparse;
  bool factor_densely(const BlockRows& rows, std::span<const std::int32_t> chosen,
                      std::span<const double> scale, double delta);
  bool factor_sparsely(const BlockRows& rows, std::span<const std::int32_t> chosen,
                       std::span<const double> scale, double delta);

  MatBuffer dense_;
  std::unique_ptr<Sparse> sparse_;
  bool is_sparse_ = false;
};

}  // namespace carom::math
