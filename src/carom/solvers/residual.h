// What an answer leaves of its problem, computed from the two alone: nothing here sees a basis, a
// tableau or a factor, so a solver cannot flatter itself. Cost: one product with the matrix.
#pragma once

#include <span>

#include "carom/math/buffers.h"

namespace carom::solvers {

struct LinearProgram;

// Of an optimal pair x, y: how far x is outside its bounds, how far y and the reduced costs
// c - Aᵀy have signs that no bound allows, and |cᵀx - the dual objective|.
struct LinearProgramResidual {
  double primal = 0, dual = 0, gap = 0;
};
LinearProgramResidual compute_residual(const LinearProgram& problem, std::span<const double> x,
                                       std::span<const double> duals);

// Of a ray, scaled to a greatest entry of one: the ray proves its point if `margin` is positive,
// up to `error`, by which it misses the conditions that a proof needs.
struct Certificate {
  double margin = 0, error = 0;
};
// Farkas: no x in its bounds has A x in the rows' bounds, since yᵀr over the rows' bounds exceeds
// (Aᵀy)ᵀx over the columns' bounds by the margin.
Certificate check_infeasibility(const LinearProgram& problem, std::span<const double> ray);
// Along the ray the cost falls by the margin, and no bound is ever met.
Certificate check_unboundedness(const LinearProgram& problem, std::span<const double> ray);

// Of 0 <= z ⟂ Mz + q >= 0: the greatest |min(z_i, (Mz + q)_i)|.
double compute_complementarity_residual(math::ConstMatView M, math::ConstVecView q,
                                        math::ConstVecView z);

}  // namespace carom::solvers
