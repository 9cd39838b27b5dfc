#include "carom/impact/laws/simultaneous.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/impact/dissipation.h"
#include "carom/solvers/least_sum_ladder.h"

namespace carom::impact {

namespace {

using contact::ContactProblem;
using math::Index;
using solvers::Rung;
using Solver = Simultaneous::Solver;

constexpr double kGreatestImpulse = 1e7;  // beside the momentum at hand, energy metric
constexpr double kWorkTolerance = 1e-10;  // of the energy at hand

// Footnote 9: contacts that separate are discarded. False when none of the others approaches.
bool choose_contacts(double tolerance, ImpactWorkspace& work) {
  work.violated.clear();
  bool approaching = false;
  for (const std::int32_t row : work.normals) {
    if (work.island.rows().squared_norm(row) == 0) continue;
    const double velocity = unit_velocity(work, row);
    if (velocity > tolerance) continue;
    work.violated.push_back(row);
    approaching |= velocity < -tolerance;
  }
  return approaching;
}

void count(Rung rung, Fallbacks& fallbacks) {
  switch (rung) {
    case Rung::NothingVanishes:
      break;
    case Rung::Predicted:
      ++fallbacks.predicted;
      break;
    case Rung::LeastSum:
      ++fallbacks.least_sum;
      break;
    case Rung::Failed:
      ++fallbacks.failed;
      break;
  }
}

// (29): 0 <= j ⟂ A j + (1 + e) v⁻ >= 0, into work.more. What rests within the tolerance, rests.
void solve_round(const Simultaneous& law, double tolerance, ImpactWorkspace& work,
                 Fallbacks& fallbacks) {
  auto b = work.velocity.resize(work.impulse.view().size());
  auto j = work.more.resize(b.size());
  for (const std::int32_t row : work.violated) {
    const bool rests = std::abs(unit_velocity(work, row)) <= tolerance;
    const double e = work.restitution[static_cast<std::size_t>(row / 3)];
    b[row] = rests ? 0 : (1 + e) * row_velocity(work, row);
    j[row] = 0;
  }
  Rung rung = Rung::Failed;
  if (law.solver == Solver::Heuristic) {
    rung = solvers::climb_least_sum_ladder(
        {work.island.rows(), work.violated, std::as_const(work.velocity).view()}, j);
    count(rung, fallbacks);
  }
  if (rung == Rung::Failed) work.nonnegative.solve(work.island.rows(), work.violated, b, j);
}

// Of the bodies, and of what driven bodies do at the contacts.
double energy(const ImpactWorkspace& work) {
  double twice = work.y.view().squaredNorm();
  for (const std::int32_t row : work.violated)
    twice += unit_velocity(work, row) * unit_velocity(work, row);
  return twice / 2;
}

// Adds the round's impulses; their work ½ Σ j (v⁻ + v⁺), on bodies and driven bodies.
double apply_round(ImpactWorkspace& work) {
  double done = -work.y.view().squaredNorm() / 2;
  for (const std::int32_t row : work.violated) {
    const double j = work.more.view()[row];
    work.impulse.view()[row] += j;
    done += j * work.island.offset()[row];
  }
  recompute_y(work);
  return done + work.y.view().squaredNorm() / 2;
}

double greatest_impulse(const ImpactWorkspace& work) {  // in unit rows
  double greatest = 0;
  for (const std::int32_t row : work.violated) {
    const double length = std::sqrt(work.island.rows().squared_norm(row));
    greatest = std::max(greatest, work.more.view()[row] * length);
  }
  return greatest;
}

bool apply_if_sane(ImpactWorkspace& work) {
  auto before = work.elastic.resize(work.impulse.view().size());
  before = work.impulse.view();
  const double at_hand = energy(work);
  if (greatest_impulse(work) <= kGreatestImpulse * std::sqrt(2 * at_hand) &&
      apply_round(work) <= kWorkTolerance * at_hand)
    return true;
  work.impulse.view() = before;
  recompute_y(work);
  return false;
}

// Impulses of least sum may do work, and rounds of them then feed on one another: the exact ones
// replace those. Implicit equalities whose contacts have different coefficients make a problem that
// rounding alone keeps from being solvable, with impulses beyond all measure: then the round is
// inelastic.
void respond(const Simultaneous& law, double tolerance, ImpactWorkspace& work,
             ImpactResult& result) {
  solve_round(law, tolerance, work, result.fallbacks);
  if (apply_if_sane(work)) return;
  if (law.solver == Solver::Heuristic) {
    ++result.fallbacks.energy_bound;
    solve_round({.solver = Solver::Exact}, tolerance, work, result.fallbacks);
    if (apply_if_sane(work)) return;
  }
  ++result.fallbacks.failed;
  respond_inelastically(work);
}

ImpactResult resolve_island(const Simultaneous& law, ImpactWorkspace& work) {
  ImpactResult result;
  const double tolerance = law.epsilon * fastest_contact(work);
  while (choose_contacts(tolerance, work)) {
    work.watched.poll();
    if (result.iterations == law.max_rounds) {
      ++result.fallbacks.inelastic_end;
      respond_inelastically(work);
      break;
    }
    ++result.iterations;
    respond(law, tolerance, work, result);
  }
  add_friction(work);
  finish(work, {.epsilon = 10 * law.epsilon});
  result.residual = greatest_approach(work);
  return result;
}

}  // namespace

ImpactResult resolve(const Simultaneous& law, const ContactProblem& problem, ImpactWorkspace& work,
                     contact::Impulses& out) {
  return resolve_islands(
      problem, law.lineality, [&](ImpactWorkspace& island) { return resolve_island(law, island); },
      work, out);
}

}  // namespace carom::impact
