// Baraff's ladder for 0 <= j ⟂ R Rᵀ j + b >= 0 by linear programs (§6). With V the set of vanishing
// rows, those that move away and push nothing:
//
//   1. V = ∅: R Rᵀ j = -b, j >= 0                                                        (19)
//   2. the j of least sum with R Rᵀ j >= -b, j >= 0; V = those whose row it exceeds      (22), (23)
//      j_V = 0 and the rows of V as inequalities, the others as equations                (18)
//   3. the j of step 2 although it is no solution                                        (25)
//
// Equality rows are equations throughout; their j has any sign and is no part of the sum (§7). Rows
// are scaled to unit length and b to one inside. A step that the library cannot solve counts as one
// that failed; if the second fails too, no impulse. The matrix is sparse: rows that share no body
// have no entry. Allocates.
#pragma once

#include <span>

#include "carom/math/block_rows.h"

namespace carom::solvers {

enum class Rung { NothingVanishes, Predicted, LeastSum, Failed };

struct LadderProblem {
  const math::BlockRows& rows;           // indexed
  std::span<const std::int32_t> chosen;  // rows with a sign
  math::ConstVecView b;                  // one entry per row
  std::span<const std::int32_t> equalities{};
  std::span<const double> in_sum{};  // by row: what one unit of j adds to the sum; else one
};

// Writes the impulses of the chosen rows and the equalities to their places in j.
Rung climb_least_sum_ladder(const LadderProblem& problem, math::VecView j);

}  // namespace carom::solvers
