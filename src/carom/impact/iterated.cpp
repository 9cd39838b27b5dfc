#include "carom/impact/iterated.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {

namespace {

using contact::ContactProblem;
using contact::Island;
using math::Index;
using math::VecView;

// Holds lineal contacts until none is left; the dimension of what they take away.
int hold_lineality(const IteratedOptions& options, const ContactProblem& problem,
                   const Island& island, ImpactWorkspace& work) {
  work.held.clear();
  if (!options.lineality) return 0;
  const int joints = work.island.equality_rank();
  for (std::int32_t round = 0; round < island.contacts; ++round) {
    const auto found =
        work.lineality.find(work.island.rows(), work.normals, options.lineality_epsilon);
    if (found.members.empty()) break;
    for (const std::int32_t row : found.members) work.held.push_back(row / 3);
    set_up(problem, island, work.held, work);
  }
  return work.island.equality_rank() - joints;
}

double blended_restitution(const ImpactWorkspace& work) {
  double weighted = 0;
  double total = 0;
  for (const std::int32_t row : work.normals) {
    const double impulse = work.impulse.view()[row];
    weighted += impulse * work.restitution[static_cast<std::size_t>(row / 3)];
    total += impulse;
  }
  return total > 0 ? weighted / total : 0;
}

// Section 6.2, for the impulses: they determine the velocities.
ElasticResult respond_with_restitution(const ElasticOperator& reflect, ImpactWorkspace& work) {
  const solvers::SolveResult inelastic = respond_inelastically(work);
  const double c = blended_restitution(work);
  if (c == 0) {
    return {ImpactStatus::Resolved, inelastic.iterations > 0 ? 1 : 0};
  }
  auto impulse = work.impulse.view();
  auto start = work.inelastic.resize(impulse.size());
  start = impulse;
  impulse.setZero();
  recompute_y(work);
  const ElasticResult elastic = reflect(work);
  impulse = (1 - c) * start + c * impulse;
  recompute_y(work);
  return elastic;
}

// Impulses of held contacts may pull as the equalities ask for them; a combination of their normals
// that vanishes can be added, so that all of them push: the non-negative ones of the same effect.
void make_held_push(const ContactProblem& problem, const Island& island, ImpactWorkspace& work) {
  auto impulse = work.impulse.view();
  auto all = work.elastic.resize(impulse.size());
  all = impulse;
  work.island.add_held(all);
  set_up(problem, island, {}, work);
  impulse = work.impulse.view();
  const auto& rows = work.island.rows();
  auto effect = work.y.view();
  effect.setZero();
  work.touched.clear();
  for (const std::int32_t k : work.held) {
    work.touched.push_back(3 * k);
    rows.add_to(effect, Index{3} * k, all[Index{3} * k]);
  }
  auto wanted = work.velocity.resize(impulse.size());
  for (const std::int32_t row : work.touched) {
    wanted[row] = -rows.dot(row, effect);
    all[row] = std::max(all[row], 0.0);
  }
  work.nonnegative.solve(rows, work.touched, wanted, all);
  impulse = all;
  recompute_y(work);
}

ImpactResult resolve_island(const IteratedOptions& options, const ElasticOperator& reflect,
                            const ContactProblem& problem, const Island& island,
                            ImpactWorkspace& work) {
  set_up(problem, island, {}, work);
  ImpactResult result;
  result.lineality = hold_lineality(options, problem, island, work);
  const ElasticResult response = respond_with_restitution(reflect, work);
  result.status = response.status;
  result.iterations = response.iterations;
  add_friction(work);
  if (options.coupling == Coupling::TwoWay && response.status == ImpactStatus::Resolved) {
    finish(work, {.epsilon = 10 * options.epsilon});
  }
  result.residual = greatest_approach(work);
  if (!work.held.empty()) make_held_push(problem, island, work);
  return result;
}

}  // namespace

ImpactResult resolve_iteratively(const IteratedOptions& options, const ElasticOperator& reflect,
                                 const ContactProblem& problem, ImpactWorkspace& work,
                                 contact::Impulses& out) {
  begin(problem, work, out);
  ImpactResult total;
  for (const Island& island : problem.islands) {
    total.add(resolve_island(options, reflect, problem, island, work));
    work.island.store(std::as_const(work.impulse).view(), out);
  }
  return total;
}

}  // namespace carom::impact
