// Explicit Euler as Drumwright's experiments have it: bodies move with the velocities they have,
// and gravity and gyration act on the velocities afterwards.
#pragma once

#include "carom/dynamics/flight.h"

namespace carom::methods {

void euler_positions(const State& state, double duration, Flight& flight);
// `applied`, empty or one per body: forces beside gravity.
void euler_velocities(const Scene& scene, std::span<const Wrench> applied, double duration,
                      State& state);

}  // namespace carom::methods
