// Which of the inequalities n_iᵀv >= 0 can only hold as equalities. Impact laws use it where their
// setting `lineality` is "shave" (impact/implicit_equalities.h), and it is the reference for the
// faster detection that they use otherwise (lineality.h). In the manner of López' Support and Shave
// (2011; Vouga et al., §4), by linear programs. Inequality i is an implicit equality if and only if
// some λ >= 0 with λ_i > 0 has Σ λ_j n_j = 0. Support: on the inequalities that are left, solve
//
//     max Σ a_i    over 0 <= a_i <= 1, b_i >= 0, λ = a + b,    Σ λ_i n_i = 0.
//
// Null combinations form a cone, so they can be as long as they like and be added to others: the
// optimum has a_i = 1 for every implicit equality, and a_i = λ_i = 0 for the others, and is the
// certificate. Its multipliers v of the d equations are the other one: n_iᵀv >= 0 for all, and
// n_iᵀv >= 1 where a_i = 0 (raising it must not pay), a hyperplane that supports the cone of the
// n_i. Shave: drop those that lie strictly on its side. Repeat until nothing is shaved.
//
// In exact arithmetic one program finds everything and a second confirms it; every program but the
// last shaves one inequality at least, so there are at most m + 1, and one if there are no implicit
// equalities. Gradients are scaled to unit length first; a zero gradient is an implicit equality.
// In floating point Σ λ_i n_i may miss zero by 10⁻⁹ beside λ_i >= 1.
#pragma once

#include <vector>

#include "carom/math/linear_algebra.h"

namespace carom::solvers {

struct ImplicitEqualities {
  std::vector<int> members;
  VecX lambda;          // of every row; positive for the members only, Σ λ_i n_i = 0
  int dimension = 0;    // of the members' span
  int programs = 0;     // linear programs solved
  bool solved = true;   // false if a program was not solved to optimality
  double residual = 0;  // |Σ λ_i n_i| with λ scaled to a greatest entry of one, unit gradients
};

// The rows of `gradients` are the n_i.
[[nodiscard]] ImplicitEqualities find_implicit_equalities(const MatX& gradients);

}  // namespace carom::solvers
