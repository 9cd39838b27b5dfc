#include "carom/resting/force_problem.h"

#include <algorithm>
#include <cmath>

namespace carom::resting {

namespace {

using math::BlockRows;
using math::Index;
using solvers::Ramp;

constexpr double kAccepted = 1e-12;  // m/s² beside the greatest acceleration
constexpr double kRoundOff = 1e-14;  // of what adds up to a row's acceleration

}  // namespace

void ForceProblem::set_up(const contact::ContactProblem& problem, const contact::Island& island,
                          const contact::Rates& accelerations) {
  island_ = island;
  names_.clear();
  for (std::int32_t k = 0; k < island.contacts; ++k) names_.push_back({k, 0});
  for (std::int32_t k = 0; k < island.equalities; ++k) names_.push_back(RowName::equality(k));
  rows_.set_up(problem, island, names_);
  sides_.assign(size(), Ramp::LeftOut);
  b_.assign(size(), 0);
  scale_ = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const bool joint = names_[i].axis < 0;
    const double given = joint ? accelerations.equalities[island.equality(names_[i].index)]
                               : accelerations.contacts[island.contact(names_[i].index)].x();
    const double length = rows_.length(static_cast<Index>(i));
    if (length == 0) continue;
    sides_[i] = joint ? Ramp::TwoSided : Ramp::OneSided;
    b_[i] = given / length;
    scale_ = std::max(scale_, std::abs(given));
  }
}

double ForceProblem::acceleration(std::size_t row, math::VecIn y) const {
  const auto i = static_cast<Index>(row);
  return (b_[row] + rows_.unit().dot(i, y)) * rows_.length(i);
}

double ForceProblem::violation_of(std::size_t row, double x, math::VecIn y) const {
  const double found = acceleration(row, y);
  const bool held = sides_[row] == Ramp::TwoSided || x > 0;
  return held ? std::abs(found) : std::max(0.0, -found);
}

double ForceProblem::gross_of(std::size_t row) const {
  const auto i = static_cast<Index>(row);
  double sum = 0;
  for (const int part : {0, 1}) {
    const std::int32_t body = rows_.unit().stretch_of(i, part);
    if (body == BlockRows::kNone) continue;
    sum += rows_.unit().part(i, part).norm() * gross_[static_cast<std::size_t>(body)];
  }
  return sum * rows_.length(i);
}

Leftover ForceProblem::measure(std::span<const double> x, math::VecView y) {
  const BlockRows& rows = rows_.unit();
  y.setZero();
  gross_.assign(rows.stretches().size(), 0);
  for (std::size_t i = 0; i < size(); ++i) {
    if (x[i] == 0) continue;
    rows.add_to(y, static_cast<Index>(i), x[i]);
    for (const int part : {0, 1}) {
      const std::int32_t body = rows.stretch_of(static_cast<Index>(i), part);
      if (body != BlockRows::kNone) gross_[static_cast<std::size_t>(body)] += std::abs(x[i]);
    }
  }
  Leftover left;
  for (std::size_t i = 0; i < size(); ++i) {
    if (sides_[i] == Ramp::LeftOut) continue;
    const double violation = violation_of(i, x[i], y);
    left.worst = std::max(left.worst, violation);
    left.accepted &= violation <= kAccepted * scale_ + kRoundOff * gross_of(i);
  }
  left.small = left.worst <= kAccepted * scale_;
  return left;
}

void ForceProblem::read(const contact::Impulses& forces, std::span<double> x) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const double force = names_[i].axis < 0
                             ? forces.equalities[island_.equality(names_[i].index)]
                             : std::max(0.0, forces.contacts[island_.contact(names_[i].index)].x());
    x[i] = force * rows_.length(static_cast<Index>(i));
  }
}

void ForceProblem::write(std::span<const double> x, contact::Impulses& forces) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const double length = rows_.length(static_cast<Index>(i));
    const double force = length > 0 ? x[i] / length : 0;
    if (names_[i].axis < 0) {
      forces.equalities[island_.equality(names_[i].index)] = force;
    } else {
      forces.contacts[island_.contact(names_[i].index)] = Vec3(force, 0, 0);
    }
  }
}

}  // namespace carom::resting
