// Simultaneous collisions (Baraff 1989, §8): all contacts of an island at once,
//
//     v_i⁺ >= -e_i v_i⁻,   j_i >= 0,   j_i (v_i⁺ + e_i v_i⁻) = 0      (28), (29)
//
// over those that do not separate; joints hold (v⁺ = 0 where the paper prints v⁺ = v⁻). Energy
// never grows: it changes by ½ Σ j_i (v_i⁺ + v_i⁻) = ½ Σ (1 - e_i) j_i v_i⁻, and no v_i⁻ is
// positive. There is always a solution: for every λ >= 0 with Σ λ_i n_i = 0 the sum Σ λ_i v_i⁻ is
// zero, so λ_i v_i⁻ is, and Farkas has nothing to object. Contacts that separate are left out, may
// be closed by the impulses, and then make another round (footnote 9). Implicit equalities are held
// first (implicit_equalities.h), since rounds between two walls would not end; after `max_rounds`
// what still approaches is stopped inelastically. Departures:
//
//   - `Exact` solves the complementarity problem as what it is, non-negative least squares in the
//     energy metric; the paper has only the heuristic;
//   - the paper has no friction: it follows the normal response (dissipation.h);
//   - coefficients may differ from contact to contact.
//
// `Heuristic` is the paper's §6 on linear programs: guess that nothing vanishes (19); else predict
// the vanishing set V from the impulses of least sum (22), (23) and verify it (18); else use those
// impulses although they are wrong (25), unless they would do work: then the exact ones. It
// allocates; Exact does not once warm. `iterations` counts the rounds; each rung is counted in the
// result.
#pragma once

#include "carom/impact/implicit_equalities.h"

namespace carom::impact {

struct Simultaneous {
  enum class Solver { Exact, Heuristic };
  Solver solver = Solver::Exact;
  Lineality lineality = Lineality::Fast;
  double epsilon = 1e-13;  // beside the fastest contact, both in the energy metric
  int max_rounds = 100;
};

ImpactResult resolve(const Simultaneous& law, const contact::ContactProblem& problem,
                     ImpactWorkspace& work, contact::Impulses& out);

}  // namespace carom::impact
