// Linear complementarity by trying every active set, in long double: 0 <= x ⟂ w + A x >= 0. Only
// for a handful of rows. For a semidefinite A several x may do; w + A x is the same for all of
// them.
#pragma once

#include <optional>
#include <vector>

#include "carom/math/linear_algebra.h"

namespace carom::reference {

using LongVec = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
using LongMat = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

inline LongVec solve_on(const LongMat& A, const LongVec& w, unsigned active) {
  std::vector<int> rows;
  for (int i = 0; i < w.size(); ++i) {
    if ((active >> i & 1U) != 0) rows.push_back(i);
  }
  LongVec x = LongVec::Zero(w.size());
  if (rows.empty()) return x;
  const LongMat part = A(rows, rows);
  const LongVec right = -w(rows);
  const LongVec solution = part.completeOrthogonalDecomposition().solve(right);
  x(rows) = solution;
  return x;
}

inline std::optional<LongVec> solve_by_enumeration(const MatX& A, const VecX& w) {
  const LongMat matrix = A.cast<long double>();
  const LongVec start = w.cast<long double>();
  const long double slack = 1e-12L * (1 + start.cwiseAbs().maxCoeff());
  for (unsigned active = 0; active < 1U << w.size(); ++active) {
    const LongVec x = solve_on(matrix, start, active);
    const LongVec velocity = start + matrix * x;
    if (x.minCoeff() < -slack || velocity.minCoeff() < -slack) continue;
    if ((x.array() * velocity.array()).abs().maxCoeff() < slack) return x;
  }
  return std::nullopt;
}

}  // namespace carom::reference
