#include "carom/math/cholesky.h"

#include <Eigen/Cholesky>

namespace carom::math {

Vec3 solve_symmetric(const Mat3& A, const Vec3& b) { return A.ldlt().solve(b); }

VecX solve_symmetric(const MatX& A, const VecX& b) { return A.ldlt().solve(b); }

Mat3 lower_root(const Mat3& A) { return A.llt().matrixL(); }

}  // namespace carom::math
