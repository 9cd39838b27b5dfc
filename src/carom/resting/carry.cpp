#include "carom/resting/carry.h"

#include <algorithm>
#include <cmath>

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::ContactRow;
using contact::Island;

constexpr double kSweepTolerance = 1e-14;  // part of the island's greatest speed
constexpr int kMaxSweeps = 2000;           // redundant contacts may creep in the last digits
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
    const auto w = island_rows_.velocity();
    auto impulse = impulse_.resize(w.size());
    auto velocity = velocity_.resize(w.size());
    impulse.setZero();
    const auto first = static_cast<std::size_t>(island.first_contact);
    const auto count = static_cast<std::size_t>(island.contacts);
    const double scale = w.size() > 0 ? w.cwiseAbs().maxCoeff() : 0.0;
    const auto solved = solvers::solve_cone_complementarity(
        island_rows_.rows(), w, std::span(friction_).subspan(first, count), impulse, velocity,
        sweep_,
        {.tolerance = kSweepTolerance * scale,
         .max_sweeps = kMaxSweeps,
         .sliding = std::span(sliding_).subspan(first, count)});
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

}  // namespace carom::resting
