#include "carom/solvers/nonnegative.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

namespace {

using math::at;
using math::BlockRows;
using math::Index;
using math::VecIn;
using math::VecView;

// Beside unit diagonals. A larger δ leaves the combinations that change nothing alone (its
// round-off is divided by δ), a smaller one converges faster where rows nearly oppose each other.
constexpr double kFirstDelta = 1e-4, kLeastDelta = 1e-9;
constexpr int kMaxProximal = 20;
constexpr double kGood = 1e-12;  // beside |b|: beyond this the active set on the rows does better
constexpr int kPatience = 8;     // block exchanges without progress
constexpr int kRowsForPatience = 64;             // one exchange more for as many rows
constexpr std::size_t kMostForActiveSet = 1024;  // rows: beyond, the dense method takes too long
constexpr double kRoundOff = 4e-15;              // of the numbers that a velocity is the sum of

}  // namespace

struct NonnegativeSolver::Problem {
  const BlockRows& rows;
  std::span<const std::int32_t> chosen;
  VecIn b;
  double scale;  // the greatest |b| in unit rows
};

double NonnegativeSolver::unit_velocity(const Problem& problem, std::int32_t row) const {
  return scale_[at(row)] * (problem.b[row] + problem.rows.dot(row, y_.view()));
}

void NonnegativeSolver::recompute(const Problem& problem) {
  auto y = y_.resize(problem.rows.dimension());
  largest_ = 0;
  for (const std::int32_t row : problem.chosen) {  // only what these rows act on is ever read
    for (const int part : {0, 1}) {
      if (problem.rows.stretch_of(row, part) == BlockRows::kNone) continue;
      const auto& at =
          problem.rows.stretches()[static_cast<std::size_t>(problem.rows.stretch_of(row, part))];
      y.segment(at.first, at.size).setZero();
    }
  }
  for (const std::int32_t row : problem.chosen) {
    largest_ = std::max(largest_, std::abs(unit_[at(row)]));
    if (unit_[at(row)] != 0) problem.rows.add_to(y, row, unit_[at(row)] * scale_[at(row)]);
  }
}

void NonnegativeSolver::choose_pushing(const Problem& problem) {
  pushing_.clear();
  for (const std::int32_t row : problem.chosen) {
    if (pushes_[at(row)] != 0) pushing_.push_back(row);
  }
  factored_ = false;
}

// The pushing rows come to (R Rᵀ + δ) x = -b + δ center, the others to zero; refined with residuals
// from the rows themselves. False where they cannot be factored.
bool NonnegativeSolver::solve_pushing(const Problem& problem) {
  if (!factored_) {
    for (const std::int32_t row : problem.chosen) {
      if (pushes_[at(row)] == 0) unit_[at(row)] = 0;
    }
    factored_ = pushing_.empty() || factor_.factor(problem.rows, pushing_, scale_, delta_);
    failed_ |= !factored_;
    if (!factored_) return false;
  }
  for (int refinement = 0; refinement < 3; ++refinement) {
    recompute(problem);
    if (pushing_.empty()) return true;
    auto right = right_.resize(static_cast<Index>(pushing_.size()));
    for (std::size_t i = 0; i < pushing_.size(); ++i) {
      const std::int32_t row = pushing_[i];
      right[static_cast<Index>(i)] =
          -unit_velocity(problem, row) - delta_ * (unit_[at(row)] - center_[at(row)]);
    }
    if (refinement > 0 && right.cwiseAbs().maxCoeff() <= kRoundOff * problem.scale) return true;
    factor_.solve_in_place(right);
    for (std::size_t i = 0; i < pushing_.size(); ++i)
      unit_[at(pushing_[i])] += right[static_cast<Index>(i)];
  }
  recompute(problem);
  return true;
}

