#include "carom/solvers/dual_active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::solvers {

namespace {

using math::at;
using math::BlockRows;
using math::Index;
using math::VecIn;

constexpr double kDependent = 1e-10;  // of a unit row, beside the active ones
constexpr double kRoundOff = 1e-15;   // of the numbers that a violation is the sum of

}  // namespace

struct DualActiveSet::Problem {
  const BlockRows& rows;
  std::span<const std::int32_t> chosen;
  std::span<const double> scale;
  VecIn b;
  double size;  // the greatest |b| in unit rows
};

std::int32_t DualActiveSet::find_most_violated(const Problem& problem, double& violation) {
  std::int32_t found = -1;
  violation = -kRoundOff * (problem.size + z_.view().norm());
  for (const std::int32_t row : problem.chosen) {
    if (problem.scale[at(row)] == 0 || is_active_[at(row)] != 0) continue;
    const double slack =
        problem.scale[at(row)] * (problem.b[row] + problem.rows.dot(row, z_.view()));
    if (slack >= violation) continue;
    violation = slack;
    found = row;
  }
  return found;
}

// Splits a unit row into what the active rows span and the rest; is there a rest?
bool DualActiveSet::decompose(const Problem& problem, std::int32_t row) {
  const Index k = factored_;
  auto rest = rest_.view();
  auto along = along_.resize(k);
  rest.setZero();
  problem.rows.add_to(rest, row, problem.scale[at(row)]);
  along.setZero();
  const auto basis = basis_.view().leftCols(k);
  for (int pass = 0; pass < 2; ++pass) {
    for (Index j = 0; j < k; ++j) {
      const double part = basis.col(j).dot(rest);
      along[j] += part;
      rest -= part * basis.col(j);
    }
  }
  rest_norm2_ = rest.squaredNorm();
  auto dual = dual_.resize(k);
  dual = along;
  for (Index i = k - 1; i >= 0; --i) {
    for (Index j = i + 1; j < k; ++j) dual[i] -= triangle_.view()(i, j) * dual[j];
    dual[i] /= triangle_.view()(i, i);
  }
  return rest_norm2_ > kDependent * kDependent;
}

// Takes the row just decomposed into the factors.
void DualActiveSet::append() {
  const Index k = factored_++;
  basis_.view().col(k) = rest_.view() / std::sqrt(rest_norm2_);
  triangle_.view().col(k).head(k) = along_.view();
  triangle_.view()(k, k) = std::sqrt(rest_norm2_);
}

// The columns after the one that leaves are made anew.
void DualActiveSet::drop(const Problem& problem, std::size_t active) {
  is_active_[at(active_[active])] = 0;
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(active));
  multipliers_.erase(multipliers_.begin() + static_cast<std::ptrdiff_t>(active));
  factored_ = static_cast<Index>(active);
  for (std::size_t i = active; i < active_.size(); ++i) {
    decompose(problem, active_[i]);
    append();
  }
}

ActiveSetStatus DualActiveSet::enforce(const Problem& problem, std::int32_t row, double violation) {
  double multiplier = 0;
  for (std::size_t step = 0; step <= 2 * problem.chosen.size(); ++step) {
    const bool independent = decompose(problem, row);
    const auto dual = dual_.view();
    double dual_limit = std::numeric_limits<double>::infinity();
    std::size_t leaving = 0;
    for (std::size_t j = 0; j < active_.size(); ++j) {
      const double rate = dual[static_cast<Index>(j)];
      if (rate <= 0 || multipliers_[j] / rate >= dual_limit) continue;
      dual_limit = multipliers_[j] / rate;
      leaving = j;
    }
    const double primal_limit =
        independent ? -violation / rest_norm2_ : std::numeric_limits<double>::infinity();
    const double length = std::min(dual_limit, primal_limit);
    if (length == std::numeric_limits<double>::infinity()) return ActiveSetStatus::Infeasible;
    for (std::size_t j = 0; j < active_.size(); ++j)
      multipliers_[j] = std::max(multipliers_[j] - length * dual[static_cast<Index>(j)], 0.0);
    multiplier += length;
    if (independent) {
      z_.view() += length * rest_.view();
      violation += length * rest_norm2_;
    }
    if (length == primal_limit) {
      append();
      active_.push_back(row);
      multipliers_.push_back(multiplier);
      is_active_[at(row)] = 1;
      return ActiveSetStatus::Solved;
    }
    drop(problem, leaving);
  }
  return ActiveSetStatus::IterationCap;
}

DualActiveSet::Result DualActiveSet::solve(const BlockRows& rows,
                                           std::span<const std::int32_t> chosen,
                                           std::span<const double> scale, VecIn b,
                                           std::span<double> x) {
  Problem problem{rows, chosen, scale, b, 0};
  is_active_.assign(static_cast<std::size_t>(rows.size()), 0);
  for (const std::int32_t row : chosen)
    problem.size = std::max(problem.size, std::abs(b[row]) * scale[at(row)]);
  const Index most = std::min(rows.dimension(), static_cast<Index>(chosen.size())) + 1;
  basis_.resize(rows.dimension(), most);
  triangle_.resize(most, most);
  z_.resize(rows.dimension()).setZero();
  rest_.resize(rows.dimension());
  active_.clear();
  factored_ = 0;
  multipliers_.clear();
  Result result{ActiveSetStatus::IterationCap, 0};
  const int cap = 100 + 10 * static_cast<int>(chosen.size());
  while (result.iterations < cap) {
    double violation = 0;
    const std::int32_t row = find_most_violated(problem, violation);
    if (row < 0) {
      result.status = ActiveSetStatus::Solved;
      break;
    }
    ++result.iterations;
    if (static_cast<Index>(active_.size()) >= most) break;
    const ActiveSetStatus enforced = enforce(problem, row, violation);
    if (enforced != ActiveSetStatus::Solved) {
      result.status = enforced;
      break;
    }
  }
  for (const std::int32_t row : chosen) x[at(row)] = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) x[at(active_[i])] = multipliers_[i];
  return result;
}

}  // namespace carom::solvers
