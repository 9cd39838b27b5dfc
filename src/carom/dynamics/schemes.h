// Flight by one step of a numerical scheme, instead of the closed form of flight.h: bodies do not
// act on one another between events, so each is integrated by itself, x, q, v and ω under gravity,
// gyration and a wrench held constant.
//
//   symplectic Euler      order 1: velocities first, then positions with them
//   Runge–Kutta           order 4, the classical formula
//   Dormand–Prince        order 5, their formula of 1980
//
// Between its ends a body follows the quintic that has the scheme's states and accelerations there;
// after symplectic Euler it goes straight on with its new velocities. A body may turn by less than
// half a turn.
#pragma once

#include <span>

#include "carom/dynamics/flight.h"

namespace carom::dynamics {

enum class Scheme { SymplecticEuler, RungeKutta, DormandPrince };

// wrenches is empty, or one per body. Reuses `out`'s memory.
void fly_by(Scheme scheme, const Scene& scene, const State& state, std::span<const Wrench> wrenches,
            double duration, Flight& out);

}  // namespace carom::dynamics
