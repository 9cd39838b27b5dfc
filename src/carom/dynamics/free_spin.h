// Free rotation by a scheme that keeps energy and the spatial angular momentum to round-off at any
// step, with second-order accuracy: the implicit midpoint rule for the body angular momentum, whose
// step is a rotation by Cayley's transform, and the attitude turned by the same transform. It is
// the structure-keeping counterpart of the exact FreeTop, for bodies whose torques have no closed
// form.
#pragma once

#include "carom/dynamics/integrators.h"
#include "carom/math/rotation.h"

namespace carom::dynamics {

struct FreeSpin {
  IntegrationStatus status = IntegrationStatus::Converged;
  math::RotationState end;
  int steps = 0;
  int iterations = 0;  // of the implicit equation, all steps together
};

// StepLimit: a step was so long that the fixed-point iteration for it did not settle; roughly
// h |ω| must stay below 1.
[[nodiscard]] FreeSpin integrate_free_spin(const math::PrincipalInertia& inertia,
                                           const math::RotationState& start, double duration,
                                           int steps);

}  // namespace carom::dynamics
