#include "carom/solvers/support_and_shave.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/linear_program.h"

namespace carom::solvers {

namespace {

using math::Index;

constexpr double kMember = 0.5;          // a_i is one or zero
constexpr double kRankTolerance = 1e-9;  // of unit gradients
// Of Σ λ_i n_i = 0, in unit gradients. Lesser entries are round-off, and are left out: an equation
// of such alone would be scaled up and taken at its word.
constexpr double kProgramTolerance = 1e-9;

MatX unit_rows(const MatX& gradients) {
  MatX rows = gradients;
  for (Index i = 0; i < rows.rows(); ++i) {
    const double length = rows.row(i).norm();
    if (length > 0) rows.row(i) /= length;
  }
  return rows;
}

// The columns a_k of all that are left, then the b_k.
LinearProgram make_support(const MatX& rows, const std::vector<int>& left) {
  LinearProgram program;
  for (Index j = 0; j < rows.cols(); ++j) program.add_row({.lower = 0, .upper = 0});
  const auto add = [&](double cost, const LinearProgram::Bounds& bounds) {
    for (const int i : left) {
      program.add_column(cost, bounds);
      for (Index j = 0; j < rows.cols(); ++j)
        if (std::abs(rows(i, j)) > kProgramTolerance)
          program.add_entry(static_cast<int>(j), rows(i, j));
    }
  };
  add(-1, {.lower = 0, .upper = 1});
  add(0, {.lower = 0});
  return program;
}

// Returns whether anything was shaved.
bool shave(const LinearProgramResult& support, std::vector<int>& left) {
  std::vector<int> rest;
  for (std::size_t k = 0; k < left.size(); ++k)
    if (support.x[k] > kMember) rest.push_back(left[k]);
  const bool shaved = rest.size() < left.size();
  left = std::move(rest);
  return shaved;
}

int rank_of(const MatX& rows, const std::vector<int>& members) {
  MatX spanning(static_cast<Index>(members.size()), rows.cols());
  for (std::size_t k = 0; k < members.size(); ++k)
    spanning.row(static_cast<Index>(k)) = rows.row(members[k]);
  auto factor = spanning.colPivHouseholderQr();
  factor.setThreshold(kRankTolerance);
  return static_cast<int>(factor.rank());
}

void certify(const MatX& rows, const MatX& gradients, const LinearProgramResult& support,
             ImplicitEqualities& found) {
  found.dimension = rank_of(rows, found.members);
  VecX unit = VecX::Zero(rows.rows());
  const std::size_t count = found.members.size();
  for (std::size_t k = 0; k < count; ++k)
    unit[found.members[k]] = support.x[k] + support.x[count + k];
  unit /= unit.maxCoeff();
  found.residual = (rows.transpose() * unit).norm();
  for (const int i : found.members) {
    const double length = gradients.row(i).norm();
    found.lambda[i] = length > 0 ? unit[i] / length : unit[i];
  }
}

}  // namespace

ImplicitEqualities find_implicit_equalities(const MatX& gradients) {
  const MatX rows = unit_rows(gradients);
  ImplicitEqualities found;
  found.lambda = VecX::Zero(rows.rows());
  std::vector<int> left(static_cast<std::size_t>(rows.rows()));
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i);
  while (!left.empty()) {
    const LinearProgramResult support =
        solve_linear_program(make_support(rows, left), {.tolerance = kProgramTolerance});
    ++found.programs;
    found.solved = support.status == LinearProgramStatus::Optimal;
    if (!found.solved) break;
    if (shave(support, left)) continue;
    found.members = left;
    certify(rows, gradients, support, found);
    break;
  }
  return found;
}

}  // namespace carom::solvers
