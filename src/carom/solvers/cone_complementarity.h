// Block Gauss–Seidel for velocities w + R Rᵀ x, with the rows of R and the variables in threes
// (normal, two tangents):
//
//   0 <= x_n  ⟂  w_n >= 0,     |x_t| <= μ x_n,  x_t opposing w_t as far as the disc allows
//                              (maximal dissipation).
//
// With μ = 0 this is the linear complementarity problem of an inelastic impact, and the sweep
// converges. Redundant rows (a chair with four legs) are no obstacle; which of the equivalent x is
// found depends on the order of the rows. One sweep costs as much as there are rows.
#pragma once

#include <span>
#include <vector>

#include "carom/base/watch.h"
#include "carom/math/block_rows.h"
#include "carom/solvers/result.h"

namespace carom::solvers {

// A contact that slides has friction μ x_n against a direction that is known; then its three
// variables are one, and nothing is on the edge of sticking.
struct SlipDirection {
  double first = 0, second = 0;  // a unit vector, or zero for a contact that may stick or slide
  bool slides() const { return first != 0 || second != 0; }
};

struct SweepOptions {
  double tolerance = 0;  // velocity: a sweep that changes no row by more has converged
  int max_sweeps = 20'000;
  std::span<const SlipDirection> sliding{};  // one per contact, or none
  // Normals give way: w_n >= -softness (R Rᵀ)_nn x_n instead of w_n >= 0. Then there is an answer
  // where rows contradict one another, and it shares the violation among them.
  double softness = 0;
};

// A contact's own block of R Rᵀ.
struct OwnBlock {
  double nn = 0, n1 = 0, n2 = 0;
  double tangents = 0;  // the larger eigenvalue of the 2×2 block
};

// Memory to sweep in, kept between calls.
struct SweepScratch {
  math::VecBuffer y;  // Rᵀ x
  std::vector<OwnBlock> own;
  base::Watched watched;
};

// Normal and tangents together. x is the start and the answer; `velocity` ends as w + R Rᵀ x.
SolveResult solve_cone_complementarity(const math::BlockRows& rows, math::VecIn w,
                                       std::span<const double> friction, math::VecView x,
                                       math::VecView velocity, SweepScratch& scratch,
                                       const SweepOptions& options);

// Tangents alone, within discs of given radii; normals stay as they are. Every step of a sweep
// lowers the energy ½|y₀ + Rᵀx|², so that stopping early is safe.
SolveResult solve_friction(const math::BlockRows& rows, math::VecIn w,
                           std::span<const double> radii, math::VecView x, math::VecView velocity,
                           SweepScratch& scratch, const SweepOptions& options);

}  // namespace carom::solvers
