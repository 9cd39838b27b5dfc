// Roots of small matrices that may be singular.
#pragma once

#include <cmath>

#include "carom/math/linear_algebra.h"

namespace carom::math {

// C with C Cᵀ = A for a semidefinite A: Cholesky, a vanishing pivot giving a column of zeros.
inline Mat3 root_of(const Mat3& A) {
  Mat3 C = Mat3::Zero();
  for (int k = 0; k < 3; ++k) {
    const double pivot = A(k, k) - C.row(k).head(k).squaredNorm();
    if (pivot <= 0) continue;
    C(k, k) = std::sqrt(pivot);
    for (int i = k + 1; i < 3; ++i) {
      C(i, k) = (A(i, k) - C.row(i).head(k).dot(C.row(k).head(k))) / C(k, k);
    }
  }
  return C;
}

}  // namespace carom::math
