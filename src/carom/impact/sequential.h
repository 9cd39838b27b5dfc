// Pairwise Gauss–Seidel (Vouga et al., eq. 1): while some contact approaches, reflect one of them,
//
//     q̇ ← q̇ - 2 (n_iᵀq̇) M⁻¹ n_i,   n_i of unit M⁻¹-norm,
//
// which is elastic and ends for contacts without implicit equalities. Restitution blends the
// elastic result with the inelastic one (their §6.2), so that no coefficient below 1 makes the
// iteration collapse; friction follows by maximal dissipation within Coulomb's cones (§6.3).
// Departures:
//
//   - contacts of one island may have different coefficients; the blend takes their mean, weighted
//     by the inelastic impulses, which keeps the blend feasible and its energy between the two;
//   - if friction makes a contact approach again, a coupled inelastic solve of normal and friction
//     impulses, which can only take energy out, makes the velocity feasible.
#pragma once

#include <cstdint>

#include "carom/impact/law.h"

namespace carom::impact {

enum class Order { Lexicographic, Random, Deepest };

struct Sequential {
  Order order = Order::Lexicographic;
  std::uint64_t seed = 0;  // of the random order
  int max_iterations = 100'000;
};

ImpactResult resolve(const Sequential& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out);

}  // namespace carom::impact
