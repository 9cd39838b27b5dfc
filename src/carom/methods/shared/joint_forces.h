// What joint rows do to a body that moves, as it is recorded.
#pragma once

#include <span>
#include <vector>

#include "carom/contact/contact_problem.h"
#include "carom/dynamics/joint_rows.h"
#include "carom/record/sink.h"

namespace carom::methods {

// Of one row: a force, or an impulse.
record::CarriedForce make_joint_force(const Scene& scene, const dynamics::JointRow& row,
                                      double force, const State& state);

// A problem's equality rows with the impulses found for them.
struct SolvedJoints {
  std::span<const dynamics::JointRow> rows;  // from which the problem was assembled
  const contact::ContactProblem& problem;
  const contact::Impulses& impulses;
};

// Of every equality row: impulses, or forces when `per` is the time they acted over, s.
void append_joint_forces(const Scene& scene, const SolvedJoints& joints, double per,
                         const State& state, std::vector<record::CarriedForce>& out);

}  // namespace carom::methods
