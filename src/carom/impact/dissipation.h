// Normal impulses and friction that take energy out, shared by the laws. Each works on the island
// in `work` as it is now: impulses so far and the y that they lead to.
#pragma once

#include "carom/impact/law.h"

namespace carom::impact {

// The inelastic response to the present velocity, without friction: the nearest feasible y in the
// energy metric,
//
//     0 <= p  ⟂  v + R Rᵀ p >= 0     over all normals.
//
// or over the `normals` that are given. Adds p to the impulses. Where implicit equalities make the
// problem nearly unsolvable, so that the answer is no answer or would do work, it is found by
// sweeps over the normals instead.
void respond_inelastically(ImpactWorkspace& work);
void respond_inelastically(ImpactWorkspace& work, std::span<const std::int32_t> normals);

// Friction after a normal response (Vouga et al., section 6.3): tangential impulses of maximal
// dissipation within |p_t| <= μ p_n, the normal impulses staying as they are. Energy only falls, in
// every step of its iteration, so that ending it early is safe.
void add_friction(ImpactWorkspace& work);

// How friction and normal impulses know of each other.
enum class Coupling {
  OneWay,  // the paper's: friction depends on normal impulses, not the reverse
  TwoWay,  // what friction drives together is pushed apart, with friction of its own
};

// Two-way: as long as some contact approaches, respond inelastically, and let friction use the
// larger cones. Every round takes energy: at least ½(ε s)² when a contact of unit length approaches
// at ε s, and friction never gives any back; so with the energy ½ s² there are at most 1/ε² rounds.
// After `max_rounds` of them the last response is the normal one alone, which is feasible. Returns
// the number of rounds.
struct FinishOptions {
  double epsilon = 1e-13;
  int max_rounds = 100;
};
int finish(ImpactWorkspace& work, const FinishOptions& options = {});

}  // namespace carom::impact
