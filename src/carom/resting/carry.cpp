#include "carom/resting/carry.h"

#include <algorithm>

namespace carom::resting {

namespace {

// All but those of contacts, which are where the solution begins.
void clear_answers(const contact::ContactProblem& problem, contact::Impulses& impulses) {
  impulses.equalities.assign(problem.equalities.size(), 0);
  clear_couples(problem, impulses);
}

}  // namespace

template <typename Solve>
CarryResult Carrier::solve_islands(const contact::ContactProblem& problem, const Solve& solve) {
  const std::size_t islands = problem.islands.size();
  if (solvers_.size() < islands) solvers_.resize(islands);
  forces_.assign(islands, {});
  auto one = [&](std::size_t i) {
    solvers_[i].watch(workers_.watched());
    forces_[i] = solve(solvers_[i], problem.islands[i]);
  };
  workers_.for_each(islands, 1, one);
  CarryResult total;
  for (const IslandForces& island : forces_) {
    total.iterations = std::max(total.iterations, island.result.iterations);
    total.residual = std::max(total.residual, island.result.residual);
    total.stop_after = std::min(total.stop_after, island.stop_after);
    total.fastest_late = std::max(total.fastest_late, island.fastest_late);
    total.jams |= island.jams;
  }
  return total;
}

CarryResult Carrier::carry(const contact::ContactProblem& problem, const contact::Rates& rates,
                           double resting, const ForceOptions& options,
                           contact::Impulses& impulses) {
  clear_answers(problem, impulses);
  return solve_islands(problem, [&](IslandSolver& solver, const contact::Island& island) {
    return solver.solve(problem, island, rates, resting, options, impulses);
  });
}

CarryResult Carrier::collide(const contact::ContactProblem& problem, const contact::Rates& rates,
                             std::span<const char> islands, std::span<const double> restitution,
                             const ForceOptions& options, contact::Impulses& impulses) {
  clear_answers(problem, impulses);
  return solve_islands(problem, [&](IslandSolver& solver, const contact::Island& island) {
    const auto number = static_cast<std::size_t>(&island - problem.islands.data());
    if (islands[number] == 0) return IslandForces{};
    return solver.collide(problem, island, rates, restitution, options, impulses);
  });
}

CarryResult Carrier::resist_turning(const contact::ContactProblem& problem,
                                    const contact::Rates& rates, contact::Impulses& impulses) {
  clear_couples(problem, impulses);
  if (impulses.couples.empty()) return {};
  return solve_islands(problem, [&](IslandSolver& solver, const contact::Island& island) {
    return solver.resist_turning(problem, island, rates, impulses);
  });
}

}  // namespace carom::resting
