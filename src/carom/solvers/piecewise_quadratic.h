// The least of a function that is quadratic in pieces,
//
//     α/2 |u|² - w·u + ½ Σ s_i²,     s_i = t_i + r_i·u,  or max(0, s_i) where the row is one-sided,
//
// by Newton's method on the set of rows that count, with a search along every step: convex, so that
// it ends at the answer in finitely many steps from wherever it begins, in one where the set is
// guessed right. With α > 0 small this is one proximal step of complementarity problems in the
// energy metric (multipliers s/α), and of least-norm problems (multipliers s). What is factored is
// α I + Σ r rᵀ over the rows that count: as large as there are bodies, however redundant the rows.
#pragma once

#include <span>
#include <vector>

#include "carom/math/block_factor.h"
#include "carom/solvers/result.h"

namespace carom::solvers {

enum class Ramp : char { LeftOut, OneSided, TwoSided };

class PiecewiseQuadratic {
 public:
  struct Problem {
    const math::BlockRows& rows;
    std::span<const Ramp> ramps;  // one per row
    std::span<const double> t;    // one per row
    double alpha;
    math::ConstVecView w;
    int most_factors = 200;
  };
  // `counts`, one per row, says which rows are likely to count and then which did when the factor
  // was made that `factor` is left with. `factor` must have the pattern of the rows. The residual
  // is that of the gradient, the iterations are factors made.
  SolveResult minimise(const Problem& problem, math::BlockFactor& factor, std::span<char> counts,
                       math::VecView u);
  // The same from u on, with the factor that the last call left.
  SolveResult go_on(const Problem& problem, math::BlockFactor& factor, std::span<char> counts,
                    math::VecView u);

 private:
  bool factor_counting(const Problem& problem, math::BlockFactor& factor,
                       std::span<const char> counts) const;
  double measure(const Problem& problem, math::VecIn u);
  bool recount(const Problem& problem, double round_off, std::span<char> counts) const;
  void solve_counting(const Problem& problem, math::BlockFactor& factor,
                      std::span<const char> counts, math::VecView u);
  double find_length(const Problem& problem, math::VecIn u);
  double slope(const Problem& problem, double at) const;

  std::vector<double> s_, along_;  // of every row, and how a step changes it
  math::VecBuffer gradient_, step_;
  double smooth_slope_ = 0, curvature_ = 0;  // along the step, of what is not in pieces
};

}  // namespace carom::solvers
