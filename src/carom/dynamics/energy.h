// Energy and momentum of a state; only dynamic bodies count, and forces of the scene
// that have a potential.
#pragma once

#include "carom/dynamics/state.h"

namespace carom::dynamics {

struct Energy {
  double kinetic = 0, potential = 0;
  double total() const { return kinetic + potential; }
};
Energy compute_energy(const Scene& scene, const State& state);

struct Momentum {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();  // about the world's origin
};
Momentum compute_momentum(const Scene& scene, const State& state);

}  // namespace carom::dynamics
