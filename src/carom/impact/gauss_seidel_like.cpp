#include "carom/impact/gauss_seidel_like.h"

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

}  // namespace

// ResolveImpacts(q, q̇) of algorithm 2, island by island. N, and q̇ as the impulses change it, are
// in `work`. The impulses are blended instead of the velocities, which they determine.
ImpactResult resolve_gauss_seidel_like(const GaussSeidelOptions& options,
                                       const ElasticOperator& reflect,
                                       const contact::ContactProblem& problem,
                                       ImpactWorkspace& work, contact::Impulses& out) {
  const auto resolve_impacts = [&](const contact::Island& island) {
    // Lines 2 to 12: N; E, the implicit equalities; and E projected out of q̇ and of N.
    const int dimension = hold_implicit_equalities(problem, island, options.lineality, work);

    // Section 6.2: q̇₀ is the inelastic response.
    respond_inelastically(work);
    auto impulse = work.impulse.view();
    const double c = blended_restitution(work);
    ElasticResult response{ImpactStatus::Resolved, impulse.isZero(0) ? 0 : 1};
    if (c != 0) {
      auto inelastic = work.inelastic.resize(impulse.size());
      inelastic = impulse;
      impulse.setZero();
      recompute_y(work);
      // Lines 13 to 18: q̇₁ is what R makes of q̇, applied until Nᵀq̇ >= 0.
      response = reflect(work);
      // Section 6.2: q̇ = (1 - c) q̇₀ + c q̇₁.
      impulse = (1 - c) * inelastic + c * impulse;
      recompute_y(work);
    }

    // Section 6.3: friction, and two-way what it drives together.
    add_friction(work);
    if (options.coupling == Coupling::TwoWay && response.status == ImpactStatus::Resolved)
      finish(work, {.epsilon = 10 * options.epsilon});
    const double residual = greatest_approach(work);

    release_implicit_equalities(problem, island, work);
    return ImpactResult{.status = response.status,
                        .iterations = response.iterations,
                        .residual = residual,
                        .lineality = dimension};
  };
  return resolve_each_island(problem, resolve_impacts, work, out);
}

}  // namespace carom::impact
