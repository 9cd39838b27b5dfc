#include "carom/math/semidefinite.h"

namespace carom::math {

namespace {

constexpr double kDependent = 1e-12;  // a pivot this much smaller than its diagonal entry was

}  // namespace

void SemidefiniteSolver::decompose() {
  auto L = factors_.view();
  const Index n = L.rows();
  for (Index k = 0; k < n; ++k) {
    const double before = L(k, k);
    double pivot = before;
    for (Index j = 0; j < k; ++j) pivot -= L(k, j) * L(k, j) * L(j, j);
    L(k, k) = pivot > kDependent * before ? pivot : 0;
    for (Index i = k + 1; i < n; ++i) {
      double entry = L(i, k);
      for (Index j = 0; j < k; ++j) entry -= L(i, j) * L(k, j) * L(j, j);
      L(i, k) = L(k, k) > 0 ? entry / L(k, k) : 0;
    }
  }
}

void SemidefiniteSolver::solve_in_place(MatView b) const {
  const auto L = factors_.view();
  const Index n = L.rows();
  for (Index c = 0; c < b.cols(); ++c) {
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < i; ++j) b(i, c) -= L(i, j) * b(j, c);
    }
    for (Index i = n - 1; i >= 0; --i) {
      b(i, c) = L(i, i) > 0 ? b(i, c) / L(i, i) : 0;
      for (Index j = i + 1; j < n; ++j) b(i, c) -= L(j, i) * b(j, c);
    }
  }
}

Index SemidefiniteSolver::rank() const { return (factors_.view().diagonal().array() > 0).count(); }

}  // namespace carom::math
