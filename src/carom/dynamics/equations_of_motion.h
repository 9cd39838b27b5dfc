// Newton and Euler for one body: accelerations from the wrench on it, gravity and the gyroscopic
// term. Fixed and driven bodies, which nothing pushes, do not accelerate.
#pragma once

#include "carom/dynamics/flight.h"

namespace carom::dynamics {

struct Acceleration {
  Vec3 linear = Vec3::Zero();   // of the centre of mass, m/s²
  Vec3 angular = Vec3::Zero();  // world frame, rad/s²
};

// m a = F + m g,  I_W ω' = τ − ω × I_W ω
Acceleration compute_acceleration(const Body& body, const BodyState& state, const Wrench& wrench,
                                  const Vec3& gravity);

// q' of the attitude under a world angular velocity: ½ (0, ω) q.
Quat attitude_rate(const Quat& q, const Vec3& w);

}  // namespace carom::dynamics
