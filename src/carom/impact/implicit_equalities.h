// Implicit equality constraints (Vouga et al., section 4): contacts whose inequalities can only
// hold as equalities, like both walls of a ball that fills the gap between them. Lines 3 to 12 of
// algorithm 2: they are found, and held as equalities while a law works on what is left free, which
// projects them out of the velocity and out of the other gradients. In the end they are released
// and given impulses that push.
#pragma once

#include "carom/impact/law.h"

namespace carom::impact {

// How implicit equalities are found.
enum class Lineality {
  Off,    // They are not looked for, and then a law need not end.
  Fast,   // One vanishing combination after the other, by shortest points (solvers/lineality.h).
  Shave,  // The paper's linear programs, dense, for all at once (solvers/support_and_shave.h).
};

// Beside gradients of unit length, masses left out: a wedge narrower than this is a slot. Of Fast;
// Shave has the narrower one of its linear programs.
constexpr double kLinealityEpsilon = 1e-7;

// ImplicitEqualityGradients(N) of algorithm 2, line 3: appends contacts of the island in `work` to
// work.implicit_equalities. Returns whether there were any; those that are held already do not
// count, nor do any where a linear program is not solved.
bool find_implicit_equalities(Lineality by, ImpactWorkspace& work);

// Finds implicit equalities until none is left, and sets the island up again with them held (lines
// 4 to 12). Returns the dimension of what they take away, that of the lineality space.
int hold_implicit_equalities(const contact::ContactProblem& problem, const contact::Island& island,
                             Lineality by, ImpactWorkspace& work);

// Sets the island up without holding anything, with the impulses so far and those that held the
// implicit equalities. As equalities ask for them they may pull; but some positive combination of
// their normals vanishes, so that non-negative ones of the same effect exist, and are taken.
void release_implicit_equalities(const contact::ContactProblem& problem,
                                 const contact::Island& island, ImpactWorkspace& work);

// Every island of a problem by `resolve_island(work)`, its implicit equalities held meanwhile.
template <typename ResolveIsland>
ImpactResult resolve_islands(const contact::ContactProblem& problem, Lineality by,
                             const ResolveIsland& resolve_island, ImpactWorkspace& work,
                             contact::Impulses& out) {
  const auto resolve_held = [&](const contact::Island& island) {
    const int dimension = hold_implicit_equalities(problem, island, by, work);
    ImpactResult result = resolve_island(work);
    result.lineality = dimension;
    release_implicit_equalities(problem, island, work);
    return result;
  };
  return resolve_each_island(problem, resolve_held, work, out);
}

}  // namespace carom::impact
