#include "carom/resting/frictionless_forces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::Island;
using math::Index;
using solvers::Ramp;

constexpr double kFirstStep = 1e-8;  // α beside unit rows; noise of forces is round-off over it
constexpr double kLeastStep = 1e-12;
constexpr int kFewFactors = 8;  // after so many exchanges an estimate of the set comes first
constexpr int kManyFactors = 200;
constexpr int kLastDigits = 2;       // times they are sought
constexpr int kMaxRounds = 6;        // of all three parts
constexpr double kForceStep = 1e-9;  // α beside rows without masses, of length one to three
constexpr int kMaxForceRounds = 30;  // each without a new factor, unless the set changes
constexpr double kBalanced = 1e-16;  // beside the greatest force on a body
constexpr double kTouches = 1e-11;   // m/s² beside the greatest acceleration: may push

}  // namespace

FrictionlessResult FrictionlessForces::solve(const ContactProblem& problem, const Island& island,
                                             const contact::Rates& accelerations,
                                             contact::Impulses& forces) {
  problem_.set_up(problem, island, accelerations);
  set_up(forces);
  FrictionlessResult result;
  double step = kFirstStep;
  for (int round = 0; round < kMaxRounds; ++round) {
    result.iterations += find_kept(step) + find_least_forces();
    Leftover left = problem_.measure(x_, y_.view());
    for (int more = 0; more < kLastDigits && !left.small; ++more) {
      result.iterations += find_last_digits(step);
      left = problem_.measure(x_, y_.view());
    }
    if (left.accepted) {
      result.residual = left.worst;
      problem_.write(x_, forces);
      return result;
    }
    if (round == 0) result.iterations += make_consistent();
    center_ = x_;
    step = std::max(step * 1e-2, kLeastStep);
  }
  const FrictionlessResult dense = solve_densely(problem, island, accelerations, forces);
  return {dense.status, result.iterations + dense.iterations, dense.residual};
}

void FrictionlessForces::set_up(const contact::Impulses& guess) {
  const SparseRows& rows = problem_.rows();
  factor_.set_pattern(rows.unit());
  force_factor_.set_pattern(rows.unit());
  for (std::vector<double>* each : {&x_, &center_, &t_, &zero_}) each->assign(problem_.size(), 0);
  candidates_.resize(problem_.size());
  kept_.resize(problem_.size());
  pushing_.resize(problem_.size());
  for (math::VecBuffer* each : {&u_, &y_, &right_, &wrench_, &off_})
    each->resize(rows.unit().dimension());
  problem_.read(guess, center_);
  guess_kept();
}

// What pushed at last; if nothing did, whatever would close.
void FrictionlessForces::guess_kept() {
  knows_pushing_ = false;
  for (std::size_t i = 0; i < center_.size(); ++i)
    knows_pushing_ |= problem_.sides()[i] == Ramp::OneSided && center_[i] > 0;
  for (std::size_t i = 0; i < center_.size(); ++i) {
    const Ramp side = problem_.sides()[i];
    const bool likely = knows_pushing_ ? center_[i] > 0 : problem_.b()[i] <= 0;
    kept_[i] = side == Ramp::TwoSided || (side == Ramp::OneSided && likely) ? 1 : 0;
    pushing_[i] = kept_[i];
  }
}

// The rows that are kept at rest, and the accelerations of bodies, as y = Rᵀx.
int FrictionlessForces::find_kept(double step) {
  const auto& rows = problem_.rows().unit();
  right_.view().setZero();
  for (std::size_t i = 0; i < t_.size(); ++i) t_[i] = step * center_[i] - problem_.b()[i];
  solvers::PiecewiseQuadratic::Problem proximal{
      rows, problem_.sides(), t_, step, std::as_const(right_).view(), kFewFactors};
  auto found = ramps_.minimise(proximal, factor_, kept_, u_.view());
  int factors = found.iterations;
  if (found.status != solvers::SolveStatus::Converged) {
    factors += path_.estimate(rows, problem_.sides(), problem_.b(), factor_, kept_, center_);
    for (std::size_t i = 0; i < t_.size(); ++i) t_[i] = step * center_[i] - problem_.b()[i];
    proximal.most_factors = kManyFactors;
    factors += ramps_.minimise(proximal, factor_, kept_, u_.view()).iterations;
  }
  std::fill(x_.begin(), x_.end(), 0.0);
  y_.view().setZero();
  rest_.settle(rows, kept_, problem_.b(), factor_, x_, y_.view());
  return factors;
}

