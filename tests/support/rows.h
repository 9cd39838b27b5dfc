// Rows made by hand for the solvers.
#pragma once

#include "carom/math/block_rows.h"

namespace carom::support {

// The rows of a dense matrix, on one stretch.
inline math::BlockRows rows_from(const MatX& R) {
  math::BlockRows rows;
  const math::BlockRows::Stretch whole{0, R.cols()};
  rows.reset({&whole, 1});
  for (math::Index i = 0; i < R.rows(); ++i) {
    rows.add(0, math::BlockRows::kNone);
    rows.part(i, 0) = R.row(i).transpose();
  }
  rows.index();
  return rows;
}

// Rows whose Gram matrix is A.
inline math::BlockRows rows_of(const MatX& A) {
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(A);
  const VecX roots = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
  return rows_from(eigen.eigenvectors() * roots.asDiagonal());
}

inline std::vector<std::int32_t> every_row(const math::BlockRows& rows) {
  std::vector<std::int32_t> all;
  for (std::int32_t i = 0; i < rows.size(); ++i) all.push_back(i);
  return all;
}

}  // namespace carom::support
