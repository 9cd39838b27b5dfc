#include "carom/methods/shared/joint_fit.h"

#include <algorithm>
#include <cmath>

#include "carom/math/rotation.h"

namespace carom::methods {

namespace {

constexpr int kMaxClosings = 20;  // Newton steps; where joints can be closed they converge
constexpr double kClosed = 1e-9;  // of a body's size

}  // namespace

double JointFit::lever(const dynamics::JointRow& row) const {
  const bool angular = row.linear_a.isZero(0) && row.linear_b.isZero(0);
  return angular ? scene_.tolerances.length : 1;
}

template <typename Of>
std::span<const double> JointFit::measure(const State& state, const Of& of) {
  dynamics::compute_joint_rows(scene_, state, rows_);
  of_joints_.assign(scene_.joints.size(), 0);
  for (const dynamics::JointRow& row : rows_) {
    double& most = of_joints_[static_cast<std::size_t>(row.joint)];
    most = std::max(most, lever(row) * std::abs(of(row)));
  }
  return of_joints_;
}

std::span<const double> JointFit::rates(const State& state) {
  return measure(state,
                 [&](const dynamics::JointRow& row) { return dynamics::row_rate(row, state); });
}

std::span<const double> JointFit::errors(const State& state) {
  return measure(state, [](const dynamics::JointRow& row) { return row.error; });
}

void JointFit::look(const State& state) {
  dynamics::compute_joint_rows(scene_, state, rows_);
  assembler_.assemble({}, rows_, state, problem_);
  wanted_.clear();
}

void JointFit::stop(State& state) {
  look(state);
  for (const contact::EqualityRow& row : problem_.equalities) wanted_.push_back(row.rate);
  holder_.hold(problem_, {}, {{}, wanted_}, impulses_);
  contact::apply_impulses(problem_, impulses_, state);
}

double JointFit::greatest_error() const {
  double greatest = 0;
  for (const dynamics::JointRow& row : rows_)
    greatest = std::max(greatest, lever(row) * std::abs(row.error));
  return greatest;
}

// The change of `state`, as velocities, after which the rows want nothing any more.
void JointFit::hold_still(State& state) {
  holder_.hold(problem_, {}, {{}, wanted_}, impulses_);
  for (BodyState& body : state.bodies) {
    body.v.setZero();
    body.w.setZero();
  }
  contact::apply_impulses(problem_, impulses_, state);
}

JointFit::Bias JointFit::biases(const State& state) {
  look(state);
  Bias found;
  for (const contact::EqualityRow& row : problem_.equalities) wanted_.push_back(row.bias);
  shift_ = state;
  hold_still(shift_);
  of_joints_.assign(scene_.joints.size(), 0);
  for (const dynamics::JointRow& row : rows_) {
    double& most = of_joints_[static_cast<std::size_t>(row.joint)];
    most = std::max(most, lever(row) * std::abs(row.bias + dynamics::row_rate(row, shift_)));
    found.asked = std::max(found.asked, lever(row) * std::abs(row.bias));
  }
  found.left = of_joints_;
  return found;
}

void JointFit::close(State& state) {
  for (int closing = 0; closing < kMaxClosings; ++closing) {
    look(state);
    if (!(greatest_error() > kClosed * scene_.tolerances.length)) return;
    for (const contact::EqualityRow& row : problem_.equalities) wanted_.push_back(row.error);
    shift_ = state;
    hold_still(shift_);
    for (const contact::BodyBlock& block : problem_.blocks) {
      state[block.id].x += shift_[block.id].v;
      state[block.id].q = (math::quat_exp(shift_[block.id].w) * state[block.id].q).normalized();
    }
  }
}

}  // namespace carom::methods
