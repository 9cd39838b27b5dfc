#include "carom/math/gram_factor.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>

namespace carom::math {

namespace {

constexpr std::size_t kDense = 48;  // rows: up to here the dense factor is the faster one

// G has no negative eigenvalue, so that every pivot of G + δ I is at least δ; half of it is lost to
// round-off only where δ is far too small. A pivot that is not a number is not sound either.
bool is_sound(double pivot, double delta) { return pivot >= 0.5 * delta && pivot - pivot == 0; }

}  // namespace

struct GramFactor::Sparse {
  std::vector<std::int32_t> place;  // of a row among the chosen, or -1
  std::vector<std::int32_t> marked;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::SparseMatrix<double> matrix;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor;
};

GramFactor::GramFactor() = default;
GramFactor::~GramFactor() = default;
GramFactor::GramFactor(GramFactor&&) noexcept = default;
GramFactor& GramFactor::operator=(GramFactor&&) noexcept = default;

bool GramFactor::factor(const BlockRows& rows, std::span<const std::int32_t> chosen,
                        std::span<const double> scale, double delta) {
  is_sparse_ = chosen.size() > kDense;
  return is_sparse_ ? factor_sparsely(rows, chosen, scale, delta)
                    : factor_densely(rows, chosen, scale, delta);
}

bool GramFactor::factor_densely(const BlockRows& rows, std::span<const std::int32_t> chosen,
                                std::span<const double> scale, double delta) {
  const auto n = static_cast<Index>(chosen.size());
  auto G = dense_.resize(n, n);
  for (Index i = 0; i < n; ++i) {
    const std::int32_t row = chosen[static_cast<std::size_t>(i)];
    for (Index j = 0; j <= i; ++j) {
      const std::int32_t other = chosen[static_cast<std::size_t>(j)];
      G(i, j) = rows.dot(row, Index{other}) * scale[static_cast<std::size_t>(row)] *
                scale[static_cast<std::size_t>(other)];
    }
    G(i, i) += delta;
  }
  for (Index k = 0; k < n; ++k) {  // Cholesky in place
    for (Index j = 0; j < k; ++j) G.col(k).tail(n - k) -= G(k, j) * G.col(j).tail(n - k);
    if (!is_sound(G(k, k), delta)) return false;
    G.col(k).tail(n - k) /= std::sqrt(G(k, k));
  }
  return true;
}

bool GramFactor::factor_sparsely(const BlockRows& rows, std::span<const std::int32_t> chosen,
                                 std::span<const double> scale, double delta) {
  if (!sparse_) sparse_ = std::make_unique<Sparse>();
  Sparse& to = *sparse_;
  to.place.assign(static_cast<std::size_t>(rows.size()), -1);
  to.marked.assign(static_cast<std::size_t>(rows.size()), -1);
  to.entries.clear();
  for (std::size_t i = 0; i < chosen.size(); ++i)
    to.place[static_cast<std::size_t>(chosen[i])] = static_cast<std::int32_t>(i);
  for (const std::int32_t row : chosen) {
    const std::int32_t i = to.place[static_cast<std::size_t>(row)];
    for (const int part : {0, 1}) {
      if (rows.stretch_of(row, part) == BlockRows::kNone) continue;
      for (const std::int32_t other : rows.rows_on(rows.stretch_of(row, part))) {
        const std::int32_t j = to.place[static_cast<std::size_t>(other)];
        if (j < 0 || j > i || to.marked[static_cast<std::size_t>(other)] == row) continue;
        to.marked[static_cast<std::size_t>(other)] = row;
        const double value = rows.dot(row, Index{other}) * scale[static_cast<std::size_t>(row)] *
                             scale[static_cast<std::size_t>(other)];
        to.entries.emplace_back(i, j, value + (i == j ? delta : 0));
      }
    }
  }
  const auto n = static_cast<Index>(chosen.size());
  to.matrix.resize(n, n);
  to.matrix.setFromTriplets(to.entries.begin(), to.entries.end());
  to.factor.compute(to.matrix);
  if (to.factor.info() != Eigen::Success) return false;
  const VecX pivots = to.factor.vectorD();
  return std::all_of(pivots.begin(), pivots.end(), [&](double d) { return is_sound(d, delta); });
}

void GramFactor::solve_in_place(VecView b) const {
  if (is_sparse_) {
    b = sparse_->factor.solve(VecX(b));
    return;
  }
  const auto L = dense_.view();
  L.triangularView<Eigen::Lower>().solveInPlace(b);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(b);
}

}  // namespace carom::math
