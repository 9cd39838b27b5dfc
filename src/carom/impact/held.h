// Contacts that squeeze a body: their inequalities can only hold as equalities (Vouga et al.,
// algorithm 2, lines 3 to 11). They are found, held as equalities while a law works on what is left
// free, and given impulses that push in the end.
#pragma once

#include <optional>
#include <utility>

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

// Every island of a problem by `resolve_island(work)`, its squeezed contacts held where an epsilon
// is given.
template <typename ResolveIsland>
ImpactResult resolve_islands(const contact::ContactProblem& problem, std::optional<double> epsilon,
                             const ResolveIsland& resolve_island, ImpactWorkspace& work,
                             contact::Impulses& out) {
  begin(problem, work, out);
  ImpactResult total;
  for (const contact::Island& island : problem.islands) {
    work.watched.poll();
    set_up(problem, island, {}, work);
    work.held.clear();
    const int dimension = epsilon ? hold_squeezed(problem, island, *epsilon, work) : 0;
    ImpactResult result = resolve_island(work);
    result.lineality = dimension;
    if (!work.held.empty()) release_squeezed(problem, island, work);
    work.island.store(std::as_const(work.impulse).view(), out);
    total.add(result);
  }
  return total;
}

}  // namespace carom::impact
