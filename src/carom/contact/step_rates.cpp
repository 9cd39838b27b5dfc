#include "carom/contact/step_rates.h"

#include "carom/dynamics/equations_of_motion.h"

namespace carom::contact {

namespace {

// Joint drift is taken back by this part a step; see docs/methods/zeno-free.md.
constexpr double kJointCorrection = 0.5;

}  // namespace

IslandSystem::Rates StepRates::predict(const ContactProblem& problem, const State& state,
                                       double duration) {
  gained_.clear();
  for (const BodyBlock& block : problem.blocks) {
    const dynamics::Acceleration free =
        dynamics::compute_acceleration(scene_.body(block.id), state[block.id], {}, scene_.gravity);
    gained_.push_back({duration * free.linear, duration * free.angular});
  }
  predict_contacts(problem, duration);
  predict_joints(problem, state, duration);
  return {contacts_, equalities_};
}

void StepRates::predict_contacts(const ContactProblem& problem, double duration) {
  const auto gained_at = [&](const Side& side) -> Vec3 {
    if (side.block < 0) return Vec3::Zero();
    return gained_[static_cast<std::size_t>(side.block)].at(side.lever);
  };
  contacts_.clear();
  for (const ContactRow& row : problem.contacts) {
    const Vec3 gained = gained_at(row.a) - gained_at(row.b);
    contacts_.push_back(row.rate + Vec3(row.normal.dot(gained) + duration * row.bias,
                                        row.tangent1.dot(gained), row.tangent2.dot(gained)));
  }
}

// The rate a joint row would have at the end of the step, its own change of direction included,
// plus what takes the position error back.
void StepRates::predict_joints(const ContactProblem& problem, const State& state, double duration) {
  equalities_.clear();
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
    equalities_.push_back(turned + gained(row.block_a, row.linear_a, row.angular_a) +
                          gained(row.block_b, row.linear_b, row.angular_b) +
                          kJointCorrection * row.error / duration);
  }
}

}  // namespace carom::contact
