#include "carom/impact/gauss_seidel_like.h"

#include <algorithm>

namespace carom::impact {

namespace {

constexpr int kMaxRounds = 100;

// Coefficients of contacts that push, ascending.
void find_levels(ImpactWorkspace& work) {
  work.levels.clear();
  for (const std::int32_t row : work.normals) {
    const double impulse = work.impulse.view()[row];
    const double e = work.restitution[static_cast<std::size_t>(row / 3)];
    if (e == 0 || impulse == 0) continue;
    auto level = std::ranges::lower_bound(work.levels, e, {}, &RestitutionLevel::restitution);
    if (level == work.levels.end() || level->restitution != e)
      level = work.levels.insert(level, {.restitution = e});
    level->weighted += impulse * e;
    level->total += impulse;
  }
}

// What the operator makes of q̇ where contacts of a restitution below `elastic_from` do not bounce:
// these are brought to rest as often as they approach. Every round takes energy, as in finish().
ElasticResult respond(const GaussSeidelOptions& options, const ElasticOperator& reflect,
                      double elastic_from, ImpactWorkspace& work) {
  work.elastic_from = elastic_from;
  work.plastic.clear();
  for (const std::int32_t row : work.normals) {
    if (work.restitution[static_cast<std::size_t>(row / 3)] < elastic_from)
      work.plastic.push_back(row);
  }
  const auto sinks = [&](std::int32_t row) { return approaches(work, row, 10 * options.epsilon); };
  ElasticResult total;
  for (int round = 1;; ++round) {
    const ElasticResult result = reflect(work);
    total.iterations += result.iterations;
    total.status = result.status;
    if (result.status != ImpactStatus::Resolved) return total;
    if (std::ranges::none_of(work.plastic, sinks)) return total;
    ++total.iterations;
    respond_inelastically(work, round < kMaxRounds ? work.plastic : work.normals);
    if (round == kMaxRounds) return total;
  }
}

// Section 6.2, level by level: q̇ = (1 - c_m) q̇₀ + Σ (c_k - c_{k-1}) q̇_k, with q̇_k the elastic
// velocity of those contacts whose coefficient is c_k at least.
ElasticResult blend(const GaussSeidelOptions& options, const ElasticOperator& reflect,
                    ImpactWorkspace& work) {
  auto impulse = work.impulse.view();
  auto blended = work.inelastic.resize(impulse.size());
  blended = (1 - work.levels.back().mean()) * impulse;
  ElasticResult total;
  double below = 0;
  for (const RestitutionLevel& level : work.levels) {
    impulse.setZero();
    recompute_y(work);
    const ElasticResult result = respond(options, reflect, level.restitution, work);
    total.iterations += result.iterations;
    if (result.status != ImpactStatus::Resolved) total.status = result.status;
    blended += (level.mean() - below) * impulse;
    below = level.mean();
  }
  impulse = blended;
  recompute_y(work);
  return total;
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
    find_levels(work);
    ElasticResult response{ImpactStatus::Resolved, impulse.isZero(0) ? 0 : 1};
    if (!work.levels.empty()) response = blend(options, reflect, work);

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
