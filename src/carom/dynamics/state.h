// Positions and velocities of all bodies at one time. A value: copying it is saving it.
#pragma once

#include <vector>

#include "carom/base/ids.h"
#include "carom/math/pose.h"
#include "carom/model/scene.h"

namespace carom::dynamics {

struct BodyState {
  Vec3 x = Vec3::Zero();      // centre of mass, m
  Quat q = Quat::Identity();  // body to world
  Vec3 v = Vec3::Zero();      // m/s; of the centre of mass
  Vec3 w = Vec3::Zero();      // world frame, rad/s

  Pose pose() const { return {x, q}; }
  Twist twist() const { return {v, w}; }
};

struct State {
  double t = 0;
  std::vector<BodyState> bodies;

  const BodyState& operator[](BodyId id) const { return bodies[index(id)]; }
  BodyState& operator[](BodyId id) { return bodies[index(id)]; }
};

State make_initial_state(const Scene& scene);

// R I R^T and its inverse, world axes.
Mat3 world_inertia(const Body& body, const Quat& q);
Mat3 world_inverse_inertia(const Body& body, const Quat& q);

// Moves every body with the velocity it has; velocities and the time stay.
void drift(double duration, State& state);

bool is_finite(const State& state);

}  // namespace carom::dynamics

namespace carom {
using dynamics::BodyState;
using dynamics::State;
}  // namespace carom
