// Lemke's complementary pivoting for the linear complementarity problem with any matrix,
//
//     0 <= z  ⟂  w = M z + q >= 0.
//
// An artificial z₀ makes w = M z + q + z₀·1 feasible; pivots from one almost complementary basis to
// the next drive it out. Which variable leaves is decided lexicographically (the ratio test on
// [q | B⁻¹] instead of q), so that no basis comes twice, however degenerate the problem. It ends
// with a solution for every copositive M for which zᵀMz = 0, 0 <= z ⟂ Mz >= 0 implies qᵀz >= 0
// (positive semidefinite and frictional contact problems among them); otherwise it may end on a
// ray. The numbers of the answer come from one fresh solve with the last basis, so errors of the
// pivots do not add up in them, and the residual is recomputed from M, q and z.
//
// Cost: 4n² per pivot, and in practice about as many pivots as there are positive z.
#pragma once

#include <vector>

#include "carom/math/buffers.h"

namespace carom::solvers {

enum class LemkeStatus {
  Solved,
  RayTermination,  // no solution is reached from here; z is the last basis', with z₀ > 0
  IterationCap,
};

struct LemkeResult {
  LemkeStatus status = LemkeStatus::Solved;
  int pivots = 0;
  double residual = 0;  // greatest |min(z_i, w_i)|
};

struct LemkeOptions {
  int max_pivots = 10'000;
};

// Memory, kept between calls so that nothing is allocated once warm.
struct LemkeScratch {
  math::MatBuffer tableau, system;
  math::VecBuffer column, fresh;
  std::vector<math::Index> basis, candidates, active;
};

[[nodiscard]] LemkeResult solve_lemke(math::ConstMatView M, math::ConstVecView q, math::VecView z,
                                      LemkeScratch& scratch, const LemkeOptions& options = {});

}  // namespace carom::solvers
