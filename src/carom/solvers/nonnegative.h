// Non-negative least squares in the energy metric: x with
//
//     0 <= x  ⟂  b + R Rᵀ x >= 0        for chosen rows of R.
//
// With b = R y this is the least |y + Rᵀx| over x >= 0: inelastic impacts, one generalized
// reflection, Baraff's simultaneous collisions. Block principal pivoting on R Rᵀ + δ I, rows scaled
// to unit length, inside proximal steps that take the effect of δ out again: they converge for
// every b that has a solution, also when rows are redundant, and end near the least-norm x among
// equivalent ones, so that equal contacts share a load equally. Where the exchanges do not end, the
// factorisation fails, or rows nearly oppose each other so that their products lose too many
// digits, the dual active-set method on the rows themselves takes over; it is finite. The start x
// says which rows are likely to push; it is a hint only. Cost: a few factorisations of the pushing
// rows.
#pragma once

#include "carom/math/gram_factor.h"
#include "carom/solvers/dual_active_set.h"
#include "carom/solvers/result.h"

namespace carom::solvers {

class NonnegativeSolver {
 public:
  // `tolerance` is relative to the greatest |b| in unit rows. b and x have one entry per row of R;
  // only those of `chosen` are read and written. `rows` must be indexed.
  SolveResult solve(const math::BlockRows& rows, std::span<const std::int32_t> chosen,
                    math::VecIn b, math::VecView x, double tolerance = 1e-14);

 private:
  struct Problem;
  void choose_pushing(const Problem& problem);
  [[nodiscard]] bool solve_pushing(const Problem& problem);
  double unit_velocity(const Problem& problem, std::int32_t row) const;
  int exchange(const Problem& problem);
  bool pivot(const Problem& problem, int& iterations);
  SolveResult solve_by_pivoting(const Problem& problem, double tolerance);
  double residual(const Problem& problem) const;
  void recompute(const Problem& problem);

  math::GramFactor factor_;
  DualActiveSet active_set_;
  std::vector<double> scale_;          // 1 / |row|, zero for rows that push nothing
  std::vector<double> unit_, center_;  // x in unit rows, and the proximal centre
  std::vector<char> pushes_;
  std::vector<std::int32_t> pushing_, wrong_;
  math::VecBuffer y_, right_;
  double delta_ = 0, largest_ = 0;          // of unit_
  bool factored_ = false, failed_ = false;  // a factorisation
};

}  // namespace carom::solvers
