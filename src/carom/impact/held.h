// Contacts that squeeze a body: their inequalities can only hold as equalities (Vouga et al.,
// algorithm 2, lines 3 to 11). They are found, held as equalities while a law works on what is left
// free, and given impulses that push in the end.
#pragma once

#include "carom/impact/law.h"

namespace carom::impact {

// Beside gradients of unit length, masses left out: a wedge narrower than this is a slot.
constexpr double kLinealityEpsilon = 1e-7;

// Finds squeezed contacts of the island in `work` until none is left, and sets the island up again
// with them held; work.held lists them. Returns the dimension of what they take away.
int hold_squeezed(const contact::ContactProblem& problem, const contact::Island& island,
                  double epsilon, ImpactWorkspace& work);

// Sets the island up without holding anything, with the impulses so far and those that held the
// squeezed contacts. As equalities ask for them they may pull; but some positive combination of
// their normals vanishes, so that non-negative ones of the same effect exist, and are taken.
void release_squeezed(const contact::ContactProblem& problem, const contact::Island& island,
                      ImpactWorkspace& work);

}  // namespace carom::impact
