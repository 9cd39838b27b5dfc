// The forces that act at one moment of a flight, as a user wants them: contacts as the method found
// them, and one force and couple for each joint, at its anchor and on the first of its bodies,
// where methods carry one for each of the joint's rows. Forces that vary are interpolated by the
// parabola through start, middle and end. Costs a pass over the forces.
#pragma once

#include <vector>

#include "carom/dynamics/state.h"
#include "carom/record/forces.h"

namespace carom::record {

// `fraction` of the flight has passed, from 0 to 1, and the bodies are at `now`.
void append_acting_forces(const Scene& scene, const Forces& forces, double fraction,
                          const State& now, std::vector<CarriedForce>& out);

}  // namespace carom::record
