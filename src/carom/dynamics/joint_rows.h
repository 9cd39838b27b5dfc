// What joints demand of velocities: for each joint the rows J with J·(v_a, w_a, v_b, w_b) = 0, the
// position errors whose rates they are, so that drift can be driven back to zero, and what the rows
// demand of accelerations: J·(a_a, α_a, a_b, α_b) + bias = 0.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/dynamics/state.h"

namespace carom::dynamics {

struct JointRow {
  BodyId a{}, b{};
  Vec3 linear_a = Vec3::Zero(), angular_a = Vec3::Zero();
  Vec3 linear_b = Vec3::Zero(), angular_b = Vec3::Zero();
  double error = 0;         // m or rad; d(error)/dt is the row times the velocities
  double bias = 0;          // d²(error)/dt² from velocities alone, where the joint is closed
  std::int32_t joint = -1;  // its number in the scene
  // Of rows that hold a motor or friction at its speed: that rate, and which one it is.
  double speed = 0;
  std::int32_t drive = -1;
  bool motor = false;
};

double row_rate(const JointRow& row, const State& state);

// Rows of every joint that connects at least one moving body, in the order of the scene.
void compute_joint_rows(const Scene& scene, const State& state, std::vector<JointRow>& out);

}  // namespace carom::dynamics
