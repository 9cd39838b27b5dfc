#include "carom/resting/carry.h"

#include <algorithm>
#include <cmath>

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::ContactRow;
using contact::Island;

constexpr double kRelativeTolerance = 1e-14;

// While a contact slides its friction is μ N for as long as it takes to use up the impulse that
// stops it. Contacts that share a body share that impulse in no unique way, so the sums count.
double stop_after(const ContactProblem& problem, const Island& island,
                  const contact::Impulses& impulses, double stuck) {
  double used = 0;
  double available = 0;
  for (std::int32_t k = 0; k < island.contacts; ++k) {
    const auto i = static_cast<std::size_t>(island.first_contact + k);
    const ContactRow& row = problem.contacts[i];
    if (std::hypot(row.rate.y(), row.rate.z()) <= stuck) continue;
    used += std::hypot(impulses.contacts[i].y(), impulses.contacts[i].z());
    available += row.friction * impulses.contacts[i].x();
  }
  return used < available ? used / available : 1;
}

}  // namespace

CarryResult Carrier::carry(const ContactProblem& problem, const contact::IslandSystem::Rates& rates,
                           double stuck, contact::Impulses& out) {
  out.contacts.assign(problem.contacts.size(), Vec3::Zero());
  out.equalities.assign(problem.equalities.size(), 0);
  friction_.clear();
  for (const ContactRow& row : problem.contacts) friction_.push_back(row.friction);
  CarryResult total;
  for (const Island& island : problem.islands) {
    system_.set_up(problem, island, rates);
    const auto w = std::as_const(system_).velocity();
    auto impulse = impulse_.resize(w.size());
    impulse.setZero();
    const double scale = w.size() > 0 ? w.cwiseAbs().maxCoeff() : 0.0;
    const std::span<const double> friction(friction_.data() + island.first_contact,
                                           static_cast<std::size_t>(island.contacts));
    const auto solved = solvers::solve_cone_complementarity(
        system_.A(), w, friction, impulse, velocity_.resize(w.size()),
        {.tolerance = kRelativeTolerance * scale});
    if (solved.status != solvers::SolveStatus::Converged) total.status = solved.status;
    total.residual = std::max(total.residual, solved.residual);
    system_.store(island, std::as_const(impulse_).view(), out);
    total.stop_after = std::min(total.stop_after, stop_after(problem, island, out, stuck));
  }
  return total;
}

}  // namespace carom::resting
