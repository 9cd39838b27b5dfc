// Gauss–Seidel-like laws (Vouga et al. 2017): algorithm 2 around an elastic operator R, with
// restitution by blending (section 6.2) and friction (6.3). The operators are those of the laws:
// laws/sequential.h (algorithm 1) and laws/reflections.h; in floating point they end as algorithm 3
// does.
//
//   1. Implicit equalities, like both walls of a ball that fills the gap between them, are found
//   and
//      held, which projects the lineality space out of the velocity and the gradients
//      (implicit_equalities.h). Without it the operator need not end; with it it must.
//   2. q̇₀: the inelastic velocity, at once, by complementarity. q̇₁: the elastic one, by the
//      operator.
//   3. q̇ = (1 - c) q̇₀ + c q̇₁. Contacts of one island may differ in their coefficients c₁ < … < c_m:
//      then q̇ = (1 - c_m) q̇₀ + Σ (c_k - c_{k-1}) q̇_k, where q̇_k is what the operator makes of
//      contacts of c_k or more, while the others are brought to rest as often as they approach.
//   4. Friction within the cones of the normal impulses, and what it drives together pushed apart
//      (dissipation.h).
//
// Coefficients are those of contacts that push in q̇₀. Projection and restitution take energy; the
// operator keeps it; nothing adds any.
#pragma once

#include <functional>

#include "carom/impact/dissipation.h"
#include "carom/impact/implicit_equalities.h"

namespace carom::impact {

struct GaussSeidelOptions {
  Lineality lineality = Lineality::Fast;
  double epsilon = 1e-14;  // an approach slower than this part of the speed is none
  Coupling coupling = Coupling::TwoWay;
  int max_iterations = 1'000'000;
};

struct ElasticResult {
  ImpactStatus status = ImpactStatus::Resolved;
  int iterations = 0;
};
// Applies an elastic operator to the island in the workspace until nothing approaches.
using ElasticOperator = std::function<ElasticResult(ImpactWorkspace& work)>;

ImpactResult resolve_gauss_seidel_like(const GaussSeidelOptions& options,
                                       const ElasticOperator& reflect,
                                       const contact::ContactProblem& problem,
                                       ImpactWorkspace& work, contact::Impulses& out);

}  // namespace carom::impact
