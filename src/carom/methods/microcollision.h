// Impulse-based simulation (Mirtich & Canny): bodies fly freely and collide, nothing else. Whatever
// rests, slides or rolls does so by microcollisions; there are no contact forces and no constraints
// but joints. Which engine keeps the clocks is the bench's choice (workbench_hops.cpp).
//
// Hops need room. Where collisions follow one another while time stands still, as of a ball that
// just fits between two walls or of a light body under a very heavy one, contact forces finish the
// frame (zeno_free.h), which is counted.
#pragma once

#include "carom/methods/workbench.h"

namespace carom::methods {

struct Microcollision {
  Law impact;
  ClockOptions clocks;
};

AdvanceResult advance(const Microcollision& method, Workbench& bench, State& state, double t_end);

}  // namespace carom::methods
