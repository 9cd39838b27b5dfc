#include "carom/methods/shared/joint_check.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

constexpr double kOpen = 1e-3;    // of a body's size: a joint that is open further is looked into
constexpr double kAhead = 1e-2;   // of a body's size: how far driven bodies are moved on for a look
constexpr double kClosed = 0.1;   // of how far a joint may be open: less is closed
constexpr double kMisfit = 1e-4;  // of speeds at hand: less is how exactly a scene was written
constexpr double kShare = 0.3;    // of the worst: what shares the blame

double greatest(std::span<const double> values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

AdvanceResult contradict(std::span<const double> off, std::string_view unit) {
  Contradiction found{.left = greatest(off), .unit = unit};
  for (std::size_t i = 0; i < off.size(); ++i) {
    if (off[i] >= kShare * found.left) found.joints.push_back(static_cast<std::int32_t>(i));
  }
  AdvanceResult result{AdvanceStatus::Contradiction};
  result.contradiction = std::move(found);
  return result;
}

double greatest_speed(const Scene& scene, const State& state) {
  double fastest = 0;
  for (const BodyState& body : state.bodies)
    fastest = std::max(fastest, body.v.norm() + scene.tolerances.length * body.w.norm());
  return fastest;
}

// Moves bodies that are driven on by a part of the smallest body's size, and no others.
void drive_ahead(const Scene& scene, double distance, State& state) {
  const double length = scene.tolerances.length;
  double fastest = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].is_dynamic()) continue;
    const BodyState& body = state.bodies[i];
    fastest = std::max(fastest, body.v.norm() + length * body.w.norm());
  }
  if (fastest == 0) return;
  State all = state;
  dynamics::drift(distance / fastest, all);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].is_dynamic()) state.bodies[i] = all.bodies[i];
  }
}

}  // namespace

// Velocities that do not fit are not carried into the first step, where a force that makes them fit
// would be booked as work: the jerk is an impact without a contact.
AdvanceResult JointCheck::begin(State& state) {
  if (scene_.joints.empty()) return {};
  const double asked = greatest(fit_.rates(state));
  if (asked > scene_.tolerances.velocity) {
    scratch_ = state;
    fit_.stop(state);
    const std::span<const double> left = fit_.rates(state);
    if (greatest(left) > kMisfit * std::max(asked, greatest_speed(scene_, scratch_))) {
      state = scratch_;
      return contradict(left, "m/s");
    }
    record_jerk(scratch_, state);
  }
  return check_accelerations(state);
}

// Forces that keep joints as they are exist wherever motion goes on from here.
AdvanceResult JointCheck::check_accelerations(const State& state) {
  const JointFit::Bias bias = fit_.biases(state);
  const double speed = greatest_speed(scene_, state), length = scene_.tolerances.length;
  const double least = kMisfit * std::max(bias.asked, speed * speed / length);
  return greatest(bias.left) > least ? contradict(bias.left, "m/s²") : AdvanceResult{};
}

void JointCheck::record_jerk(const State& before, const State& after) {
  std::vector<dynamics::JointRow> rows;
  dynamics::compute_joint_rows(scene_, before, rows);
  const contact::ContactProblem& problem = fit_.problem();
  const contact::Impulses& impulses = fit_.impulses();
  for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
    const model::Joint& joint = scene_.joints[i];
    Vec3 impulse = Vec3::Zero(), turn = Vec3::Zero();
    for (std::size_t k = 0; k < problem.equalities.size(); ++k) {
      const dynamics::JointRow& row = rows[static_cast<std::size_t>(problem.equalities[k].source)];
      if (row.joint != static_cast<std::int32_t>(i)) continue;
      impulse += impulses.equalities[k] * row.linear_a;
      turn += impulses.equalities[k] * row.angular_a;
    }
    if (impulse.isZero(0) && turn.isZero(0)) continue;
    const Vec3 anchor = before[joint.a].pose() * joint.X_AJ.p;
    const Vec3 along = impulse.isZero(0) ? Vec3(Vec3::Zero()) : Vec3(impulse.normalized());
    const auto opening = [&](const State& at) {
      return along.dot(at[joint.a].twist().at(anchor - at[joint.a].x) -
                       at[joint.b].twist().at(anchor - at[joint.b].x));
    };
    context_.recorder.event({before.t, record::EventKind::Impact, joint.a, joint.b, anchor, along,
                             -opening(before), opening(after), impulse, 1, 0});
  }
  std::vector<record::CarriedForce> joint_impulses;
  append_joint_forces(scene_, {rows, problem, impulses}, 1, before, joint_impulses);
  context_.recorder.impact({{}, joint_impulses, before, after, 1, 0});
}

AdvanceResult JointCheck::check(const State& state) {
  if (scene_.joints.empty()) return {};
  const double open = greatest(fit_.errors(state));
  if (!(open > kOpen * scene_.tolerances.length)) return {};
  scratch_ = state;
  fit_.close(scratch_);
  const std::span<const double> left = fit_.errors(scratch_);
  const bool closed = greatest(left) <= kClosed * kOpen * scene_.tolerances.length;
  return closed ? AdvanceResult{} : contradict(left, "m");
}

// What fails is looked at as it will be a moment later: with driven bodies a little further on, and
// with what is about to touch touching.
AdvanceResult JointCheck::explain(const AdvanceResult& failure, const State& state) {
  using enum AdvanceStatus;
  if (failure.status == Contradiction || failure.status == Stopped) return failure;
  if (!scene_.joints.empty()) {
    const double ahead = kAhead * scene_.tolerances.length;
    scratch_ = state;
    drive_ahead(scene_, ahead, scratch_);
    fit_.close(scratch_);
    const std::span<const double> left = fit_.errors(scratch_);
    if (greatest(left) > kClosed * ahead) return contradict(left, "m");
    if (AdvanceResult found = check_accelerations(state); !found.ok()) return found;
  }
  AdvanceResult squeezed = squeeze_.find(context_, state);
  return squeezed.ok() ? failure : squeezed;
}

}  // namespace carom::methods
