// Poisson's restitution with friction in a polygon, as two linear complementarity problems
// (Anitescu & Potra 1997): compression, which stops the approach, and decompression, which gives
// back e times the normal impulse of compression and whatever more keeps contacts from closing.
// Both are solved by Lemke's method, which must find a solution (docs/methods/poisson.md has the
// formulation in full, and why). Friction stays within the polygon of `sides` corners inscribed in
// Coulomb's disc, so it is never above μ p_n, and up to 1 - cos(π / sides) below it. Dense: the
// cost grows with the cube of the contacts of an island, times the cube of the sides.
//
// Compression never gains energy. Decompression can, with friction or with coefficients that differ
// from contact to contact; `Energy::Bounded` then lowers all restitution impulses of the island by
// the least common factor that keeps the impulses from doing work, found by bisection. Where a
// problem is not solved after all, the phase is frictionless first and frictional after.
// Both are counted in the result. Implicit equalities are held first (implicit_equalities.h).
// `iterations` is one for an island that had anything to do.
#pragma once

#include "carom/impact/implicit_equalities.h"

namespace carom::impact {

struct Poisson {
  enum class Energy { Bounded, AsPublished };
  int sides = 16;
  Energy energy = Energy::Bounded;
  Lineality lineality = Lineality::Fast;
};

ImpactResult resolve(const Poisson& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out);

}  // namespace carom::impact
