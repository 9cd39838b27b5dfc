// Block Gauss–Seidel for velocities w + R Rᵀ x, with the rows of R and the variables in threes
// (normal, two tangents):
//
//   0 <= x_n  ⟂  w_n >= 0,     |x_t| <= μ x_n,  x_t opposing w_t as far as the disc allows
//                              (maximal dissipation).
//
// Threes of variables after those of contacts are couples, each of one contact:
//
//     |κ| <= c x_n,     κ opposing its w as far as the ball allows.
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

// A couple that resists turning as friction resists slip; `turns` is the unit direction of a
// turning that is known, or zero.
struct Couple {
  math::Index contact = 0;
  double coefficient = 0;  // c
  Vec3 turns = Vec3::Zero();
  bool is_turning() const { return !turns.isZero(0); }
};

// The point of a ball about zero that is nearest to x.
inline Vec3 onto_ball(const Vec3& x, double radius) {
  const double length = x.norm();
  return length > radius ? Vec3(x * (radius / length)) : x;
}

// At least the greatest eigenvalue of R Rᵀ of three rows; that itself where they are orthogonal.
double stiffness_of_three(const math::BlockRows& rows, math::Index first);

struct SweepOptions {
  double tolerance = 0;  // velocity: a sweep that changes no row by more has converged
  int max_sweeps = 20'000;
  std::span<const SlipDirection> sliding{};  // one per contact, or none
  // Normals give way: w_n >= -softness (R Rᵀ)_nn x_n instead of w_n >= 0. Then there is an answer
  // where rows contradict one another, and it shares the violation among them.
  double softness = 0;
  std::span<const Couple> couples{};
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
  std::vector<double> couples;  // stiffness of each
  base::Watched watched;
};

// Normal and tangents together. x is the start and the answer; `velocity` ends as w + R Rᵀ x.
SolveResult solve_cone_complementarity(const math::BlockRows& rows, math::VecIn w,
                                       std::span<const double> friction, math::VecView x,
                                       math::VecView velocity, SweepScratch& scratch,
                                       const SweepOptions& options);

// Tangents alone, within discs of given radii, and couples; normals stay as they are. Every step of
// a sweep lowers the energy ½|y₀ + Rᵀx|², so that stopping early is safe.
SolveResult solve_friction(const math::BlockRows& rows, math::VecIn w,
                           std::span<const double> radii, math::VecView x, math::VecView velocity,
                           SweepScratch& scratch, const SweepOptions& options);

}  // namespace carom::solvers
