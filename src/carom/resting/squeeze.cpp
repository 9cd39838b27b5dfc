#include "carom/resting/squeeze.h"

#include <algorithm>
#include <utility>

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::Island;
using math::Index;

constexpr double kStep = 1e-10;  // α beside unit rows: what impulses take away is left by as much

}  // namespace

std::span<const double> Squeeze::find(const ContactProblem& problem) {
  left_.assign(problem.contacts.size(), 0);
  for (const Island& island : problem.islands) find_in(problem, island);
  return left_;
}

void Squeeze::find_in(const ContactProblem& problem, const Island& island) {
  names_.clear();
  for (std::int32_t k = 0; k < island.contacts; ++k) names_.push_back({k, 0});
  for (std::int32_t k = 0; k < island.equalities; ++k) names_.push_back(RowName::equality(k));
  rows_.set_up(problem, island, names_);
  ramps_.assign(names_.size(), solvers::Ramp::LeftOut);
  t_.assign(names_.size(), 0);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const double length = rows_.length(static_cast<Index>(i));
    if (length == 0) continue;
    const auto [index, axis] = names_[i];
    const bool joint = axis < 0;
    ramps_[i] = joint ? solvers::Ramp::TwoSided : solvers::Ramp::OneSided;
    t_[i] = -(joint ? problem.equalities[island.equality(index)].rate
                    : problem.contacts[island.contact(index)].rate.x()) /
            length;
  }
  auto u = u_.resize(rows_.unit().dimension());
  auto w = w_.resize(u.size());
  u.setZero();
  w.setZero();
  counts_.assign(names_.size(), 1);
  factor_.set_pattern(rows_.unit());
  squares_.minimise({rows_.unit(), ramps_, t_, kStep, std::as_const(w_).view()}, factor_, counts_,
                    u);
  for (std::int32_t k = 0; k < island.contacts; ++k) {
    const auto row = static_cast<Index>(k);
    const double s = t_[static_cast<std::size_t>(k)] + rows_.unit().dot(row, u);
    left_[island.contact(k)] = std::max(0.0, s * rows_.length(row));
  }
}

}  // namespace carom::resting
