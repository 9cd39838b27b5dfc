#include "carom/contact/step_rates.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/equations_of_motion.h"

namespace carom::contact {

namespace {

constexpr double kOpening = 3;      // steps in which an overlap shrinks to 1/e of it
constexpr double kSettling = 1e-3;  // of the time in which a body crosses its own size

// What pulls bodies back together, m/s²: their weight, or without one what turns the speeds of the
// scene about within a body's length.
double pull_of(const Scene& scene) {
  const base::Tolerances& scale = scene.tolerances;
  const double weight = scene.gravity.norm();
  return weight > 0 ? weight : scale.speed * scale.speed / scale.length;
}

// An overlap opens at a rate, and no faster than what is pulled back by `pull` loses on the way:
// under min(d/τ, √(pull d)) the depth d decelerates by `pull` at most, so it ends at rest.
double opening_speed(double depth, double opening, double pull) {
  return std::min(depth / opening, std::sqrt(pull * depth));
}

}  // namespace

Rates StepRates::predict(const ContactProblem& problem, const State& state, double duration,
                         double step, std::span<const Wrench> applied) {
  predict_gains(problem, state, duration, applied);
  predict_contacts(problem, duration);
  predict_couples(problem, 1);
  predict_joints(problem, state, duration, step);
  return all();
}

Rates StepRates::predict_closing(const ContactProblem& problem, const State& state, double duration,
                                 const Pace& pace, std::span<const Wrench> applied) {
  predict_gains(problem, state, duration, applied);
  contacts_.clear();
  const double pull = pull_of(scene_);
  for (const ContactRow& row : problem.contacts) {
    const double room = row.gap >= 0 ? std::max(row.gap / duration, row.rate.x())
                                     : -opening_speed(-row.gap, kOpening * pace.opening, pull);
    contacts_.push_back(row.rate + gained_between(row) + duration * row.bias + Vec3(room, 0, 0));
  }
  predict_couples(problem, 1);
  predict_joints(problem, state, duration, pace.step);
  return all();
}

void StepRates::predict_gains(const ContactProblem& problem, const State& state, double duration,
                              std::span<const Wrench> applied) {
  gained_.clear();
  const Wrench none;
  for (const BodyBlock& block : problem.blocks) {
    const Wrench& wrench = applied.empty() ? none : applied[index(block.id)];
    const dynamics::Acceleration free = dynamics::compute_acceleration(
        scene_.body(block.id), state[block.id], wrench, scene_.gravity);
    gained_.push_back({duration * free.linear, duration * free.angular});
  }
}

// What a row gains in the step, along normal and tangents.
Vec3 StepRates::gained_between(const ContactRow& row) const {
  const auto gained_at = [&](const Side& side) -> Vec3 {
    if (side.block < 0) return Vec3::Zero();
    return gained_[static_cast<std::size_t>(side.block)].at(side.lever);
  };
  const Vec3 gained = gained_at(row.a) - gained_at(row.b);
  return {row.normal.dot(gained), row.tangent1.dot(gained), row.tangent2.dot(gained)};
}

// The same of what turns, with `now` of what it has at present.
void StepRates::predict_couples(const ContactProblem& problem, double now) {
  couples_.clear();
  if (!resists_turning(problem)) return;
  for (const ContactRow& row : problem.contacts) {
    const auto gained_by = [&](const Side& side) -> Vec3 {
      if (side.block < 0) return Vec3::Zero();
      return gained_[static_cast<std::size_t>(side.block)].w;
    };
    const Vec3 gained = row.arm * (gained_by(row.a) - gained_by(row.b));
    couples_.push_back(now * row.turning + Vec3(row.normal.dot(gained), row.tangent1.dot(gained),
                                                row.tangent2.dot(gained)));
  }
}

Rates StepRates::accelerations(const ContactProblem& problem, const State& state,
                               std::span<const Wrench> applied) {
  predict_gains(problem, state, 1, applied);
  contacts_.clear();
  equalities_.clear();
  for (const ContactRow& row : problem.contacts) {
    contacts_.push_back(gained_between(row) + row.bias);
  }
  predict_couples(problem, 0);
  for (const EqualityRow& row : problem.equalities) {
    equalities_.push_back(row.bias + gained_on(row));
  }
  return all();
}

Rates StepRates::present(const ContactProblem& problem) {
  contacts_.clear();
  equalities_.clear();
  gained_.assign(problem.blocks.size(), {});
  predict_couples(problem, 1);
  for (const ContactRow& row : problem.contacts) contacts_.push_back(row.rate);
  for (const EqualityRow& row : problem.equalities) equalities_.push_back(row.rate);
  return all();
}

Rates StepRates::closing(const ContactProblem& problem, std::span<const double> restitution,
                         double duration) {
  present(problem);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (restitution[i] == 0) contacts_[i].x() += std::max(problem.contacts[i].gap, 0.0) / duration;
  }
  return all();
}

void StepRates::predict_contacts(const ContactProblem& problem, double duration) {
  contacts_.clear();
  for (const ContactRow& row : problem.contacts) {
    const Vec3 back(return_speed(row.gap, duration), 0, 0);
    contacts_.push_back(row.rate + gained_between(row) + duration * row.bias + back);
  }
}

// The rate at the end of a step under constant forces that moves a contact by -`off` within it.
double StepRates::return_speed(double off, double duration) const {
  const double most = scene_.tolerances.rest_speed;
  return std::clamp(2 * off / duration, -most, most);
}

double StepRates::gained_on(const EqualityRow& row) const {
  const auto gained = [&](std::int32_t block, const Vec3& linear, const Vec3& angular) {
    if (block < 0) return 0.0;
    const Twist& twist = gained_[static_cast<std::size_t>(block)];
    return linear.dot(twist.v) + angular.dot(twist.w);
  };
  return gained(row.block_a, row.linear_a, row.angular_a) +
         gained(row.block_b, row.linear_b, row.angular_b);
}

// With rows J half a step ahead and forces constant over the step, the position error φ changes by
// h J (v + v⁺)/2, and joint forces do no work when that vanishes. So J v⁺ = -J v, plus two terms
// that damp what has gone wrong: J₀ v, the speed at which the joint opens now, and -φ/h. Their
// errors shrink by 1/√2 a step (eigenvalues of [0 -1; ½ ½]). In one that an event cut to a part r
// of a whole step τ, both are damped by that part, J v⁺ = J₀ v - J v + (1 - r) J₀ v - r φ/τ:
// -φ/h would be any speed there, and -φ/τ at once any force; a speed of -φ/h after which a whole
// step follows would throw the joint to the other side by τ/2h times φ.
// Rows after those of joints hold a speed, which they are to have at the end.
void StepRates::predict_joints(const ContactProblem& problem, const State& state, double duration,
                               double step) {
  equalities_.clear();
  if (problem.equalities.empty()) return;
  dynamics::compute_joint_rows(scene_, state, rows_now_);
  const double own = scene_.tolerances.length / scene_.tolerances.speed;
  const double settling = std::max(step, kSettling * own), part = duration / settling;
  for (const EqualityRow& row : problem.equalities) {
    if (static_cast<std::size_t>(row.source) >= rows_now_.size()) {
      equalities_.push_back(row.rate + gained_on(row));
      continue;
    }
    const dynamics::JointRow& now = rows_now_[static_cast<std::size_t>(row.source)];
    const double opens = dynamics::row_rate(now, state);
    equalities_.push_back(2 * row.rate - (2 - part) * opens + part * now.error / settling +
                          gained_on(row));
  }
}

}  // namespace carom::contact
