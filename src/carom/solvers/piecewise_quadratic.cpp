#include "carom/solvers/piecewise_quadratic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::solvers {

namespace {

using math::at;
using math::BlockRows;
using math::Index;
using math::VecIn;
using math::VecView;

constexpr int kMaxSteps = 1000;
constexpr int kRefinements = 2;
constexpr int kMaxTrials = 60;       // along a step
constexpr double kRoundOff = 2e-15;  // of the terms of the gradient
constexpr double kFlatEnough = 0.5;  // of the slope at the start of a step

}  // namespace

bool PiecewiseQuadratic::factor_counting(const Problem& problem, math::BlockFactor& factor,
                                         std::span<const char> counts) const {
  factor.clear(problem.alpha);
  for (Index i = 0; i < problem.rows.size(); ++i) {
    if (counts[at(i)] != 0) factor.add(problem.rows, i, 1);
  }
  return factor.factor();
}

// Sets s and the gradient; returns what round-off may leave of the latter.
double PiecewiseQuadratic::measure(const Problem& problem, VecIn u) {
  auto gradient = gradient_.view();
  gradient = problem.alpha * u - problem.w;
  double terms = gradient.cwiseAbs().maxCoeff();
  for (Index i = 0; i < problem.rows.size(); ++i) {
    if (problem.ramps[at(i)] == Ramp::LeftOut) continue;
    const double change = problem.rows.dot(i, u);
    const double s = s_[at(i)] = problem.t[at(i)] + change;
    terms = std::max({terms, std::abs(problem.t[at(i)]), std::abs(change)});
    if (s > 0 || problem.ramps[at(i)] == Ramp::TwoSided) problem.rows.add_to(gradient, i, s);
  }
  return kRoundOff * terms;
}

// Do other rows count than before? A row within round-off of its kink stays as it is.
bool PiecewiseQuadratic::recount(const Problem& problem, double round_off,
                                 std::span<char> counts) const {
  bool changed = false;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Ramp ramp = problem.ramps[i];
    if (ramp == Ramp::OneSided && std::abs(s_[i]) <= round_off) continue;
    const char now = ramp == Ramp::TwoSided || (ramp == Ramp::OneSided && s_[i] > 0) ? 1 : 0;
    changed |= now != counts[i];
    counts[i] = now;
  }
  return changed;
}

double PiecewiseQuadratic::slope(const Problem& problem, double length) const {
  double sum = smooth_slope_ + length * curvature_;
  for (std::size_t i = 0; i < s_.size(); ++i) {
    if (problem.ramps[i] == Ramp::LeftOut) continue;
    const double s = s_[i] + length * along_[i];
    if (s > 0 || problem.ramps[i] == Ramp::TwoSided) sum += s * along_[i];
  }
  return sum;
}

// Along the step the slope rises from below zero: the whole step, unless it has risen too far by
// then; otherwise where it is flat.
double PiecewiseQuadratic::find_length(const Problem& problem, VecIn u) {
  const auto step = step_.view();
  smooth_slope_ = problem.alpha * u.dot(step) - problem.w.dot(step);
  curvature_ = problem.alpha * step.squaredNorm();
  for (Index i = 0; i < problem.rows.size(); ++i) along_[at(i)] = problem.rows.dot(i, step);
  const double start = slope(problem, 0);
  double low = 0, high = 1, slope_low = start, slope_high = slope(problem, 1);
  if (slope_high <= kFlatEnough * std::abs(start)) return 1;
  for (int trial = 0; trial < kMaxTrials; ++trial) {
    double middle = low - slope_low * (high - low) / (slope_high - slope_low);
    if (trial % 2 == 1 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double found = slope(problem, middle);
    if (std::abs(found) <= 1e-3 * std::abs(start)) return middle;
    (found < 0 ? low : high) = middle;
    (found < 0 ? slope_low : slope_high) = found;
  }
  return low > 0 ? low : high;
}

// The least point if just these rows counted, both ways.
void PiecewiseQuadratic::solve_counting(const Problem& problem, math::BlockFactor& factor,
                                        std::span<const char> counts, VecView u) {
  auto lacking = step_.resize(u.size());
  u.setZero();
  for (int refinement = 0; refinement < kRefinements; ++refinement) {
    lacking = problem.w - problem.alpha * u;
    for (Index i = 0; i < problem.rows.size(); ++i) {
      if (counts[at(i)] != 0)
        problem.rows.add_to(lacking, i, -problem.t[at(i)] - problem.rows.dot(i, u));
    }
    factor.solve_in_place(lacking);
    u += lacking;
  }
}

SolveResult PiecewiseQuadratic::minimise(const Problem& problem, math::BlockFactor& factor,
                                         std::span<char> counts, VecView u) {
  if (!factor_counting(problem, factor, counts)) return {.status = SolveStatus::IterationCap};
  solve_counting(problem, factor, counts, u);
  SolveResult result = go_on(problem, factor, counts, u);
  ++result.iterations;
  return result;
}

SolveResult PiecewiseQuadratic::go_on(const Problem& problem, math::BlockFactor& factor,
                                      std::span<char> counts, VecView u) {
  s_.resize(at(problem.rows.size()));
  along_.resize(s_.size());
  auto gradient = gradient_.resize(problem.rows.dimension());
  auto step = step_.resize(problem.rows.dimension());
  SolveResult result{.status = SolveStatus::IterationCap};
  double before = std::numeric_limits<double>::infinity();
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    const double round_off = measure(problem, u);
    result.residual = gradient.cwiseAbs().maxCoeff();
    result.status = SolveStatus::Converged;
    if (result.residual <= round_off) return result;
    const bool other = recount(problem, round_off, counts);
    if (!other && result.residual > 0.5 * before) return result;
    result.status = SolveStatus::IterationCap;
    if (result.iterations == problem.most_factors) return result;
    if (other && !factor_counting(problem, factor, counts)) return result;
    result.iterations += other ? 1 : 0;
    step = -gradient;
    factor.solve_in_place(step);
    u += find_length(problem, u) * step;
    before = other ? std::numeric_limits<double>::infinity() : result.residual;
  }
  return result;
}

}  // namespace carom::solvers
