#include "carom/impact/iterated.h"

namespace carom::impact {

namespace {

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
                            ImpactWorkspace& work) {
  const ElasticResult response = respond_with_restitution(reflect, work);
  ImpactResult result{.status = response.status, .iterations = response.iterations};
  add_friction(work);
  if (options.coupling == Coupling::TwoWay && response.status == ImpactStatus::Resolved) {
    finish(work, {.epsilon = 10 * options.epsilon});
  }
  result.residual = greatest_approach(work);
  return result;
}

}  // namespace

ImpactResult resolve_iteratively(const IteratedOptions& options, const ElasticOperator& reflect,
                                 const contact::ContactProblem& problem, ImpactWorkspace& work,
                                 contact::Impulses& out) {
  return resolve_islands(
      problem, options.lineality ? std::optional(options.lineality_epsilon) : std::nullopt,
      [&](ImpactWorkspace& island) { return resolve_island(options, reflect, island); }, work, out);
}

}  // namespace carom::impact
