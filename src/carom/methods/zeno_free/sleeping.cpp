#include "carom/methods/zeno_free/sleeping.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "carom/base/bytes.h"
#include "carom/dynamics/equations_of_motion.h"

namespace carom::methods {

namespace {

constexpr double kPatience = 4;  // times √(size / g)
constexpr int kLeastLooks = 10;  // at a body before it counts as quiet, however long the steps
constexpr double kGrowth = 2;    // of speeds from one half of the time to the other: no noise

bool is_held(const Scene& scene, std::size_t body) {
  const model::InitialMotion& motion = scene.initial[body];
  switch (scene.bodies[body].motion) {
    case model::Motion::Fixed:
      return true;
    case model::Motion::Driven:
      return motion.v.isZero(0) && motion.w.isZero(0);
    case model::Motion::Dynamic:
      break;
  }
  return false;
}

}  // namespace

SleepingIslands::SleepingIslands(const Scene& scene, const dynamics::AppliedForces& applied)
    : scene_(scene),
      applied_(applied),
      coupled_(scene.bodies.size()),
      group_(scene.bodies.size(), -1),
      quiet_(scene.bodies.size()),
      restless_(scene.bodies.size()) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    reach_.push_back(body.is_dynamic() ? body.radius : 0);
    patience_.push_back(kPatience * std::sqrt(reach_[i] / scene.gravity.norm()));
    still_.push_back(is_held(scene, i) ? 1 : 0);
  }
  for (const auto& [a, b] : applied.couples()) coupled_[index(a)] = coupled_[index(b)] = 1;
  for (const model::Force& force : scene.forces) {
    const auto* spring = std::get_if<model::Spring>(&force);
    if (spring == nullptr || !spring->a.body || !spring->b.body) continue;
    const std::size_t a = index(*spring->a.body), b = index(*spring->b.body);
    if (scene.bodies[a].motion == model::Motion::Driven) coupled_[b] = 1;
    if (scene.bodies[b].motion == model::Motion::Driven) coupled_[a] = 1;
  }
}

void SleepingIslands::wake_all() {
  for (const std::int32_t group : group_)
    if (group >= 0) wake(group);
}

void SleepingIslands::hold_in_place(const State& state, Flight& flight) const {
  for (std::size_t i = 0; i < group_.size(); ++i) {
    if (group_[i] < 0) continue;
    const BodyState& at = state.bodies[i];
    flight.motions[i] = {at.x, Vec3::Zero(), Vec3::Zero(), math::SteadySpin{at.q, Vec3::Zero()}};
  }
}

const contact::Contact* SleepingIslands::wake_one(const contact::ContactSet& contacts) {
  for (const contact::Contact& contact : contacts) {
    const std::int32_t group = std::max(group_[index(contact.a)], group_[index(contact.b)]);
    if (group < 0) continue;
    wake(group);
    return &contact;
  }
  return nullptr;
}

void SleepingIslands::wake(std::int32_t group) {
  const auto belongs = [&](BodyId id) { return group_[index(id)] == group; };
  std::erase_if(forces_, [&](const auto& force) { return belongs(force.a) || belongs(force.b); });
  for (std::size_t i = 0; i < group_.size(); ++i) {
    if (group_[i] != group) continue;
    group_[i] = -1;
    still_[i] = false;
    quiet_[i] = {};
  }
}

double SleepingIslands::speed_of(std::size_t body, const BodyState& at) const {
  return at.v.norm() + reach_[body] * at.w.norm();
}

// |q₁ - q₂| is half the angle between the two, for small ones.
double SleepingIslands::moved(std::size_t body, const BodyState& at) const {
  const Quat& q = quiet_[body].q;
  const double sign = q.dot(at.q) < 0 ? -1 : 1;
  return (at.x - quiet_[body].x).norm() +
         2 * reach_[body] * (at.q.coeffs() - sign * q.coeffs()).norm();
}

void SleepingIslands::watch(const State& state) {
  for (std::size_t i = 0; i < group_.size(); ++i) {
    if (!still_[i] && scene_.bodies[i].is_dynamic()) watch(i, state.bodies[i], state.t);
  }
}

void SleepingIslands::watch(std::size_t body, const BodyState& at, double t) {
  Quiet& quiet = quiet_[body];
  const double speed = speed_of(body, at);
  if (speed > scene_.tolerances.velocity || moved(body, at) > scene_.tolerances.gap ||
      (quiet.ready && quiet.late > kGrowth * quiet.early)) {
    quiet = {at.x, at.q, t, speed};
    return;
  }
  const bool is_early = t - quiet.since < 0.5 * patience_[body];
  double& fastest = is_early ? quiet.early : quiet.late;
  fastest = std::max(fastest, speed);
  quiet.ready = ++quiet.looks >= kLeastLooks && t - quiet.since >= patience_[body];
}

bool SleepingIslands::may_sleep(std::size_t body, const Stretch& stretch,
                                const State& state) const {
  const Quiet& quiet = quiet_[body];
  if (!quiet.ready || quiet.late > kGrowth * quiet.early) return false;
  const auto left = dynamics::compute_acceleration(scene_.bodies[body], state.bodies[body],
                                                   stretch.wrenches[body], scene_.gravity);
  const double gained = left.linear.norm() + reach_[body] * left.angular.norm();
  return gained * stretch.duration <= scene_.tolerances.velocity;
}

