// Pairwise Gauss–Seidel (Vouga et al., algorithm 1 with the operator of eq. 1): while some contact
// approaches, reflect one of them,
//
//     q̇ ← q̇ - 2 (n_iᵀq̇) M⁻¹ n_i,   n_i of unit M⁻¹-norm,
//
// which is elastic. Around it stand algorithm 2, restitution and friction (gauss_seidel_like.h).
// One reflection costs as much as the two bodies have contacts, and log m to find the next.
#pragma once

#include <cstdint>

#include "carom/impact/gauss_seidel_like.h"

namespace carom::impact {

enum class Order { Lexicographic, Random, Deepest };

struct Sequential {
  Order order = Order::Lexicographic;
  std::uint64_t seed = 0;  // of the random order
  GaussSeidelOptions options{};
};

// The elastic operator, applied until nothing approaches.
ElasticResult reflect_one_by_one(const Sequential& law, ImpactWorkspace& work);

ImpactResult resolve(const Sequential& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out);

}  // namespace carom::impact
