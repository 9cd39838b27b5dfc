#include "carom/resting/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "carom/solvers/least_sum_ladder.h"

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::ContactRow;
using contact::Island;
using solvers::Rung;

constexpr int kPolishing = 4000;     // sweeps: forces of a moment are to be exact
constexpr double kAccepted = 1e-10;  // with friction: of the greatest acceleration given

bool has_friction(const ContactProblem& problem, const Island& island) {
  for (std::int32_t k = 0; k < island.contacts; ++k) {
    const ContactRow& row = problem.contacts[island.contact(k)];
    if (row.friction > 0 || row.resists_turning()) return true;
  }
  return false;
}

void count(Rung rung, ForceRungs& rungs) {
  switch (rung) {
    case Rung::NothingVanishes:
      ++rungs.nothing_vanishes;
      break;
    case Rung::Predicted:
      ++rungs.predicted;
      break;
    case Rung::LeastSum:
      ++rungs.least_sum;
      break;
    case Rung::Failed:
      ++rungs.failed;
      break;
  }
}

// The ladder's forces of one island, as multipliers.
Rung climb(const ForceProblem& problem, math::VecView x) {
  std::vector<std::int32_t> contacts, joints;
  std::vector<double> in_sum;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const double length = problem.rows().length(static_cast<math::Index>(i));
    in_sum.push_back(length > 0 ? 1 / length : 0);
    if (problem.sides()[i] == solvers::Ramp::OneSided)
      contacts.push_back(static_cast<std::int32_t>(i));
    if (problem.sides()[i] == solvers::Ramp::TwoSided)
      joints.push_back(static_cast<std::int32_t>(i));
  }
  const math::ConstVecView b(problem.b().data(), static_cast<math::Index>(problem.size()));
  return solvers::climb_least_sum_ladder({problem.rows().unit(), contacts, b, joints, in_sum}, x);
}

}  // namespace

void ForceRungs::add(const ForceRungs& other) {
  computed += other.computed;
  with_friction += other.with_friction;
  nothing_vanishes += other.nothing_vanishes;
  predicted += other.predicted;
  least_sum += other.least_sum;
  failed += other.failed;
  least_sum_power += other.least_sum_power;
}

ContactForceResult ContactForces::solve(const ContactProblem& problem,
                                        const contact::Rates& accelerations, double resting,
                                        const ContactForceOptions& options,
                                        contact::Impulses& forces) {
  const Call call{problem, accelerations, resting, options};
  if (islands_.size() < problem.islands.size()) islands_.resize(problem.islands.size());
  contact::clear_couples(problem, forces);
  auto one = [&](std::size_t i) {
    islands_[i].result = {};
    islands_[i].with_friction.watch(workers_.watched());
    solve_island(call, problem.islands[i], forces, islands_[i]);
  };
  workers_.for_each(problem.islands.size(), 1, one);
  ContactForceResult total;
  for (std::size_t i = 0; i < problem.islands.size(); ++i) {
    const ContactForceResult& island = islands_[i].result;
    total.status = std::max(total.status, island.status);
    total.iterations = std::max(total.iterations, island.iterations);
    total.residual = std::max(total.residual, island.residual);
    total.jams |= island.jams;
    total.rungs.add(island.rungs);
  }
  measure(call, forces, total);
  return total;
}

void ContactForces::solve_island(const Call& call, const Island& island, contact::Impulses& forces,
                                 OneIsland& out) {
  out.result.rungs.computed = 1;
  if (has_friction(call.problem, island)) return solve_with_friction(call, island, forces, out);
  if (call.options.solver == ForceSolver::Heuristic) return climb_ladder(call, island, forces, out);
  solve_exactly(call, island, forces, out);
}

void ContactForces::solve_exactly(const Call& call, const Island& island, contact::Impulses& forces,
                                  OneIsland& out) {
  const FrictionlessResult found =
      out.frictionless.solve(call.problem, island, call.accelerations, forces);
  out.result.status = found.status;
  out.result.iterations = found.iterations;
  out.result.residual = found.residual;
}

void ContactForces::solve_with_friction(const Call& call, const Island& island,
                                        contact::Impulses& forces, OneIsland& out) {
  const IslandForces found =
      out.with_friction.solve(call.problem, island, call.accelerations, call.resting,
                              {.sides = call.options.sides, .polishing = kPolishing}, forces);
  out.result.rungs.with_friction = 1;
  out.result.iterations = found.result.iterations;
  out.result.residual = found.result.residual;
  out.result.jams = found.jams;
  double scale = 0;
  for (std::int32_t k = 0; k < island.contacts; ++k)
    scale = std::max(scale, call.accelerations.contacts[island.contact(k)].cwiseAbs().maxCoeff());
  if (found.result.residual > kAccepted * scale) out.result.status = ForceStatus::IterationCap;
}

void ContactForces::climb_ladder(const Call& call, const Island& island, contact::Impulses& forces,
                                 OneIsland& out) {
  ForceProblem& problem = out.ladder;
  problem.set_up(call.problem, island, call.accelerations);
  std::vector<double> x(problem.size(), 0);
  const Rung rung = climb(problem, {x.data(), static_cast<math::Index>(x.size())});
  count(rung, out.result.rungs);
  if (rung == Rung::Failed) return solve_exactly(call, island, forces, out);
  VecX y(problem.rows().unit().dimension());
  out.result.residual = problem.measure(x, {y.data(), y.size()}).worst;
  problem.write(x, forces);
}

void ContactForces::find_gained(const Call& call, const contact::Impulses& forces) {
  std::size_t bodies = 0;
  for (const contact::BodyBlock& block : call.problem.blocks)
    bodies = std::max(bodies, static_cast<std::size_t>(index(block.id)) + 1);
  wrenches_.assign(bodies, {});
  contact::apply_as_forces(call.problem, forces, 1, wrenches_);
  gained_.clear();
  for (const contact::BodyBlock& block : call.problem.blocks) {
    const Wrench& wrench = wrenches_[index(block.id)];
    gained_.push_back({block.inverse_mass * wrench.force, block.inverse_inertia * wrench.torque});
  }
}

// The normal acceleration that forces leave.
double ContactForces::left_at(const Call& call, std::size_t contact) const {
  const ContactRow& row = call.problem.contacts[contact];
  double left = call.accelerations.contacts[contact].x();
  if (row.a.block >= 0)
    left += row.normal.dot(gained_[static_cast<std::size_t>(row.a.block)].at(row.a.lever));
  if (row.b.block >= 0)
    left -= row.normal.dot(gained_[static_cast<std::size_t>(row.b.block)].at(row.b.lever));
  return left;
}

void ContactForces::measure(const Call& call, const contact::Impulses& forces,
                            ContactForceResult& total) {
  find_gained(call, forces);
  double push = 0, products = 0, greatest = 0;
  for (std::size_t i = 0; i < call.problem.islands.size(); ++i) {
    const Island& island = call.problem.islands[i];
    double products_here = 0;
    for (std::int32_t k = 0; k < island.contacts; ++k) {
      const std::size_t contact = island.contact(k);
      const double left = left_at(call, contact);
      const double force = forces.contacts[contact].x();
      push += force;
      products_here += force * std::abs(left);
      greatest =
          std::max({greatest, std::abs(left), std::abs(call.accelerations.contacts[contact].x())});
    }
    products += products_here;
    if (islands_[i].result.rungs.least_sum > 0) total.rungs.least_sum_power += products_here;
  }
  total.complementarity = products > 0 ? products / (push * greatest) : 0;
}

}  // namespace carom::resting