void FrictionlessForces::choose_candidates() {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    candidates_[i] = problem_.sides()[i];
    if (!knows_pushing_) pushing_[i] = kept_[i];
    if (candidates_[i] != Ramp::OneSided || kept_[i] != 0) continue;
    if (problem_.acceleration(i, y_.view()) <= kTouches * problem_.scale()) continue;
    candidates_[i] = Ramp::LeftOut;
    pushing_[i] = 0;
  }
  knows_pushing_ = true;
}

// Proximal steps: the multiplier z of the balance of every body, forces g·z where that is positive.
int FrictionlessForces::find_least_forces() {
  choose_candidates();
  auto wrench = wrench_.view(), right = right_.view(), z = u_.view();
  wrench = y_.view();
  problem_.rows().strip_masses(wrench);
  right = wrench;
  const double balanced = wrench.size() > 0 ? kBalanced * wrench.cwiseAbs().maxCoeff() : 0;
  const solvers::PiecewiseQuadratic::Problem least{problem_.rows().bare(), candidates_, zero_,
                                                   kForceStep, std::as_const(right_).view()};
  int factors = ramps_.minimise(least, force_factor_, pushing_, z).iterations;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMaxForceRounds; ++round) {
    const double off = push_by(std::as_const(u_).view());
    if (off > 0.5 * before || off <= balanced) break;
    before = off;
    right = wrench + kForceStep * z;
    factors += ramps_.go_on(least, force_factor_, pushing_, z).iterations;
  }
  return factors;
}

// Sets the forces that z asks for; how far they are from the balance of some body.
double FrictionlessForces::push_by(math::ConstVecView z) {
  const SparseRows& rows = problem_.rows();
  auto off = off_.view();
  off = wrench_.view();
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const auto row = static_cast<Index>(i);
    double force = candidates_[i] == Ramp::LeftOut ? 0 : rows.bare().dot(row, z);
    if (candidates_[i] == Ramp::OneSided) force = std::max(0.0, force);
    x_[i] = force * rows.length(row);
    if (force != 0) rows.bare().add_to(off, row, -force);
  }
  return off.size() > 0 ? off.cwiseAbs().maxCoeff() : 0;
}

int FrictionlessForces::find_last_digits(double step) {
  bool other = false;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const char pushes = problem_.sides()[i] == Ramp::TwoSided || x_[i] > 0 ? 1 : 0;
    other |= pushes != kept_[i];
    kept_[i] = pushes;
  }
  if (other && !factor_kept(step)) return 1;
  rest_.settle(problem_.rows().unit(), kept_, problem_.b(), factor_, x_, y_.view());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if (problem_.sides()[i] == Ramp::OneSided) x_[i] = std::max(0.0, x_[i]);
  }
  return other ? 1 : 0;
}

bool FrictionlessForces::factor_kept(double step) {
  factor_.clear(step);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i] != 0) factor_.add(problem_.rows().unit(), static_cast<Index>(i), 1);
  }
  return factor_.factor();
}

// Takes out of the joint rows' accelerations what no forces at all can meet.
int FrictionlessForces::make_consistent() {
  if (!problem_.has_joints()) return 0;
  for (std::size_t i = 0; i < kept_.size(); ++i)
    kept_[i] = problem_.sides()[i] == Ramp::TwoSided ? 1 : 0;
  if (!factor_kept(kLeastStep)) return 1;
  std::fill(t_.begin(), t_.end(), 0.0);
  auto y = u_.view();
  y.setZero();
  rest_.settle(problem_.rows().unit(), kept_, problem_.b(), factor_, t_, y);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i] != 0) problem_.b()[i] = -problem_.rows().unit().dot(static_cast<Index>(i), y);
  }
  guess_kept();
  return 1;
}

// Joints as a basis of what they forbid, contacts by pivoting or by the dual active set.
FrictionlessResult FrictionlessForces::solve_densely(const ContactProblem& problem,
                                                     const Island& island,
                                                     const contact::Rates& accelerations,
                                                     contact::Impulses& forces) {
  dense_rows_.set_up(problem, island, accelerations);
  auto x = dense_x_.resize(dense_rows_.velocity().size());
  x.setZero();
  normals_.clear();
  for (std::int32_t k = 0; k < island.contacts; ++k) normals_.push_back(3 * k);
  const auto found = dense_.solve(dense_rows_.rows(), normals_, dense_rows_.velocity(), x);
  dense_rows_.store(std::as_const(dense_x_).view(), forces);
  problem_.read(forces, x_);
  const Leftover left = problem_.measure(x_, y_.view());
  return {left.accepted ? ForceStatus::ByActiveSet : ForceStatus::IterationCap, found.iterations,
          left.worst};
}

}  // namespace carom::resting
