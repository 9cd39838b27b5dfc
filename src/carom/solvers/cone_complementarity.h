// Block Gauss–Seidel for velocities w + A x, A symmetric positive semidefinite, with variables in
// threes (normal, two tangents):
//
//   0 <= x_n  ⟂  w_n >= 0,     |x_t| <= μ x_n,  x_t opposing w_t as far as the disc allows
//                              (maximal dissipation).
//
// With μ = 0 this is the linear complementarity problem of an inelastic impact, and the sweep
// converges for every semidefinite A. Redundant rows (a chair with four legs) are no obstacle;
// which of the equivalent x is found depends on the order of the rows. Cost: one sweep is (3m)².
#pragma once

#include <span>

#include "carom/math/buffers.h"

namespace carom::solvers {

enum class SolveStatus { Converged, IterationCap };

struct SolveResult {
  SolveStatus status = SolveStatus::Converged;
  int iterations = 0;
  double residual = 0;  // velocity; recomputed from A, w and x after the last sweep
};

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
};

// Normal and tangents together. x is the start and the answer; `velocity` is scratch and ends as w
// + A x.
SolveResult solve_cone_complementarity(math::ConstMatView A, math::ConstVecView w,
                                       std::span<const double> friction, math::VecView x,
                                       math::VecView velocity, const SweepOptions& options);

// Tangents alone, within discs of given radii; normals stay as they are.
SolveResult solve_friction(math::ConstMatView A, math::ConstVecView w,
                           std::span<const double> radii, math::VecView x, math::VecView velocity,
                           const SweepOptions& options);

}  // namespace carom::solvers
