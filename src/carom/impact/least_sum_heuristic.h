// Baraff's ladder for 0 <= j ⟂ R Rᵀ j + b >= 0 over chosen rows, by linear programs (§6). With V
// the set of vanishing rows, those that move away and push nothing:
//
//   1. V = ∅: R Rᵀ j = -b, j >= 0                                                        (19)
//   2. the j of least sum with R Rᵀ j >= -b, j >= 0; V = those whose row it exceeds      (22), (23)
//      j_V = 0 and the rows of V as inequalities, the others as equations                (18)
//   3. the j of step 2 although it is no solution                                        (25)
//
// Rows are scaled to unit length and b to one inside; the sum is of the impulses themselves. A step
// that the library cannot solve counts as one that failed; if the second fails too, no impulse.
#pragma once

#include <span>

#include "carom/math/block_rows.h"

namespace carom::impact {

enum class Rung { NothingVanishes, Predicted, LeastSum, Failed };

// Writes the impulses of `chosen` to their places in j.
Rung climb_least_sum_ladder(const math::BlockRows& rows, std::span<const std::int32_t> chosen,
                            math::ConstVecView b, math::VecView j);

}  // namespace carom::impact
