#include "carom/solvers/lemke.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/residual.h"

namespace carom::solvers {

namespace {

using math::ConstMatView;
using math::ConstVecView;
using math::Index;
using math::MatView;
using math::VecView;

constexpr double kPivotTolerance = 1e-11;  // of an entering column, relative to its greatest entry
constexpr double kVanished = 1e-13;        // of z₀, relative to the scale of q
constexpr double kTieTolerance = 1e-13;    // of ratios, relative to the scale of q and of the least

ConstVecView as_const(const VecView& view) { return {view.data(), view.size()}; }

// Columns: w (they hold B⁻¹), z, z₀, q. Rows: the basic variables.
class Tableau {
 public:
  Tableau(ConstMatView M, ConstVecView q, LemkeScratch& scratch)
      : n_(q.size()), scratch_(scratch), rows_(scratch.tableau.resize(n_, 2 * n_ + 2)) {
    scale_ = q.cwiseAbs().maxCoeff();
    rows_.leftCols(n_).setIdentity();
    rows_.middleCols(n_, n_) = -M;
    rows_.col(artificial()).setConstant(-1);
    rows_.col(constants()) = q / scale_;
    scratch_.column.resize(n_);
    scratch_.basis.resize(static_cast<std::size_t>(n_));
    for (Index i = 0; i < n_; ++i) basic(i) = i;
  }

