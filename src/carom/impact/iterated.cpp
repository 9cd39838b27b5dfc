#include "carom/impact/iterated.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {

namespace {

using contact::ContactProblem;
using contact::Island;
using math::Index;
using math::VecView;

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
  respond_inelastically(work);
  const double c = blended_restitution(work);
  if (c == 0) return {ImpactStatus::Resolved, work.impulse.view().isZero(0) ? 0 : 1};
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

ImpactResult resolve_island(const IteratedOptions& options, const ElasticOperator& reflect,
                            const ContactProblem& problem, const Island& island,
                            ImpactWorkspace& work) {
  set_up(problem, island, {}, work);
  ImpactResult result;
  work.held.clear();
  if (options.lineality) {
    result.lineality = hold_squeezed(problem, island, options.lineality_epsilon, work);
  }
  const ElasticResult response = respond_with_restitution(reflect, work);
  result.status = response.status;
  result.iterations = response.iterations;
  add_friction(work);
  if (options.coupling == Coupling::TwoWay && response.status == ImpactStatus::Resolved) {
    finish(work, {.epsilon = 10 * options.epsilon});
  }
  result.residual = greatest_approach(work);
  if (!work.held.empty()) release_squeezed(problem, island, work);
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
