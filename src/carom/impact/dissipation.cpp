#include "carom/impact/dissipation.h"

#include <algorithm>

namespace carom::impact {

namespace {

using math::Index;

constexpr int kMaxFrictionSweeps = 500;
constexpr double kGain = 1e-9;             // of the energy at hand
constexpr double kSolved = 1e-8;           // beside the fastest contact
constexpr double kSweepTolerance = 1e-13;  // of the greatest contact speed
constexpr int kMaxSweeps = 20'000;
constexpr double kFrictionTolerance = 1e-14;  // of the greatest contact speed

// Adds work.more to the impulses; the work that it does on bodies and driven bodies.
double apply(ImpactWorkspace& work, double energy) {
  work.impulse.view() += work.more.view();
  recompute_y(work);
  return work.y.view().squaredNorm() / 2 - energy + work.more.view().dot(work.island.offset());
}

// By sweeps over the normals, each step of which takes energy.
void sweep_until_still(ImpactWorkspace& work) {
  auto more = work.more.view();
  more.setZero();
  work.radii.assign(work.friction.size(), 0.0);
  const double speed = work.velocity.view().cwiseAbs().maxCoeff();
  solvers::solve_cone_complementarity(
      work.island.rows(), work.velocity.view(), work.radii, more, work.elastic.resize(more.size()),
      work.sweep, {.tolerance = kSweepTolerance * speed, .max_sweeps = kMaxSweeps});
  work.impulse.view() += more;
  recompute_y(work);
}

// Velocities of all rows at the impulses so far, without them: what a solver calls w.
math::VecView velocities_without_impulses(ImpactWorkspace& work) {
  auto w = work.velocity.resize(work.impulse.view().size());
  w = work.island.velocity();
  return w;
}

}  // namespace

void respond_inelastically(ImpactWorkspace& work) { respond_inelastically(work, work.normals); }

void respond_inelastically(ImpactWorkspace& work, std::span<const std::int32_t> normals) {
  auto velocity = work.velocity.resize(work.impulse.view().size());
  for (Index i = 0; i < velocity.size(); ++i) velocity[i] = row_velocity(work, i);
  auto before = work.elastic.resize(velocity.size());
  before = work.impulse.view();
  const double energy = work.y.view().squaredNorm() / 2;
  const double fastest = fastest_contact(work);
  auto more = work.more.resize(velocity.size());
  more.setZero();
  const solvers::SolveResult response =
      work.nonnegative.solve(work.island.rows(), normals, velocity, more);
  const double work_done = apply(work, energy);
  const bool took_energy = work_done <= kGain * (energy + fastest * fastest);
  if (response.residual <= kSolved * fastest && took_energy) return;
  work.impulse.view() = before;
  recompute_y(work);
  sweep_until_still(work);
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
  int rounds = 0;
  while (anything_approaches(work, options.epsilon)) {
    work.watched.poll();
    respond_inelastically(work);
    if (++rounds == options.max_rounds) break;
    add_friction(work);
  }
  return rounds;
}

}  // namespace carom::impact
