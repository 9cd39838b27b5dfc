// What Gauss–Seidel-like laws share (Vouga et al. 2017): algorithm 2 around an elastic operator,
// its floating-point version (algorithm 3), restitution by blending (section 6.2) and friction
// (6.3).
//
//   1. Lineality: contacts whose inequalities can only hold as equalities, a ball between two
//   walls,
//      are found and held, with their part of the velocity projected out. Without it the operator
//      need not end; with it it must.
//   2. q̇₀: the inelastic velocity, at once, by complementarity. q̇₁: the elastic one, by the
//   operator.
//   3. q̇ = (1 - c) q̇₀ + c q̇₁. Contacts of one island may differ in their coefficients: c is their
//      mean, weighted by the inelastic impulses.
//   4. Friction within the cones of the normal impulses, and what it drives together pushed apart
//      (dissipation.h).
//
// Projection and restitution take energy; the operator keeps it; nothing adds any.
#pragma once

#include <functional>

#include "carom/impact/dissipation.h"
#include "carom/impact/held.h"

namespace carom::impact {

struct IteratedOptions {
  bool lineality = true;
  double lineality_epsilon = kLinealityEpsilon;
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

ImpactResult resolve_iteratively(const IteratedOptions& options, const ElasticOperator& reflect,
                                 const contact::ContactProblem& problem, ImpactWorkspace& work,
                                 contact::Impulses& out);

}  // namespace carom::impact