void SleepingIslands::find_islands(const Stretch& stretch, const State& state) {
  connected_.reset(group_.size());
  for (std::size_t i = 0; i < group_.size(); ++i) {
    const bool awake = scene_.bodies[i].is_dynamic() && group_[i] < 0;
    const bool pushed = coupled_[i] || applied_.has_law();
    restless_[i] = awake && (pushed || !may_sleep(i, stretch, state)) ? 1 : 0;
  }
  for (const model::Joint& joint : scene_.joints) {
    restless_[index(joint.a)] = restless_[index(joint.b)] = true;
  }
  for (const contact::Contact& contact : stretch.contacts) {
    const BodyId pair[] = {contact.a, contact.b};
    for (int side = 0; side < 2; ++side) {
      const BodyId here = pair[side], there = pair[1 - side];
      const bool pushed = !scene_.body(there).is_dynamic() && !still_[index(there)];
      if (pushed) restless_[index(here)] = true;
    }
    if (!scene_.body(contact.a).is_dynamic() || !scene_.body(contact.b).is_dynamic()) continue;
    connected_.unite(index(contact.a), index(contact.b));
  }
  for (std::size_t i = 0; i < group_.size(); ++i) {
    if (restless_[i]) restless_[connected_.root_of(i)] = true;
  }
}

void SleepingIslands::fall_asleep(const Stretch& stretch, State& state) {
  const auto ready = [](const Quiet& quiet) { return quiet.ready; };
  if (std::none_of(quiet_.begin(), quiet_.end(), ready)) return;
  find_islands(stretch, state);
  bool anyone = false;
  for (std::size_t i = 0; i < group_.size(); ++i) {
    const std::size_t root = connected_.root_of(i);
    const bool awake = scene_.bodies[i].is_dynamic() && group_[i] < 0;
    if (!awake || restless_[root]) continue;
    group_[i] = static_cast<std::int32_t>(root);
    still_[i] = 1;
    anyone = true;
    quiet_[i] = {};
    state.bodies[i].v.setZero();
    state.bodies[i].w.setZero();
  }
  if (!anyone) return;
  forces_.clear();
  for (const record::CarriedForce& force : stretch.forces) {
    if (is_asleep(force.a) || is_asleep(force.b)) forces_.push_back(force);
  }
}

namespace {

// Numbers alone, in a fixed order: no padding reaches the bytes.
using SavedQuiet = std::array<double, 12>;
using SavedForce = std::array<double, 9>;

}  // namespace

void SleepingIslands::save(std::string& bytes) const {
  base::append_bytes(bytes, group_);
  for (const Quiet& each : quiet_) {
    base::append_bytes(bytes, SavedQuiet{each.x.x(), each.x.y(), each.x.z(), each.q.w(), each.q.x(),
                                         each.q.y(), each.q.z(), each.since, each.early, each.late,
                                         static_cast<double>(each.looks), each.ready ? 1.0 : 0.0});
  }
  base::append_bytes(bytes, static_cast<std::uint64_t>(forces_.size()));
  for (const record::CarriedForce& each : forces_) {
    SavedForce saved;
    std::copy(each.point.begin(), each.point.end(), saved.begin());
    std::copy(each.force.begin(), each.force.end(), saved.begin() + 3);
    std::copy(each.torque.begin(), each.torque.end(), saved.begin() + 6);
    base::append_bytes(bytes, std::array{each.a, each.b});
    base::append_bytes(bytes, each.joint);
    base::append_bytes(bytes, saved);
  }
}

void SleepingIslands::restore(std::string_view& bytes) {
  base::take_bytes(bytes, group_);
  base::check(group_.size() == quiet_.size(), "a checkpoint is of the same scene");
  for (std::size_t i = 0; i < quiet_.size(); ++i) {
    SavedQuiet saved;
    base::take_bytes(bytes, saved);
    const auto& [x, y, z, qw, qx, qy, qz, since, early, late, looks, ready] = saved;
    quiet_[i] = {Vec3(x, y, z), Quat(qw, qx, qy, qz),    since,     early,
                 late,          static_cast<int>(looks), ready != 0};
    still_[i] = is_held(scene_, i) || group_[i] >= 0 ? 1 : 0;
  }
  std::uint64_t forces = 0;
  base::take_bytes(bytes, forces);
  forces_.clear();
  for (std::uint64_t i = 0; i < forces; ++i) {
    std::array<BodyId, 2> pair;
    SavedForce saved;
    std::int32_t joint = -1;
    base::take_bytes(bytes, pair);
    base::take_bytes(bytes, joint);
    base::take_bytes(bytes, saved);
    forces_.push_back({pair[0], pair[1], Vec3(saved[0], saved[1], saved[2]),
                       Vec3(saved[3], saved[4], saved[5]), Vec3(saved[6], saved[7], saved[8]),
                       joint});
  }
}

}  // namespace carom::methods
