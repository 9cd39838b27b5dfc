#include "carom/resting/carry.h"

#include <algorithm>

#include "carom/dynamics/equations_of_motion.h"

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::ContactRow;
using contact::EqualityRow;
using contact::Island;
using math::Index;

constexpr double kRelativeTolerance = 1e-14;

// Joint drift is taken back by this part a step; see docs/methods/zeno-free.md.
constexpr double kJointCorrection = 0.5;

}  // namespace

void Carrier::predict_rates(const ContactProblem& problem, const State& state, double duration) {
  gained_.clear();
  for (const contact::BodyBlock& block : problem.blocks) {
    const dynamics::Acceleration free =
        dynamics::compute_acceleration(scene_.body(block.id), state[block.id], {}, scene_.gravity);
    gained_.push_back({duration * free.linear, duration * free.angular});
  }
  const auto gained_at = [&](const contact::Side& side) -> Vec3 {
    if (side.block < 0) return Vec3::Zero();
    return gained_[static_cast<std::size_t>(side.block)].at(side.lever);
  };
  contact_rates_.clear();
  friction_.clear();
  for (const ContactRow& row : problem.contacts) {
    const Vec3 gained = gained_at(row.a) - gained_at(row.b);
    contact_rates_.push_back(row.rate + Vec3(row.normal.dot(gained) + duration * row.bias,
                                             row.tangent1.dot(gained), row.tangent2.dot(gained)));
    friction_.push_back(row.friction);
  }
}

// The rate a joint row would have at the end of the step, its own change of direction included,
// plus what takes the position error back.
void Carrier::predict_joint_rates(const ContactProblem& problem, const State& state,
                                  double duration) {
  equality_rates_.clear();
  if (problem.equalities.empty()) return;
  ahead_ = state;
  for (BodyState& body : ahead_.bodies) {
    body.x += duration * body.v;
    body.q = math::quat_exp(duration * body.w) * body.q;
  }
  dynamics::compute_joint_rows(scene_, ahead_, rows_ahead_);
  const auto gained = [&](std::int32_t block, const Vec3& linear, const Vec3& angular) {
    if (block < 0) return 0.0;
    const Twist& twist = gained_[static_cast<std::size_t>(block)];
    return linear.dot(twist.v) + angular.dot(twist.w);
  };
  for (const EqualityRow& row : problem.equalities) {
    const double turned =
        dynamics::row_rate(rows_ahead_[static_cast<std::size_t>(row.source)], state);
    equality_rates_.push_back(turned + gained(row.block_a, row.linear_a, row.angular_a) +
                              gained(row.block_b, row.linear_b, row.angular_b) +
                              kJointCorrection * row.error / duration);
  }
}

CarryResult Carrier::carry(const ContactProblem& problem, const State& state, double duration,
                           contact::Impulses& out) {
  predict_rates(problem, state, duration);
  predict_joint_rates(problem, state, duration);
  out.contacts.assign(problem.contacts.size(), Vec3::Zero());
  out.equalities.assign(problem.equalities.size(), 0);
  CarryResult total;
  for (const Island& island : problem.islands) {
    system_.set_up(problem, island, {contact_rates_, equality_rates_});
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
  }
  return total;
}

}  // namespace carom::resting
