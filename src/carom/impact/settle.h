// The end of a law that measures approach beside the fastest contact of the island at the start,
// not beside what speed is left: bodies that an impact stops leave noise only, and noise is not
// responded to. Velocities are over the length of their rows, in the energy metric.
#pragma once

#include <cmath>

#include "carom/impact/dissipation.h"

namespace carom::impact {

inline double unit_velocity(const ImpactWorkspace& work, std::int32_t row) {
  const double square = work.island.rows().squared_norm(row);
  return square > 0 ? row_velocity(work, row) / std::sqrt(square) : 0;
}

// The greatest unit velocity of a normal, either way.
double fastest_contact(const ImpactWorkspace& work);

bool anything_approaches(const ImpactWorkspace& work, double tolerance);

// The inelastic response of dissipation.h, with a check that it took energy and ended: where
// squeezed bodies make its problem nearly unsolvable it may not have, and is then found by sweeps
// over the normals, each step of which takes energy.
void stop_approach(ImpactWorkspace& work);

// As long as some contact approaches faster than the tolerance: the inelastic response, and
// friction in the larger cones. The last of `max_rounds` is the inelastic response alone, which is
// feasible. Energy only falls. Returns the number of rounds.
int settle(ImpactWorkspace& work, double tolerance, int max_rounds = 50);

}  // namespace carom::impact
