#include "carom/solvers/central_path.h"

#include <algorithm>
#include <cmath>

namespace carom::solvers {

namespace {

using math::at;
using math::Index;

constexpr double kSpring = 1e-8;     // inverse stiffness of two-sided rows
constexpr double kGap = 1e-12;       // of x·s per row, beside the square of the greatest |b|
constexpr double kLacking = 1e-9;    // of s - b - R y and y - Rᵀx, beside the greatest |b|
constexpr double kMostOfWay = 0.99;  // to where the first x or s would vanish
constexpr int kMaxSteps = 60;

}  // namespace

void CentralPath::start(const Problem& problem, std::span<double> x) {
  const std::size_t size = problem.b.size();
  for (std::vector<double>* each : {&s_, &lacking_, &dx_, &ds_}) each->assign(size, 0);
  for (math::VecBuffer* each : {&y_, &dy_, &unbalanced_})
    each->resize(problem.rows.dimension()).setZero();
  scale_ = 0;
  one_sided_ = 0;
  for (const double each : problem.b) scale_ = std::max(scale_, std::abs(each));
  for (std::size_t i = 0; i < size; ++i) {
    const bool one_sided = problem.sides[i] == Ramp::OneSided;
    x[i] = s_[i] = one_sided ? scale_ : 0;
    one_sided_ += one_sided ? 1 : 0;
  }
}

// Sets what is lacking; the greatest of it.
double CentralPath::measure(const Problem& problem, std::span<const double> x) {
  const auto y = y_.view();
  auto unbalanced = unbalanced_.view();
  unbalanced = -y;
  double worst = 0;
  for (Index i = 0; i < problem.rows.size(); ++i) {
    if (problem.sides[at(i)] == Ramp::LeftOut) continue;
    const bool two_sided = problem.sides[at(i)] == Ramp::TwoSided;
    lacking_[at(i)] =
        problem.b[at(i)] + problem.rows.dot(i, y) + (two_sided ? kSpring * x[at(i)] : -s_[at(i)]);
    worst = std::max(worst, std::abs(lacking_[at(i)]));
    problem.rows.add_to(unbalanced, i, x[at(i)]);
  }
  return std::max(worst, unbalanced.cwiseAbs().maxCoeff());
}

bool CentralPath::factor_scaled(const Problem& problem, math::BlockFactor& factor,
                                std::span<const double> x) {
  factor.clear(1);
  for (Index i = 0; i < problem.rows.size(); ++i) {
    if (problem.sides[at(i)] == Ramp::LeftOut) continue;
    factor.add(problem.rows, i,
               problem.sides[at(i)] == Ramp::TwoSided ? 1 / kSpring : x[at(i)] / s_[at(i)]);
  }
  return factor.factor();
}

// Towards x s = center, with the products of the last step taken in if it corrects that.
void CentralPath::find_step(const Problem& problem, math::BlockFactor& factor,
                            std::span<const double> x, double center, bool corrects) {
  auto dy = dy_.view();
  dy = unbalanced_.view();
  for (std::size_t i = 0; i < x.size(); ++i) {  // dx where y does not change
    if (problem.sides[i] == Ramp::LeftOut) continue;
    if (problem.sides[i] == Ramp::TwoSided) {
      dx_[i] = -lacking_[i] / kSpring;
    } else {
      const double target = center - (corrects ? dx_[i] * ds_[i] : 0);
      dx_[i] = (target - x[i] * lacking_[i]) / s_[i] - x[i];
    }
    problem.rows.add_to(dy, static_cast<Index>(i), dx_[i]);
  }
  factor.solve_in_place(dy);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (problem.sides[i] == Ramp::LeftOut) continue;
    const double change = problem.rows.dot(static_cast<Index>(i), dy);
    ds_[i] = change + lacking_[i];
    dx_[i] -= change * (problem.sides[i] == Ramp::TwoSided ? 1 / kSpring : x[i] / s_[i]);
  }
}

double CentralPath::longest(const Problem& problem, std::span<const double> x) const {
  double length = 1 / kMostOfWay;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (problem.sides[i] != Ramp::OneSided) continue;
    if (dx_[i] < 0) length = std::min(length, -x[i] / dx_[i]);
    if (ds_[i] < 0) length = std::min(length, -s_[i] / ds_[i]);
  }
  return kMostOfWay * length;
}

double CentralPath::gap_after(const Problem& problem, std::span<const double> x,
                              double length) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (problem.sides[i] == Ramp::OneSided)
      sum += (x[i] + length * dx_[i]) * (s_[i] + length * ds_[i]);
  }
  return sum / std::max(1, one_sided_);
}

void CentralPath::advance(double length, std::span<double> x) {
  y_.view() += length * dy_.view();
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += length * dx_[i];
    s_[i] += length * ds_[i];
  }
}

int CentralPath::estimate(const math::BlockRows& rows, std::span<const Ramp> sides,
                          std::span<const double> b, math::BlockFactor& factor,
                          std::span<char> pushes, std::span<double> x) {
  const Problem problem{rows, sides, b};
  start(problem, x);
  int steps = 0;
  for (; steps < kMaxSteps && scale_ > 0; ++steps) {
    const double lacking = measure(problem, x), gap = gap_after(problem, x, 0);
    if (gap <= kGap * scale_ * scale_ && lacking <= kLacking * scale_) break;
    if (!factor_scaled(problem, factor, x)) break;
    find_step(problem, factor, x, 0, false);
    const double left = gap_after(problem, x, longest(problem, x)) / gap;
    find_step(problem, factor, x, left * left * left * gap, true);
    advance(longest(problem, x), x);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool counts = sides[i] == Ramp::TwoSided || (sides[i] == Ramp::OneSided && x[i] > s_[i]);
    pushes[i] = counts ? 1 : 0;
    if (!counts) x[i] = 0;
  }
  return steps;
}

}  // namespace carom::solvers
