// Solves A x = b for a symmetric positive semidefinite A that may be singular: L D Lᵀ without
// allocation once warm. Where a pivot vanishes, that row depends on the earlier ones and its
// unknown is zero; for a consistent b the answer is a solution.
#pragma once

#include "carom/math/buffers.h"

namespace carom::math {

class SemidefiniteSolver {
 public:
  template <typename Matrix>
  void factor(const Matrix& A) {
    auto L = factors_.resize(A.rows(), A.cols());
    L = A;
    decompose();
  }

  // Each column of b becomes its solution.
  void solve_in_place(MatView b) const;
  void solve_in_place(VecView b) const { solve_in_place(MatView(b.data(), b.size(), 1)); }
  Index rank() const;

 private:
  void decompose();

  MatBuffer factors_;  // L below the diagonal, D on it; a dropped pivot is zero
};

}  // namespace carom::math
