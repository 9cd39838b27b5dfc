#include "carom/impact/simultaneous.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/impact/least_sum_heuristic.h"

namespace carom::impact {

namespace {

using contact::ContactProblem;
using contact::Island;
using math::Index;
using Solver = Simultaneous::Solver;

constexpr double kWorkTolerance = 1e-10;  // of what the impulses moved

// A normal's velocity over its length: what it is worth in energy, whatever the masses.
double unit_velocity(const ImpactWorkspace& work, std::int32_t row) {
  const double square = work.island.rows().squared_norm(row);
  return square > 0 ? row_velocity(work, row) / std::sqrt(square) : 0;
}

double fastest_contact(const ImpactWorkspace& work) {
  double fastest = 0;
  for (const std::int32_t row : work.normals)
    fastest = std::max(fastest, std::abs(unit_velocity(work, row)));
  return fastest;
}

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

void count(Rung rung, Resorts& resorts) {
  switch (rung) {
    case Rung::NothingVanishes:
      break;
    case Rung::Predicted:
      ++resorts.predicted;
      break;
    case Rung::LeastSum:
      ++resorts.least_sum;
      break;
    case Rung::Failed:
      ++resorts.failed;
      break;
  }
}

// (29): 0 <= j ⟂ A j + (1 + e) v⁻ >= 0, into work.more. What rests within the tolerance, rests.
void solve_round(const Simultaneous& law, double tolerance, ImpactWorkspace& work,
                 Resorts& resorts) {
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
    rung = climb_least_sum_ladder(work.island.rows(), work.violated,
                                  std::as_const(work.velocity).view(), j);
    count(rung, resorts);
  }
  if (rung == Rung::Failed) work.nonnegative.solve(work.island.rows(), work.violated, b, j);
}

// The work of the round's impulses, ½ Σ j (v⁻ + v⁺), and what it is the small difference of.
struct Work {
  double done = 0, moved = 0;

  void add_half(const ImpactWorkspace& work) {
    for (const std::int32_t row : work.violated) {
      const double half = 0.5 * work.more.view()[row] * row_velocity(work, row);
      done += half;
      moved += std::abs(half);
    }
  }
};

void apply_round(double sign, ImpactWorkspace& work) {
  for (const std::int32_t row : work.violated)
    work.impulse.view()[row] += sign * work.more.view()[row];
  recompute_y(work);
}

// Squeezed bodies whose contacts have different coefficients make a problem that rounding alone
// keeps from being solvable, with impulses beyond all measure. Then the round is inelastic.
void respond(const Simultaneous& law, double tolerance, ImpactWorkspace& work,
             ImpactResult& result) {
  solve_round(law, tolerance, work, result.resorts);
  Work by;
  by.add_half(work);
  apply_round(1, work);
  by.add_half(work);
  if (law.solver == Solver::Heuristic || by.done <= kWorkTolerance * by.moved) return;
  ++result.resorts.failed;
  apply_round(-1, work);
  respond_inelastically(work);
}

ImpactResult resolve_island(const Simultaneous& law, ImpactWorkspace& work) {
  ImpactResult result;
  const double tolerance = law.epsilon * fastest_contact(work);
  while (choose_contacts(tolerance, work)) {
    if (result.iterations == law.max_rounds) {
      ++result.resorts.inelastic_end;
      respond_inelastically(work);
      break;
    }
    ++result.iterations;
    respond(law, tolerance, work, result);
  }
  add_friction(work);
  finish(work);
  result.residual = greatest_approach(work);
  return result;
}

}  // namespace

ImpactResult resolve(const Simultaneous& law, const ContactProblem& problem, ImpactWorkspace& work,
                     contact::Impulses& out) {
  begin(problem, work, out);
  ImpactResult total;
  for (const Island& island : problem.islands) {
    set_up(problem, island, {}, work);
    total.add(resolve_island(law, work));
    work.island.store(std::as_const(work.impulse).view(), out);
  }
  return total;
}

}  // namespace carom::impact
