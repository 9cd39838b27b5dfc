#include "carom/impact/settle.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {

namespace {

using math::Index;

constexpr double kGain = 1e-9;             // of the energy at hand
constexpr double kSweepTolerance = 1e-13;  // of the greatest contact speed
constexpr int kMaxSweeps = 20'000;

void sweep_until_still(ImpactWorkspace& work) {
  auto now = work.velocity.resize(work.impulse.view().size());
  for (Index i = 0; i < now.size(); ++i) now[i] = row_velocity(work, i);
  const double speed = now.size() > 0 ? now.cwiseAbs().maxCoeff() : 0.0;
  auto more = work.more.resize(now.size());
  more.setZero();
  work.radii.assign(work.friction.size(), 0.0);
  solvers::solve_cone_complementarity(
      work.island.rows(), now, work.radii, more, work.elastic.resize(now.size()), work.sweep,
      {.tolerance = kSweepTolerance * speed, .max_sweeps = kMaxSweeps});
  work.impulse.view() += more;
  recompute_y(work);
}

}  // namespace

double fastest_contact(const ImpactWorkspace& work) {
  double fastest = 0;
  for (const std::int32_t row : work.normals)
    fastest = std::max(fastest, std::abs(unit_velocity(work, row)));
  return fastest;
}

bool anything_approaches(const ImpactWorkspace& work, double tolerance) {
  return std::any_of(work.normals.begin(), work.normals.end(),
                     [&](std::int32_t row) { return unit_velocity(work, row) < -tolerance; });
}

void stop_approach(ImpactWorkspace& work) {
  auto before = work.elastic.resize(work.impulse.view().size());
  before = work.impulse.view();
  const double energy = work.y.view().squaredNorm() / 2;
  const double fastest = fastest_contact(work);
  const solvers::SolveResult response = respond_inelastically(work);
  const double done = work.y.view().squaredNorm() / 2 - energy +
                      (work.impulse.view() - before).dot(work.island.offset());
  const bool took_energy = done <= kGain * (energy + fastest * fastest);
  if (response.status == solvers::SolveStatus::Converged && took_energy) return;
  work.impulse.view() = before;
  recompute_y(work);
  sweep_until_still(work);
}

int settle(ImpactWorkspace& work, double tolerance, int max_rounds) {
  int rounds = 0;
  while (rounds < max_rounds && anything_approaches(work, tolerance)) {
    stop_approach(work);
    if (++rounds < max_rounds) add_friction(work);
  }
  return rounds;
}

}  // namespace carom::impact