// Rows that pull, and rows that approach without pushing, change sides; how many there were.
int NonnegativeSolver::exchange(const Problem& problem) {
  wrong_.clear();
  const double slack = kRoundOff * (problem.scale + largest_);
  for (const std::int32_t row : problem.chosen) {
    if (scale_[at(row)] == 0) continue;
    const bool wrong = pushes_[at(row)] != 0
                           ? unit_[at(row)] < -slack
                           : unit_velocity(problem, row) - delta_ * center_[at(row)] < -slack;
    if (wrong) wrong_.push_back(row);
  }
  for (const std::int32_t row : wrong_) pushes_[at(row)] = pushes_[at(row)] == 0 ? 1 : 0;
  if (!wrong_.empty()) choose_pushing(problem);
  return static_cast<int>(wrong_.size());
}

// Did the exchanges end? They are given up when they no longer bring fewer wrong rows.
bool NonnegativeSolver::pivot(const Problem& problem, int& iterations) {
  int least = static_cast<int>(problem.chosen.size()) + 1;
  const int enough = kPatience + static_cast<int>(problem.chosen.size()) / kRowsForPatience;
  for (int patience = enough; patience > 0; --patience) {
    if (!solve_pushing(problem)) return false;
    ++iterations;
    const int wrong = exchange(problem);
    if (wrong == 0) return true;
    if (wrong < least) patience = enough;
    least = std::min(least, wrong);
  }
  return false;
}

// Of the natural map, in velocity of unit rows, without δ.
double NonnegativeSolver::residual(const Problem& problem) const {
  double worst = 0;
  for (const std::int32_t row : problem.chosen) {
    if (scale_[at(row)] == 0) continue;
    worst = std::max(worst, std::abs(std::min(unit_velocity(problem, row), unit_[at(row)])));
  }
  return worst;
}

// Proximal steps around the pivoting, until the residual is at round-off or they no longer help.
SolveResult NonnegativeSolver::solve_by_pivoting(const Problem& problem, double tolerance) {
  delta_ = kFirstDelta;
  SolveResult result{.status = SolveStatus::IterationCap};
  double before = problem.scale;
  for (int proximal = 0; proximal < kMaxProximal; ++proximal) {
    const bool ended = pivot(problem, result.iterations);
    for (const std::int32_t row : problem.chosen)
      center_[at(row)] = unit_[at(row)] = std::max(unit_[at(row)], 0.0);
    recompute(problem);
    result.residual = residual(problem);
    if (!ended) break;
    const bool good = result.residual <= tolerance * problem.scale;
    if (good && result.status == SolveStatus::Converged) break;
    if (good) result.status = SolveStatus::Converged;  // one more step takes it to round-off
    if (!good && result.residual > 0.1 * before) {     // slow: take a smaller δ, or it is round-off
      if (delta_ < kLeastDelta) break;
      delta_ *= 1e-2;
      factored_ = false;
    }
    before = result.residual;
  }
  return result;
}

SolveResult NonnegativeSolver::solve(const BlockRows& rows, std::span<const std::int32_t> chosen,
                                     VecIn b, VecView x, double tolerance) {
  const auto count = static_cast<std::size_t>(rows.size());
  scale_.resize(count);
  unit_.resize(count);
  center_.resize(count);
  pushes_.resize(count);
  Problem problem{rows, chosen, b, 0};
  for (const std::int32_t row : chosen) {
    const double norm = std::sqrt(rows.squared_norm(row));
    scale_[at(row)] = norm > 0 ? 1 / norm : 0;
    problem.scale = std::max(problem.scale, std::abs(b[row]) * scale_[at(row)]);
    pushes_[at(row)] = norm > 0 && (x[row] > 0 || b[row] <= 0) ? 1 : 0;
    unit_[at(row)] = center_[at(row)] = 0;
  }
  failed_ = false;
  choose_pushing(problem);
  SolveResult result = solve_by_pivoting(problem, tolerance);
  const bool good = !failed_ && result.residual <= kGood * problem.scale;
  if (!good && chosen.size() <= kMostForActiveSet) {
    const auto exact = active_set_.solve(rows, chosen, scale_, b, unit_);
    recompute(problem);
    result.status = exact.status == ActiveSetStatus::Solved ? SolveStatus::Converged
                                                            : SolveStatus::IterationCap;
    result.iterations += exact.iterations;
    result.residual = residual(problem);
  }
  for (const std::int32_t row : chosen) x[row] = unit_[at(row)] * scale_[at(row)];
  return result;
}

}  // namespace carom::solvers
