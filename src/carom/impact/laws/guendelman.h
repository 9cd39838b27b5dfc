// The impacts of Guendelman, Bridson & Fedkiw 2003: contacts one at a time, in sweeps, each with
// one algebraic impulse. With u the relative velocity, K the collision matrix, n the normal and t
// the direction of sliding:
//
//   stick   the impulse K⁻¹(-e u_n n - u), if it lies in Coulomb's cone and pushes;
//   slide   else j_n (n - μ t) with j_n = -(1 + e) u_n / nᵀK(n - μ t).
//
// Collision sweeps use each contact's e. What still approaches afterwards goes through their
// contact sweeps, with e from -0.9 up to 0, which stop bodies little by little; what is left after
// that, where they propagate shocks up the stack with everything below made immovable, is stopped
// at once by the inelastic complementarity problem with friction (dissipation.h). So the law always
// ends. Their time integration is not part of it (docs/methods/guendelman.md). Departures:
//
//   - one algebraic impulse can gain energy, sticking where normal and tangent are coupled and
//     sliding where it reverses the slip: `Energy::Bounded` takes the greatest e, or the greatest
//     part of the impulse, that does not;
//   - a contact that does not slide but cannot stick slides along where the normal impulse alone
//     would drive it;
//   - where nᵀK(n - μ t) is not positive (jamming), the impulse is the normal one alone;
//   - implicit equalities are held first (implicit_equalities.h).
//
// `iterations` counts the sweeps. Nothing is allocated.
#pragma once

#include "carom/impact/implicit_equalities.h"

namespace carom::impact {

struct Guendelman {
  enum class Energy { Bounded, AsPublished };
  int collision_sweeps = 5;
  int contact_sweeps = 10;
  Energy energy = Energy::Bounded;
  Lineality lineality = Lineality::Fast;
};

ImpactResult resolve(const Guendelman& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out);

}  // namespace carom::impact
