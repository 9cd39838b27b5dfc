// A force and a torque on a body, and laws that give them.
#pragma once

#include <functional>

#include "carom/dynamics/state.h"

namespace carom::dynamics {

// Force and torque about the centre of mass, world axes, constant over a flight; gravity excluded.
struct Wrench {
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
  double leverage = 0;  // sum of the sizes of the torques that make up `torque`

  // Opposed torques cancel to round-off, not to zero; what is left of them is none.
  bool has_torque() const { return torque.norm() > kRoundOff * leverage; }
  static constexpr double kRoundOff = 1e-14;
};

// A program's law for one body: a force at its centre of mass and a torque about it, world
// axes. It must depend on nothing but the body and the state.
using ForceLaw = std::function<Wrench(BodyId, const State&)>;

}  // namespace carom::dynamics

namespace carom {
using dynamics::Wrench;
}  // namespace carom
