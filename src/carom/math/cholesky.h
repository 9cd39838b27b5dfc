// Square systems whose matrix is symmetric, and roots of such matrices. Eigen's templates for them
// cost a compiler seconds, so they are compiled once, here.
#pragma once

#include "carom/math/linear_algebra.h"

namespace carom::math {

// x with A x = b, for a matrix that is symmetric and nowhere negative, by L D Lᵀ with pivoting.
Vec3 solve_symmetric(const Mat3& A, const Vec3& b);
VecX solve_symmetric(const MatX& A, const VecX& b);

// L with A = L Lᵀ, for a matrix that is symmetric and positive.
Mat3 lower_root(const Mat3& A);

}  // namespace carom::math
