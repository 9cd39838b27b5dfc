// What asks for the impossible: joints that no motion satisfies together, and bodies between others
// that nothing stops.
#include <algorithm>
#include <cmath>

#include "carom/methods/workbench.h"

namespace carom::methods {

namespace {

using contact::Contact;
using contact::ContactRow;

constexpr double kOpen = 1e-3;    // of a body's size: a joint that is open further is looked into
constexpr double kAhead = 1e-2;   // of a body's size: how far driven bodies are moved on for a look
constexpr double kNear = 1e-3;    // of a body's size: what is nearer touches as good as
constexpr double kClosed = 0.1;   // of how far a joint may be open: less is closed
constexpr double kLeft = 1e-2;    // of what was asked for: less is what solvers leave
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

void add_once(std::vector<BodyId>& to, BodyId id) {
  if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
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

bool is_driven(const Scene& scene, const State& state, BodyId id) {
  const BodyState& body = state[id];
  return !scene.body(id).is_dynamic() && !(body.v.isZero(0) && body.w.isZero(0));
}

}  // namespace

// Velocities that do not fit are not carried into the first step, where a force that makes them fit
// would be booked as work: the jerk is an impact without a contact.
AdvanceResult Workbench::meet_joints(State& state) {
  if (scene_.joints.empty()) return {};
  const double asked = greatest(joint_fit_.rates(state));
  if (asked > scene_.tolerances.velocity) {
    before_ = state;
    joint_fit_.stop(state);
    const std::span<const double> left = joint_fit_.rates(state);
    if (greatest(left) > kMisfit * std::max(asked, greatest_speed(scene_, before_))) {
      state = before_;
      return contradict(left, "m/s");
    }
    record_joint_impact(before_, state);
  }
  return check_accelerations(state);
}

// Forces that keep joints as they are exist wherever motion goes on from here.
AdvanceResult Workbench::check_accelerations(const State& state) {
  const JointFit::Bias bias = joint_fit_.biases(state);
  const double speed = greatest_speed(scene_, state), length = scene_.tolerances.length;
  const double least = kMisfit * std::max(bias.asked, speed * speed / length);
  return greatest(bias.left) > least ? contradict(bias.left, "m/s²") : AdvanceResult{};
}

void Workbench::record_joint_impact(const State& before, const State& after) {
  problem_ = joint_fit_.problem();
  impulses_ = joint_fit_.impulses();
  dynamics::compute_joint_rows(scene_, before, joint_rows_);
  for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
    const model::Joint& joint = scene_.joints[i];
    Vec3 impulse = Vec3::Zero(), turn = Vec3::Zero();
    for (std::size_t k = 0; k < problem_.equalities.size(); ++k) {
      const dynamics::JointRow& row =
          joint_rows_[static_cast<std::size_t>(problem_.equalities[k].source)];
      if (row.joint != static_cast<std::int32_t>(i)) continue;
      impulse += impulses_.equalities[k] * row.linear_a;
      turn += impulses_.equalities[k] * row.angular_a;
    }
    if (impulse.isZero(0) && turn.isZero(0)) continue;
    const Vec3 anchor = before[joint.a].pose() * joint.X_AJ.p;
    const Vec3 along = impulse.isZero(0) ? Vec3(Vec3::Zero()) : Vec3(impulse.normalized());
    const auto opening = [&](const State& at) {
      return along.dot(at[joint.a].twist().at(anchor - at[joint.a].x) -
                       at[joint.b].twist().at(anchor - at[joint.b].x));
    };
    recorder_.event({before.t, record::EventKind::Impact, joint.a, joint.b, anchor, along,
                     -opening(before), opening(after), impulse, 1, 0});
  }
  joint_impulses_.clear();
  append_joint_forces(before, 1, joint_impulses_);
  recorder_.impact({{}, joint_impulses_, before, after, 1, 0});
}

AdvanceResult Workbench::check_joints(const State& state) {
  if (scene_.joints.empty()) return {};
  const double open = greatest(joint_fit_.errors(state));
  if (!(open > kOpen * scene_.tolerances.length)) return {};
  halfway_ = state;
  joint_fit_.close(halfway_);
  const std::span<const double> left = joint_fit_.errors(halfway_);
  const bool closed = greatest(left) <= kClosed * kOpen * scene_.tolerances.length;
  return closed ? AdvanceResult{} : contradict(left, "m");
}

// Of the problem just solved, with what its gaps let close within `duration`.
AdvanceResult Workbench::check_squeezed(const State& after, double duration) {
  double asked = 0, left = 0;
  bool driven = false;
  for (ContactRow& row : problem_.contacts) {
    const double may_close = std::max(row.gap, 0.0) / duration;
    row.rate.x() += may_close;
    const Contact& contact = contacts_[static_cast<std::size_t>(row.source)];
    driven |= is_driven(scene_, after, contact.a) || is_driven(scene_, after, contact.b);
    const Vec3 relative =
        after[contact.a].twist().at(row.a.lever) - after[contact.b].twist().at(row.b.lever);
    asked = std::max(asked, -row.rate.x());
    left = std::max(left, -row.normal.dot(relative) - may_close);
  }
  const double least = std::max(kLeft * asked, scene_.tolerances.leaving);
  if (!driven || !(left > least)) return {};
  const std::span<const double> approach = squeeze_.find(problem_);
  Contradiction found{.left = greatest(approach), .unit = "m/s"};
  if (!(found.left > least)) return {};
  for (std::size_t i = 0; i < approach.size(); ++i) {
    if (approach[i] < kShare * found.left) continue;
    const Contact& contact = contacts_[static_cast<std::size_t>(problem_.contacts[i].source)];
    for (const BodyId id : {contact.a, contact.b}) {
      add_once(scene_.body(id).is_dynamic() ? found.squeezed : found.by, id);
    }
  }
  AdvanceResult result{AdvanceStatus::Contradiction};
  result.contradiction = std::move(found);
  return result;
}

// What fails is looked at as it will be a moment later: with driven bodies a little further on, and
// with what is about to touch touching.
AdvanceResult Workbench::explain(const AdvanceResult& failure, const State& state) {
  using enum AdvanceStatus;
  if (failure.status == Contradiction || failure.status == Stopped) return failure;
  if (!scene_.joints.empty()) {
    const double ahead = kAhead * scene_.tolerances.length;
    halfway_ = state;
    drive_ahead(scene_, ahead, halfway_);
    joint_fit_.close(halfway_);
    const std::span<const double> left = joint_fit_.errors(halfway_);
    if (greatest(left) > kClosed * ahead) return contradict(left, "m");
    if (AdvanceResult found = check_accelerations(state); !found.ok()) return found;
  }
  AdvanceResult squeezed = find_squeezed(state);
  return squeezed.ok() ? failure : squeezed;
}

// With pairs of its own: a method may be in the middle of watching the others.
AdvanceResult Workbench::find_squeezed(const State& state) {
  const double near = kNear * scene_.tolerances.length;
  contact::Pairs pairs(scene_, workers_);
  pairs.find_near_contacts(state, near / scene_.tolerances.speed, contacts_);
  std::erase_if(contacts_, [&](const Contact& contact) { return contact.at.gap > near; });
  dynamics::compute_joint_rows(scene_, state, joint_rows_);
  assembler_.assemble(contacts_, joint_rows_, state, problem_);
  return check_squeezed(state);
}

}  // namespace carom::methods
