// Motion on [t0, t0 + h] between events: every body on its exact path under gravity and, where
// contacts carry it, under forces held constant over the interval. Evaluable anywhere in it.
#pragma once

#include <span>
#include <vector>

#include "carom/dynamics/state.h"
#include "carom/dynamics/wrench.h"
#include "carom/math/rigid_motion.h"

namespace carom::dynamics {

struct Flight {
  double t0 = 0;
  double duration = 0;
  std::vector<RigidMotion> motions;  // one per body

  // Times are measured from t0, so that short intervals late in a run lose no digits.
  void state_at(double s, State& out) const;
  BodyState body_at(BodyId id, double s) const;
};

// Where a body that moves like this is after s seconds.
BodyState state_on(const RigidMotion& motion, double s);

// The path of one body from `state` on that nothing but gravity acts on; fixed and driven ones go
// on as they are.
RigidMotion fly_freely(const Scene& scene, const Body& body, const BodyState& state);

// wrenches is empty, or one per body. Reuses `out`'s memory.
void fly(const Scene& scene, const State& state, std::span<const Wrench> wrenches, double duration,
         Flight& out);

}  // namespace carom::dynamics

namespace carom {
using dynamics::Flight;
}  // namespace carom
