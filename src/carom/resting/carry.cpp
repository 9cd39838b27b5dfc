#include "carom/resting/carry.h"

#include <algorithm>
#include <cmath>

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::ContactRow;
using contact::Island;

constexpr double kSweepTolerance = 1e-14;  // part of the island's greatest speed
constexpr int kQuickSweeps = 60;           // what ends within these is not worth a factor
constexpr int kPolishingSweeps = 20;       // after the interior point's last digits
constexpr double kStops = 1 - 1e-9;        // a stop this late in the step is at its end

double slip_speed(const ContactRow& row) { return std::hypot(row.rate.y(), row.rate.z()); }

solvers::SlipDirection slip_direction(const ContactRow& row, double resting) {
  const double speed = slip_speed(row);
  if (row.friction <= 0 || speed <= resting) return {};
  return {row.rate.y() / speed, row.rate.z() / speed};
}

// Under constant forces slip changes linearly: where along the step does it vanish?
double stop_after(const ContactRow& row, const solvers::SlipDirection& slip, const Vec3& velocity) {
  if (!slip.slides()) return 1;
  const double start = slip_speed(row);
  const double end = slip.first * velocity.y() + slip.second * velocity.z();
  const double part = end < 0 ? start / (start - end) : 1;
  return part < kStops ? part : 1;
}

}  // namespace

CarryResult Carrier::carry(const ContactProblem& problem, const contact::Rates& rates,
                           double resting, contact::Impulses& out) {
  out.contacts.assign(problem.contacts.size(), Vec3::Zero());
  out.equalities.assign(problem.equalities.size(), 0);
  friction_.clear();
  sliding_.clear();
  for (const ContactRow& row : problem.contacts) {
    friction_.push_back(row.friction);
    sliding_.push_back(slip_direction(row, resting));
  }
  CarryResult total;
  for (const Island& island : problem.islands) {
    island_rows_.set_up(problem, island, rates);
    const auto first = static_cast<std::size_t>(island.first_contact);
    const auto count = static_cast<std::size_t>(island.contacts);
    const auto solved = solve_island(std::span(friction_).subspan(first, count),
                                     std::span(sliding_).subspan(first, count));
    const auto velocity = velocity_.view();
    if (!(solved.residual <= resting)) total.status = solvers::SolveStatus::IterationCap;
    total.residual = std::max(total.residual, solved.residual);
    for (std::size_t k = 0; k < count; ++k) {
      const Vec3 end = velocity.segment<3>(static_cast<math::Index>(3 * k));
      total.stop_after = std::min(
          total.stop_after, stop_after(problem.contacts[first + k], sliding_[first + k], end));
    }
    island_rows_.store(std::as_const(impulse_).view(), out);
  }
  return total;
}

// Sweeps end soon where few bodies rest on what does not move. Where they creep, the interior point
// finds the impulses whatever the number of bodies, and a few sweeps give them their last digits.
solvers::SolveResult Carrier::solve_island(std::span<const double> friction,
                                           std::span<const solvers::SlipDirection> sliding) {
  const math::Index size = island_rows_.velocity().size();
  auto impulse = impulse_.resize(size);
  velocity_.resize(size);
  impulse.setZero();
  const auto quick = sweep(friction, sliding, kQuickSweeps);
  if (quick.status == solvers::SolveStatus::Converged) return quick;
  auto swept = swept_.resize(size);
  swept = impulse;
  interior_.solve(island_rows_.rows(), island_rows_.velocity(), friction, sliding, impulse);
  const auto polished = sweep(friction, sliding, kPolishingSweeps);
  if (polished.residual <= quick.residual) return polished;
  impulse = swept;
  return sweep(friction, sliding, kPolishingSweeps);
}

solvers::SolveResult Carrier::sweep(std::span<const double> friction,
                                    std::span<const solvers::SlipDirection> sliding,
                                    int max_sweeps) {
  const auto w = island_rows_.velocity();
  const double scale = w.size() > 0 ? w.cwiseAbs().maxCoeff() : 0.0;
  return solvers::solve_cone_complementarity(
      island_rows_.rows(), w, friction, impulse_.view(), velocity_.view(), sweep_,
      {.tolerance = kSweepTolerance * scale, .max_sweeps = max_sweeps, .sliding = sliding});
}

}  // namespace carom::resting
