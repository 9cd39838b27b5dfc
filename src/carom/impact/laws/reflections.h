// Generalized reflections (Smith et al. 2012, as Vouga et al. describe them): all approaching
// contacts V at once. With the impulse that would bring them to rest inelastically,
//
//     0 <= λ  ⟂  N_Vᵀ(q̇ + M⁻¹N_V λ) >= 0,      q̇ ← q̇ + 2 M⁻¹ N_V λ,
//
// applied twice, until nothing approaches. Energy stays: the change is 2 λᵀN_Vᵀ(q̇ + M⁻¹N_Vλ) = 0 by
// complementarity. Symmetric set-ups stay symmetric, since no contact comes first. Around it stand
// algorithm 2, restitution and friction (gauss_seidel_like.h). One application costs a
// complementarity problem over V.
#pragma once

#include "carom/impact/gauss_seidel_like.h"

namespace carom::impact {

struct Reflections {
  GaussSeidelOptions options{};
};

// The elastic operator, applied until nothing approaches.
ElasticResult reflect_together(const Reflections& law, ImpactWorkspace& work);

ImpactResult resolve(const Reflections& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out);

}  // namespace carom::impact
