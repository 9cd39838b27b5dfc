#include "carom/impact/dissipation.h"

#include <algorithm>

namespace carom::impact {

namespace {

using math::Index;

constexpr int kMaxFrictionSweeps = 500;
constexpr double kFrictionTolerance = 1e-14;  // of the greatest contact speed

// Velocities of all rows at the impulses so far, without them: what a solver calls w.
math::VecView velocities_without_impulses(ImpactWorkspace& work) {
  auto w = work.velocity.resize(work.impulse.view().size());
  w = work.island.velocity();
  return w;
}

}  // namespace

solvers::SolveResult respond_inelastically(ImpactWorkspace& work) {
  auto velocity = work.velocity.resize(work.impulse.view().size());
  for (const std::int32_t row : work.normals) velocity[row] = row_velocity(work, row);
  auto more = work.more.resize(velocity.size());
  more.setZero();
  const solvers::SolveResult result =
      work.nonnegative.solve(work.island.rows(), work.normals, velocity, more);
  work.impulse.view() += more;
  recompute_y(work);
  return result;
}

void add_friction(ImpactWorkspace& work) {
  auto impulse = work.impulse.view();
  work.radii.clear();
  bool rough = false;
  for (Index k = 0; k < work.island.contacts(); ++k) {
    work.radii.push_back(work.friction[static_cast<std::size_t>(k)] * impulse[3 * k]);
    rough |= work.radii.back() > 0;
  }
  if (!rough) return;
  const auto w = velocities_without_impulses(work);
  const double speed = w.size() > 0 ? w.cwiseAbs().maxCoeff() : 0.0;
  solvers::solve_friction(
      work.island.rows(), w, work.radii, impulse, work.more.resize(impulse.size()), work.sweep,
      {.tolerance = kFrictionTolerance * speed, .max_sweeps = kMaxFrictionSweeps});
  recompute_y(work);
}

int finish(ImpactWorkspace& work, const FinishOptions& options) {
  const auto approaching = [&](std::int32_t row) { return approaches(work, row, options.epsilon); };
  int rounds = 0;
  while (std::any_of(work.normals.begin(), work.normals.end(), approaching)) {
    respond_inelastically(work);
    if (++rounds == options.max_rounds) break;
    add_friction(work);
  }
  return rounds;
}

}  // namespace carom::impact
