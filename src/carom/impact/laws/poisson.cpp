#include "carom/impact/laws/poisson.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/impact/dissipation.h"

namespace carom::impact {

namespace {

using contact::ContactProblem;
using math::Index;
using math::VecView;

constexpr double kApproach = 1e-12;       // beside the fastest contact, in the energy metric
constexpr double kWorkTolerance = 1e-12;  // of what the impulses moved
constexpr int kBisections = 30;

VecView present_velocity(ImpactWorkspace& work) {
  auto velocity = work.velocity.resize(work.impulse.view().size());
  for (Index i = 0; i < velocity.size(); ++i) velocity[i] = row_velocity(work, i);
  return velocity;
}

// One complementarity problem from the present velocity; where it is not solved, normals first and
// friction after.
void respond(std::span<const double> given, ImpactWorkspace& work, Fallbacks& fallbacks) {
  if (work.polygon.respond(present_velocity(work), given, work.impulse.view())) {
    recompute_y(work);
    return;
  }
  ++fallbacks.failed;
  respond_inelastically(work);
  add_friction(work);
  finish(work, {.epsilon = kApproach});
}

void compress(ImpactWorkspace& work, Fallbacks& fallbacks) {
  work.given.assign(work.normals.size(), 0.0);
  respond(work.given, work, fallbacks);
  auto compressed = work.inelastic.resize(work.impulse.view().size());
  compressed = work.impulse.view();
}

// From the end of compression, with `part` of the restitution.
void decompress(double part, ImpactWorkspace& work, Fallbacks& fallbacks) {
  auto impulse = work.impulse.view();
  impulse = work.inelastic.view();
  for (std::size_t k = 0; k < work.given.size(); ++k) {
    const auto normal = static_cast<Index>(3 * k);
    work.given[k] = part * work.restitution[k] * work.inelastic.view()[normal];
    impulse[normal] += work.given[k];
  }
  recompute_y(work);
  respond(work.given, work, fallbacks);
}

// ½ Σ p (v⁻ + v⁺): what the impulses do on what meets, driven bodies included.
bool do_work(const ImpactWorkspace& work) {
  double done = 0;
  double moved = 0;
  const auto impulse = work.impulse.view();
  for (Index i = 0; i < impulse.size(); ++i) {
    const double before = work.island.velocity()[i];
    const double after = row_velocity(work, i);
    done += 0.5 * impulse[i] * (before + after);
    moved += 0.5 * std::abs(impulse[i]) * (std::abs(before) + std::abs(after));
  }
  return done > kWorkTolerance * moved;
}

void bound_energy(ImpactWorkspace& work, Fallbacks& fallbacks) {
  if (!do_work(work)) return;
  ++fallbacks.energy_bound;
  double low = 0;
  double high = 1;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = (low + high) / 2;
    decompress(middle, work, fallbacks);
    (do_work(work) ? high : low) = middle;
  }
  decompress(low, work, fallbacks);
}

ImpactResult resolve_island(const Poisson& law, ImpactWorkspace& work) {
  ImpactResult result;
  if (!anything_approaches(work, kApproach)) return result;
  result.iterations = 1;
  work.polygon.set_up(work.island.rows(), work.friction, law.sides);
  compress(work, result.fallbacks);
  decompress(1, work, result.fallbacks);
  if (law.energy == Poisson::Energy::Bounded) bound_energy(work, result.fallbacks);
  finish(work, {.epsilon = kApproach});
  result.residual = greatest_approach(work);
  return result;
}

}  // namespace

ImpactResult resolve(const Poisson& law, const ContactProblem& problem, ImpactWorkspace& work,
                     contact::Impulses& out) {
  return resolve_islands(
      problem, law.lineality, [&](ImpactWorkspace& island) { return resolve_island(law, island); },
      work, out);
}

}  // namespace carom::impact
