#include "carom/methods/shared/joint_forces.h"

namespace carom::methods {

record::CarriedForce make_joint_force(const Scene& scene, const dynamics::JointRow& row,
                                      double force, const State& state) {
  if (scene.body(row.a).is_dynamic()) {
    return {row.a,     row.b,    state[row.a].x, force * row.linear_a, force * row.angular_a,
            row.joint, row.motor};
  }
  return {row.b,     row.a,    state[row.b].x, force * row.linear_b, force * row.angular_b,
          row.joint, row.motor};
}

void append_joint_forces(const Scene& scene, const SolvedJoints& joints, double per,
                         const State& state, std::vector<record::CarriedForce>& out) {
  for (std::size_t i = 0; i < joints.problem.equalities.size(); ++i) {
    const auto source = static_cast<std::size_t>(joints.problem.equalities[i].source);
    out.push_back(
        make_joint_force(scene, joints.rows[source], joints.impulses.equalities[i] / per, state));
  }
}

}  // namespace carom::methods
