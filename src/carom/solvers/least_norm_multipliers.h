// Multipliers x that bring chosen unit rows to rest, b + R Rᵀ x = 0: redundant rows share, rows
// that contradict one another are met in the least-squares sense, and x changes from what it was by
// no more than it must (in length). By iterated regularisation
//
//     x += R (α I + RᵀR)⁻² Rᵀ (-b - R Rᵀ x),
//
// which never leaves the range of R, so that nothing is divided by α: for small α a few solutions
// with a factor that is made once.
#pragma once

#include <span>

#include "carom/math/block_factor.h"
#include "carom/solvers/result.h"

namespace carom::solvers {

class LeastNormMultipliers {
 public:
  // `factor` holds α I + RᵀR over the rows with a nonzero entry in `chosen`; b and x have one entry
  // per row, of which only the chosen are read and written. y is Rᵀx, on entry (of all rows) and
  // at the end. The residual is the greatest |b + R Rᵀ x| that x could still take away.
  SolveResult settle(const math::BlockRows& rows, std::span<const char> chosen,
                     std::span<const double> b, math::BlockFactor& factor, std::span<double> x,
                     math::VecView y);

 private:
  math::VecBuffer lacking_, change_;
};

}  // namespace carom::solvers
