// Impact laws: what velocities become when bodies meet. A law sees the contact problem alone; each
// is a struct of options with a `resolve`, and the registry in impact/laws/table.h lists them
// all.
#pragma once

#include <utility>

#include "carom/contact/island_rows.h"
#include "carom/impact/impulse_space/fallbacks.h"
#include "carom/impact/indexed_minimum.h"
#include "carom/solvers/cone_complementarity.h"
#include "carom/solvers/lineality.h"
#include "carom/solvers/nonnegative.h"
#include "carom/solvers/polygon_problem.h"

namespace carom::impact {

enum class ImpactStatus {
  Resolved,
  IterationCap,  // the iteration did not end within its cap; the impulses are the last iterate
};

struct ImpactResult {
  ImpactStatus status = ImpactStatus::Resolved;
  int iterations = 0;   // applications of the impact operator, the most over the islands
  double residual = 0;  // m/s; the greatest approach speed left, recomputed from the problem
  int lineality = 0;    // dimension of what implicit equalities take away, summed over the islands
  Fallbacks fallbacks{};

  void add(const ImpactResult& island) {
    if (island.status != ImpactStatus::Resolved) status = island.status;
    iterations = std::max(iterations, island.iterations);
    residual = std::max(residual, island.residual);
    lineality += island.lineality;
    fallbacks.add(island.fallbacks);
  }
};

// Contacts of one coefficient, with their impulses of an inelastic response.
struct RestitutionLevel {
  double restitution = 0;
  double weighted = 0, total = 0;  // N s

  double mean() const { return weighted / total; }
};

// One island on its way through an impact: impulses so far, three per contact, and the y that they
// lead to (contact/island_rows.h).
struct ImpactWorkspace {
  void watch(base::Watched by) { watched = sweep.watched = by; }

  base::Watched watched;
  contact::IslandRows island;
  std::vector<Vec3> contact_rates;
  std::vector<double> equality_rates;
  std::vector<std::int32_t> normals;  // row indices of the normals
  std::vector<double> radii, friction, restitution;
  double elastic_from = 0;  // contacts of this restitution or more are reflected
  math::VecBuffer impulse, y, velocity;
  std::vector<double> peak;  // per group, the greatest |y|² so far

  solvers::NonnegativeSolver nonnegative;
  solvers::LinealityFinder lineality;
  solvers::SweepScratch sweep;
  std::vector<std::int32_t> implicit_equalities;  // contacts, while they are held
  std::vector<std::int32_t> violated, touched, plastic;
  std::vector<RestitutionLevel> levels;
  math::VecBuffer inelastic, elastic, more;
  IndexedMinimum tournament;
  solvers::PolygonProblem polygon;
  std::vector<double> given;  // normal impulses of restitution
};

// Before the first island: takes the problem's velocities and clears `out`.
void begin(const contact::ContactProblem& problem, ImpactWorkspace& work, contact::Impulses& out);

// Puts an island of the problem into work.island, with the `implicit` contacts as equalities, and
// its coefficients beside it; impulses are zero and y is where the island starts.
void set_up(const contact::ContactProblem& problem, const contact::Island& island,
            std::span<const std::int32_t> implicit, ImpactWorkspace& work);

// Every island of the problem by `resolve_island(island)`, which finds it set up with nothing held,
// and leaves its impulses in work.impulse.
template <typename ResolveIsland>
ImpactResult resolve_each_island(const contact::ContactProblem& problem,
                                 const ResolveIsland& resolve_island, ImpactWorkspace& work,
                                 contact::Impulses& out) {
  begin(problem, work, out);
  ImpactResult total;
  for (const contact::Island& island : problem.islands) {
    work.watched.poll();
    set_up(problem, island, {}, work);
    total.add(resolve_island(island));
    work.island.store(std::as_const(work.impulse).view(), out);
  }
  return total;
}

// work.y from work.impulse: start + Rᵀ impulse, without the round-off of many updates.
void recompute_y(ImpactWorkspace& work);

// Adds an impulse on one row.
void push(ImpactWorkspace& work, math::Index row, double impulse);

// The velocity of one row at work.y, m/s.
inline double row_velocity(const ImpactWorkspace& work, math::Index row) {
  return work.island.offset()[row] + work.island.rows().dot(row, work.y.view());
}

// The same over the row's length: in the energy metric. Zero for a row of zeros.
double unit_velocity(const ImpactWorkspace& work, math::Index row);

// The greatest unit velocity of a normal, either way.
double fastest_contact(const ImpactWorkspace& work);

// Does this normal approach, by more than ε times its length times the greatest speed so far, in
// the energy metric, of the bodies it acts on? (Vouga et al., section 7, with the speed taken
// contact by contact, since a heavy body elsewhere in the island must not excuse the approach of a
// light one; and the greatest so far, since bodies that were stopped leave noise, which is not
// responded to.) The condition of algorithm 3, line 5.
bool approaches(const ImpactWorkspace& work, math::Index row, double epsilon);
// The same of a contact that is to be reflected.
inline bool is_to_reflect(const ImpactWorkspace& work, math::Index row, double epsilon) {
  return work.restitution[static_cast<std::size_t>(row / 3)] >= work.elastic_from &&
         approaches(work, row, epsilon);
}
bool anything_approaches(const ImpactWorkspace& work, double epsilon);

// m/s: the greatest approach speed at work.y.
double greatest_approach(const ImpactWorkspace& work);

}  // namespace carom::impact
