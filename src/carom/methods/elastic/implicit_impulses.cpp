#include "carom/methods/elastic/implicit_impulses.h"

#include <algorithm>
#include <cmath>

#include "carom/math/cholesky.h"

namespace carom::methods {

namespace {

constexpr int kRounds = 4;            // of measuring gaps
constexpr double kSolved = 1e-10;     // of velocities, in the energy metric
constexpr double kAgreed = 1e-3;      // of the greatest impulse, between two rounds
constexpr double kLeastSlip = 1e-3;   // of the speed that gravity gives in a flight
constexpr double kJointWeight = 1e8;  // of a joint's stiffness beside what bodies resist in h

}  // namespace

std::span<const ImplicitImpulses::Acted> ImplicitImpulses::apply(const Elastic& options,
                                                                 const Cluster& cluster,
                                                                 double duration) {
  options_ = options;
  h_ = duration;
  least_slip_ = kLeastSlip * std::max(scene_.gravity.norm() * h_, 1e-3 * scene_.tolerances.speed);
  find_contacts(cluster);
  set_up(cluster);
  solve(cluster);
  const double left = bound_gain(cluster);
  before_.bodies.resize(scene_.bodies.size());
  for (const ElasticContact& pair : pairs_.all)
    for (const BodyId id : {pair.a, pair.b}) before_[id] = scratch_.now[id];
  for (const dynamics::JointRow& row : joints_)
    for (const BodyId id : {row.a, row.b}) before_[id] = scratch_.now[id];
  change_velocities(cluster, scratch_.now);
  write_effects(left);
  return acted_;
}

void ImplicitImpulses::solve(const Cluster& cluster) {
  for (int round = 0; round < kRounds; ++round) {
    minimise();
    if (round + 1 == kRounds || measure(cluster)) break;
  }
}

std::int32_t ImplicitImpulses::stretch_of(BodyId id) const {
  return scene_.body(id).is_dynamic() ? static_cast<std::int32_t>(scratch_.slot[index(id)])
                                      : math::BlockRows::kNone;
}

// m/s²; of one body against the other.
Vec3 ImplicitImpulses::fall_of(const contact::Contact& at) const {
  Vec3 fall = Vec3::Zero();
  if (scene_.body(at.a).is_dynamic()) fall += scene_.gravity;
  if (scene_.body(at.b).is_dynamic()) fall -= scene_.gravity;
  return fall;
}

double ImplicitImpulses::fall_along(const dynamics::JointRow& row) const {
  double fall = 0;
  if (scene_.body(row.a).is_dynamic()) fall += scene_.gravity.dot(row.linear_a);
  if (scene_.body(row.b).is_dynamic()) fall += scene_.gravity.dot(row.linear_b);
  return fall;
}

// All points that may touch before the flight ends.
void ImplicitImpulses::find_contacts(const Cluster& cluster) {
  pairs_.all.clear();
  pairs_.queries.clear();
  for (const std::size_t k : cluster.pairs) {
    pairs_.all.push_back(touch_of(near_.query(k)));
    pairs_.queries.push_back(&near_.query(k));
  }
  loads_.prepare(options_);
  contacts_.clear();
  const State& now = scratch_.now;
  for (std::size_t i = 0; i < pairs_.all.size(); ++i) {
    const ElasticContact& pair = pairs_.all[i];
    double reach = 0.5 * h_ * h_ * scene_.gravity.norm();
    for (const BodyId id : {pair.a, pair.b})
      reach += h_ * (now[id].v.norm() + tracks_.lever_bound(id) * now[id].w.norm());
    springs_.clear();
    loads_.append_springs(i, now, 2 * reach, springs_);
    for (const Spring& spring : springs_) {
      Contact& contact = contacts_.emplace_back();
      contact.pair = i;
      contact.spring = spring;
    }
  }
}

void ImplicitImpulses::add_part(BodyId id, Index row, int part, const Vec3& linear,
                                const Vec3& angular) {
  const std::int32_t at = stretch_of(id);
  if (at < 0) return;
  auto numbers = rows_.part(row, part);
  const auto i = static_cast<std::size_t>(at);
  numbers.head<3>() = linear / root_masses_[i];
  numbers.tail<3>() = roots_[i].transpose() * angular;
}

void ImplicitImpulses::set_up(const Cluster& cluster) {
  const State& now = scratch_.now;
  stretches_.clear();
  root_masses_.clear();
  roots_.clear();
  double energy = 0, mass = 0;
  for (const BodyId id : cluster.bodies) {
    const Body& body = scene_.body(id);
    stretches_.push_back({static_cast<Index>(6 * stretches_.size()), 6});
    root_masses_.push_back(std::sqrt(body.mass));
    const Mat3 inverse = dynamics::world_inverse_inertia(body, now[id].q);
    roots_.push_back(math::lower_root(inverse));
    energy += body.mass * now[id].v.squaredNorm() + now[id].w.dot(inverse.inverse() * now[id].w);
    mass += body.mass;
  }
  enough_ = kSolved * (std::sqrt(energy) + std::sqrt(mass) * scene_.gravity.norm() * h_);
  rows_.reset(stretches_);
  for (Contact& contact : contacts_) {
    const contact::Contact& at = contact.spring.at;
    const Mat3 axes = math::contact_axes(at.at.normal);
    const Vec3 lever_a = at.at.point - now[at.a].x, lever_b = at.at.point - now[at.b].x;
    const Vec3 slip = now[at.a].twist().at(lever_a) - now[at.b].twist().at(lever_b);
    for (int k = 0; k < 3; ++k) {
      const Vec3 along = axes.row(k);
      const Index row = rows_.add(stretch_of(at.a), stretch_of(at.b));
      if (k == 0) contact.row = row;
      add_part(at.a, row, 0, along, lever_a.cross(along));
      add_part(at.b, row, 1, -along, -lever_b.cross(along));
      contact.before[static_cast<std::size_t>(k)] = along.dot(slip + 0.5 * h_ * fall_of(at));
    }
    contact.measured_gap = at.at.gap;
    contact.measured_rate = 0;
    contact.load = normal_force(contact.spring.law, -at.at.gap, {1, 0}).value;
  }
  joints_.clear();
  holds_.clear();
  if (cluster.with_joints) dynamics::compute_joint_rows(scene_, now, joints_);
  for (const dynamics::JointRow& joint : joints_) {
    Hold hold;
    hold.joint = joint;
    hold.row = rows_.add(stretch_of(joint.a), stretch_of(joint.b));
    add_part(joint.a, hold.row, 0, joint.linear_a, joint.angular_a);
    add_part(joint.b, hold.row, 1, joint.linear_b, joint.angular_b);
    hold.before = dynamics::row_rate(joint, now) + 0.5 * h_ * fall_along(joint);
    hold.stiffness = kJointWeight / (h_ * h_ * rows_.squared_norm(hold.row));
    hold.error = joint.error;
    holds_.push_back(hold);
  }
  factor_.set_pattern(rows_);
  u_.resize(rows_.dimension()).setZero();
  direction_.resize(rows_.dimension());
  trial_.resize(rows_.dimension());
  gradient_.resize(rows_.dimension());
}

void ImplicitImpulses::change_velocities(const Cluster& cluster, State& state) const {
  const auto u = u_.view();
  for (std::size_t i = 0; i < cluster.bodies.size(); ++i) {
    BodyState& body = state[cluster.bodies[i]];
    body = scratch_.now[cluster.bodies[i]];
    body.v += u.segment<3>(static_cast<Index>(6 * i)) / root_masses_[i];
    body.w += roots_[i] * u.segment<3>(static_cast<Index>(6 * i + 3));
  }
}

// Gaps, loads and errors of joints where the flight leads; true where they agree with what was
// solved.
bool ImplicitImpulses::measure(const Cluster& cluster) {
  ahead_.t = scratch_.now.t + h_;
  ahead_.bodies.resize(scene_.bodies.size());
  for (const ElasticContact& pair : pairs_.all)
    for (const BodyId id : {pair.a, pair.b}) ahead_[id] = tracks_.at(id, ahead_.t);
  change_velocities(cluster, ahead_);
  for (const BodyId id : cluster.bodies)
    ahead_[id] = dynamics::state_on(dynamics::fly_freely(scene_, scene_.body(id), ahead_[id]), h_);
  double greatest = 0, missed = 0;
  const auto u = u_.view();
  for (std::size_t first = 0; first < contacts_.size();) {
    const std::size_t pair = contacts_[first].pair;
    followed_.clear();
    for (std::size_t i = first; i < contacts_.size() && contacts_[i].pair == pair; ++i)
      followed_.push_back(contacts_[i].spring.at);
    loads_.follow(pair, ahead_, followed_, work_);
    for (const contact::Contact& at : followed_) {
      Contact& contact = contacts_[first++];
      const double rate = rates(contact, u).x();
      contact.measured_gap = at.at.gap;
      contact.measured_rate = rate;
      contact.load = normal_force(contact.spring.law, -at.at.gap, {1, 0}).value;
      greatest = std::max(greatest, contact.impulse.x());
      missed = std::max(missed, std::abs(h_ * contact.load - contact.impulse.x()));
    }
  }
  if (!joints_.empty()) {
    for (const dynamics::JointRow& row : joints_)
      for (const BodyId id : {row.a, row.b})
        if (!scene_.body(id).is_dynamic()) ahead_[id] = tracks_.at(id, ahead_.t);
    dynamics::compute_joint_rows(scene_, ahead_, joints_);
    for (std::size_t i = 0; i < holds_.size() && i < joints_.size(); ++i) {
      holds_[i].error = joints_[i].error;
      holds_[i].error_rate = holds_[i].before + rows_.dot(holds_[i].row, u);
    }
  }
  return missed <= kAgreed * greatest && joints_.empty();
}

}  // namespace carom::methods