  Index artificial() const { return 2 * n_; }
  Index complement(Index variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  Index& basic(Index row) { return scratch_.basis[static_cast<std::size_t>(row)]; }

  // The row that is lexicographically least: z₀ takes its place first. Among equal constants that
  // is the last one, the rows of B⁻¹ being those of the identity.
  Index worst_row() const {
    Index worst = 0;
    for (Index i = 1; i < n_; ++i)
      if (rows_(i, constants()) <= rows_(worst, constants())) worst = i;
    return worst;
  }

  // The row whose basic variable reaches zero first, or -1: the ray.
  Index leaving_row(Index entering) {
    const auto column = rows_.col(entering);
    const double least_pivot = kPivotTolerance * column.cwiseAbs().maxCoeff();
    auto& candidates = scratch_.candidates;
    candidates.clear();
    for (Index i = 0; i < n_; ++i)
      if (column[i] > least_pivot) candidates.push_back(i);
    if (candidates.empty()) return -1;
    keep_least_ratios(constants(), entering);
    for (const Index row : candidates)
      if (basic(row) == artificial()) return row;
    for (Index k = 0; k < n_ && candidates.size() > 1; ++k) keep_least_ratios(k, entering);
    return candidates.front();
  }

  Index pivot(Index row, Index entering) {  // the variable that leaves
    auto column = scratch_.column.view();
    column = rows_.col(entering);
    const double pivot = column[row];
    for (Index j = 0; j < rows_.cols(); ++j) {
      double* entries = rows_.col(j).data();
      const double scaled = entries[row] / pivot;
      if (scaled == 0) continue;
      rows_.col(j) -= scaled * column;
      entries[row] = scaled;
    }
    rows_.col(entering).setZero();
    rows_(row, entering) = 1;
    const Index left = basic(row);
    basic(row) = entering;
    if (entering == artificial()) artificial_row_ = row;
    return left;
  }

  // Where rows depend on one another, rounding can leave z₀ just above zero with nothing to pivot.
  bool artificial_vanished() const { return rows_(artificial_row_, constants()) <= kVanished; }

  void read(VecView z) {
    z.setZero();
    for (Index i = 0; i < n_; ++i) {
      const Index variable = basic(i);
      if (variable >= n_ && variable < artificial())
        z[variable - n_] = scale_ * std::max(0.0, rows_(i, constants()));
    }
  }

 private:
  Index constants() const { return 2 * n_ + 1; }
  double ratio(Index row, Index column, Index entering) const {
    return rows_(row, column) / rows_(row, entering);
  }

  void keep_least_ratios(Index column, Index entering) {
    double least = ratio(scratch_.candidates.front(), column, entering);
    for (const Index row : scratch_.candidates)
      least = std::min(least, ratio(row, column, entering));
    const double limit = least + kTieTolerance * std::max(1.0, std::abs(least));
    std::erase_if(scratch_.candidates,
                  [&](Index row) { return ratio(row, column, entering) > limit; });
  }

  Index n_;
  Index artificial_row_ = 0;
  double scale_ = 1;
  LemkeScratch& scratch_;
  MatView rows_;
};

// Gaussian elimination with partial pivoting, in place. False where a pivot vanishes.
bool solve_in_place(MatView A, VecView b) {
  const Index n = b.size();
  for (Index k = 0; k < n; ++k) {
    Index best = k;
    A.col(k).tail(n - k).cwiseAbs().maxCoeff(&best);
    best += k;
    if (A(best, k) == 0) return false;
    A.row(k).swap(A.row(best));
    std::swap(b[k], b[best]);
    for (Index i = k + 1; i < n; ++i) A(i, k) /= A(k, k);
    for (Index j = k + 1; j < n; ++j)
      A.col(j).tail(n - k - 1) -= A(k, j) * A.col(k).tail(n - k - 1);
    b.tail(n - k - 1) -= b[k] * A.col(k).tail(n - k - 1);
  }
  for (Index k = n - 1; k >= 0; --k) {
    b[k] /= A(k, k);
    b.head(k) -= b[k] * A.col(k).head(k);
  }
  return b.allFinite();
}

void list_active(Index n, LemkeScratch& scratch) {
  scratch.active.clear();
  for (const Index variable : scratch.basis)
    if (variable >= n && variable < 2 * n) scratch.active.push_back(variable - n);
  std::sort(scratch.active.begin(), scratch.active.end());
}

// The basis says which z are positive; M_αα z_α = -q_α says how large. Kept if it is the better
// answer: with z₀ still basic the block may be singular.
double solve_afresh(ConstMatView M, ConstVecView q, VecView z, LemkeScratch& scratch) {
  const double before = compute_complementarity_residual(M, q, as_const(z));
  list_active(q.size(), scratch);
  const auto& active = scratch.active;
  const auto size = static_cast<Index>(active.size());
  auto A = scratch.system.resize(size, size);
  auto b = scratch.column.resize(size);
  for (Index i = 0; i < size; ++i) {
    const Index row = active[static_cast<std::size_t>(i)];
    b[i] = -q[row];
    for (Index j = 0; j < size; ++j) A(i, j) = M(row, active[static_cast<std::size_t>(j)]);
  }
  if (!solve_in_place(A, b)) return before;
  auto fresh = scratch.fresh.resize(q.size());
  fresh.setZero();
  for (Index i = 0; i < size; ++i) fresh[active[static_cast<std::size_t>(i)]] = std::max(0.0, b[i]);
  const double after = compute_complementarity_residual(M, q, as_const(fresh));
  if (after < before) z = fresh;
  return std::min(before, after);
}

LemkeResult pivot_to_the_end(Tableau& tableau, const LemkeOptions& options) {
  LemkeResult result;
  Index entering = tableau.artificial();
  for (Index row = tableau.worst_row(); row >= 0; row = tableau.leaving_row(entering)) {
    if (result.pivots == options.max_pivots) {
      result.status = LemkeStatus::IterationCap;
      return result;
    }
    ++result.pivots;
    const Index left = tableau.pivot(row, entering);
    if (left == tableau.artificial() || tableau.artificial_vanished()) return result;
    entering = tableau.complement(left);
  }
  result.status = LemkeStatus::RayTermination;
  return result;
}

}  // namespace

LemkeResult solve_lemke(ConstMatView M, ConstVecView q, VecView z, LemkeScratch& scratch,
                        const LemkeOptions& options) {
  z.setZero();
  if (q.size() == 0 || q.minCoeff() >= 0) return {};
  Tableau tableau(M, q, scratch);
  LemkeResult result = pivot_to_the_end(tableau, options);
  tableau.read(z);
  result.residual = result.status == LemkeStatus::Solved
                        ? solve_afresh(M, q, z, scratch)
                        : compute_complementarity_residual(M, q, as_const(z));
  return result;
}

}  // namespace carom::solvers
