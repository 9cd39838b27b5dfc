#include "carom/methods/elastic/implicit_impulses.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

constexpr int kRounds = 4;            // of measuring gaps
constexpr int kMostNewton = 60;       // steps in one round
constexpr int kMostHalvings = 30;     // of a Newton step
constexpr double kArmijo = 1e-4;      // of the decrease that the gradient promises
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
  for (int round = 0; round < kRounds; ++round) {
    minimise();
    if (round + 1 == kRounds || measure(cluster)) break;
  }
  const double stored = std::min(cluster.stored, held_by_springs());
  if (find_work() > stored) {
    unload();
    minimise();
  }
  const double left = bound_work(stored);
  before_.bodies.resize(scene_.bodies.size());
  for (const ElasticContact& pair : pairs_.all)
    for (const BodyId id : {pair.a, pair.b}) before_[id] = scratch_.now[id];
  for (const dynamics::JointRow& row : joints_)
    for (const BodyId id : {row.a, row.b}) before_[id] = scratch_.now[id];
  change_velocities(cluster, scratch_.now);
  write_effects();
  share_out(left);
  return acted_;
}

double ImplicitImpulses::held_by_springs() const {
  double sum = 0;
  for (const Contact& contact : contacts_) {
    const PairLaw& law = contact.spring.law;
    const double depth = std::max(0.0, -contact.spring.at.at.gap);
    sum += normal_force(law, depth, {1, 0}).value * depth / (law.exponent + 1);
  }
  return sum;
}

// As if springs began where they are, and joints were closed.
void ImplicitImpulses::unload() {
  for (Contact& contact : contacts_) {
    const contact::Contact& at = contact.spring.at;
    contact.measured_gap = std::max(0.0, at.at.gap) + fall_of(at);
    contact.measured_rate = 0;
  }
  for (Hold& hold : holds_) hold.error = hold.error_rate = 0;
}

// m; by how much gravity changes a gap in the flight.
double ImplicitImpulses::fall_of(const contact::Contact& at) const {
  Vec3 fall = Vec3::Zero();
  if (scene_.body(at.a).is_dynamic()) fall += scene_.gravity;
  if (scene_.body(at.b).is_dynamic()) fall -= scene_.gravity;
  return 0.5 * h_ * h_ * fall.dot(at.at.normal);
}

// J; before they are made smaller, at the velocities before and after.
double ImplicitImpulses::find_work() const {
  double along = 0;
  for (const Contact& contact : contacts_)
    for (std::size_t k = 0; k < 3; ++k)
      along += contact.impulse[static_cast<Index>(k)] * contact.before[k];
  for (const Hold& hold : holds_) along += hold.impulse * hold.before;
  return along + 0.5 * u_.view().squaredNorm();
}

// Impulses p do the work s p·v + s² |Rᵀp|²/2 where s of them act: s so that it is not above what is
// stored. Returns what is stored then.
double ImplicitImpulses::bound_work(double stored) {
  const double work = find_work(), square = 0.5 * u_.view().squaredNorm();
  if (work <= stored) return stored - work;
  const double along = work - square;
  const double root = std::sqrt(along * along + 4 * square * stored);
  const double part = along > 0 ? 2 * stored / (along + root) : (root - along) / (2 * square);
  u_.view() *= part;
  for (Contact& contact : contacts_) contact.impulse *= part;
  for (Hold& hold : holds_) hold.impulse *= part;
  return 0;
}

// By how much each pair pushes.
void ImplicitImpulses::share_out(double stored) {
  double sum = 0;
  for (const Acted& acted : acted_)
    if (acted.force.joint < 0) sum += acted.effect.impulse.norm();
  for (Acted& acted : acted_)
    acted.touch.stored =
        acted.force.joint < 0 && sum > 0 ? stored * acted.effect.impulse.norm() / sum : 0;
}

std::int32_t ImplicitImpulses::stretch_of(BodyId id) const {
  return scene_.body(id).is_dynamic() ? static_cast<std::int32_t>(scratch_.slot[index(id)])
                                      : math::BlockRows::kNone;
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
    roots_.push_back(inverse.llt().matrixL());
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
      contact.before[static_cast<std::size_t>(k)] = along.dot(slip);
    }
    contact.measured_gap = at.at.gap + fall_of(at);
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
    hold.before = dynamics::row_rate(joint, now);
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

Vec3 ImplicitImpulses::rates(const Contact& contact, math::VecIn u) const {
  return {contact.before[0] + rows_.dot(contact.row, u),
          contact.before[1] + rows_.dot(contact.row + 1, u),
          contact.before[2] + rows_.dot(contact.row + 2, u)};
}

double ImplicitImpulses::gap_ahead(const Contact& contact, double opening) const {
  return contact.measured_gap + h_ * (opening - contact.measured_rate);
}

double ImplicitImpulses::potential(math::VecIn u) {
  double sum = 0.5 * u.squaredNorm();
  for (const Contact& contact : contacts_) {
    const Vec3 rate = rates(contact, u);
    const PairLaw& law = contact.spring.law;
    const double depth = -gap_ahead(contact, rate.x());
    if (depth > 0) sum += normal_force(law, depth, {1, 0}).value * depth / (law.exponent + 1);
    sum += h_ * law.friction * contact.load * std::hypot(rate.y(), rate.z(), least_slip_);
  }
  for (const Hold& hold : holds_) {
    const double rate = hold.before + rows_.dot(hold.row, u);
    const double error = hold.error + h_ * (rate - hold.error_rate);
    sum += 0.5 * hold.stiffness * error * error;
  }
  return sum;
}

void ImplicitImpulses::linearise(math::VecIn u) {
  for (Contact& contact : contacts_) {
    const Vec3 rate = rates(contact, u);
    const NormalForce push =
        normal_force(contact.spring.law, -gap_ahead(contact, rate.x()), {1, 0});
    const double slip = std::hypot(rate.y(), rate.z(), least_slip_);
    const double drag = h_ * contact.spring.law.friction * contact.load / slip;
    contact.pushed = {h_ * push.value, -drag * rate.y(), -drag * rate.z()};
    contact.weights = {h_ * h_ * push.by_depth, drag * std::pow(least_slip_ / slip, 2), drag};
  }
  for (Hold& hold : holds_) {
    const double rate = hold.before + rows_.dot(hold.row, u);
    hold.pushed = -h_ * hold.stiffness * (hold.error + h_ * (rate - hold.error_rate));
  }
}

// Friction's second derivatives are those along the slip and those across it.
void ImplicitImpulses::align_tangents(math::VecIn u) {
  for (Contact& contact : contacts_) {
    const Vec3 rate = rates(contact, u);
    const double slip = std::hypot(rate.y(), rate.z());
    if (!(contact.load > 0) || !(slip > 0)) continue;
    const double c = rate.y() / slip, s = rate.z() / slip;
    for (const int part : {0, 1}) {
      if (rows_.stretch_of(contact.row, part) < 0) continue;
      const math::Vec6 first = rows_.part(contact.row + 1, part);
      const math::Vec6 second = rows_.part(contact.row + 2, part);
      rows_.part(contact.row + 1, part) = c * first + s * second;
      rows_.part(contact.row + 2, part) = c * second - s * first;
    }
    const double first = contact.before[1], second = contact.before[2];
    contact.before[1] = c * first + s * second;
    contact.before[2] = c * second - s * first;
    const Vec3 had = contact.impulse;
    contact.impulse.y() = c * had.y() + s * had.z();
    contact.impulse.z() = c * had.z() - s * had.y();
  }
}

// Newton's, at u_, whose gradient it leaves behind. False where nothing can be gained.
bool ImplicitImpulses::find_direction() {
  const auto u = u_.view();
  align_tangents(u);
  linearise(u);
  auto gradient = gradient_.view();
  gradient = u;
  factor_.clear(1);
  for (const Contact& contact : contacts_) {
    for (int k = 0; k < 3; ++k) {
      rows_.add_to(gradient, contact.row + k, -contact.pushed[k]);
      if (contact.weights[k] > 0) factor_.add(rows_, contact.row + k, contact.weights[k]);
    }
  }
  for (const Hold& hold : holds_) {
    rows_.add_to(gradient, hold.row, -hold.pushed);
    factor_.add(rows_, hold.row, h_ * h_ * hold.stiffness);
  }
  if (!(gradient.norm() > enough_)) return false;
  auto direction = direction_.view();
  direction = -gradient;
  if (!factor_.factor()) return false;
  factor_.solve_in_place(direction);
  return direction.allFinite();
}

// Newton's step Δu solves u + Δu = Rᵀ (p - W R Δu) for the impulses p and their slopes W: those on
// the right are its impulses. So u = Rᵀ of the impulses all along, and momentum is exact even where
// the search is left early; and what is moved is never more than what the potential allows.
void ImplicitImpulses::move_impulses(double part) {
  const auto direction = direction_.view();
  for (Contact& contact : contacts_) {
    const Vec3 turned(rows_.dot(contact.row, direction), rows_.dot(contact.row + 1, direction),
                      rows_.dot(contact.row + 2, direction));
    const Vec3 aim = contact.pushed - contact.weights.cwiseProduct(turned);
    contact.impulse += part * (aim - contact.impulse);
  }
  for (Hold& hold : holds_) {
    const double weight = h_ * h_ * hold.stiffness;
    const double aim = hold.pushed - weight * rows_.dot(hold.row, direction);
    hold.impulse += part * (aim - hold.impulse);
  }
}

void ImplicitImpulses::minimise() {
  auto u = u_.view();
  double here = potential(u);
  for (int i = 0; i < kMostNewton && find_direction(); ++i) {
    const double slope = gradient_.view().dot(direction_.view());
    double part = 1, there = here;
    auto trial = trial_.view();
    for (int k = 0; k < kMostHalvings; ++k, part /= 2) {
      trial = u + part * direction_.view();
      there = potential(trial);
      if (there <= here + kArmijo * part * slope) break;
    }
    if (!(there < here)) break;
    move_impulses(part);
    u = trial;
    here = there;
  }
  u.setZero();
  for (const Contact& contact : contacts_)
    for (int k = 0; k < 3; ++k) rows_.add_to(u, contact.row + k, contact.impulse[k]);
  for (const Hold& hold : holds_) rows_.add_to(u, hold.row, hold.impulse);
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

// Of a point, the mean of before and after the impulses.
Vec3 ImplicitImpulses::mean_velocity(BodyId id, const Vec3& point) const {
  const Vec3 lever = point - before_[id].x;
  return 0.5 * (before_[id].twist().at(lever) + scratch_.now[id].twist().at(lever));
}

void ImplicitImpulses::write_effects() {
  acted_.clear();
  write_contacts();
  write_joints();
}

void ImplicitImpulses::write_contacts() {
  std::size_t pair = pairs_.all.size();  // none
  double load = 0;
  Vec3 drag = Vec3::Zero();
  for (const Contact& contact : contacts_) {
    const contact::Contact& at = contact.spring.at;
    if (contact.pair != pair) {
      pair = contact.pair;
      load = 0;
      drag.setZero();
      Acted& next = acted_.emplace_back();
      next.force.a = at.a;
      next.force.b = at.b;
      next.touch = pairs_.all[pair];
      acted_.back().force.point = at.at.point;
    }
    Acted& acted = acted_.back();
    const Vec3 n = at.at.normal;
    // The tangents as they were turned: from the rows' linear parts.
    const BodyId moving = scene_.body(at.a).is_dynamic() ? at.a : at.b;
    const int part = moving == at.a ? 0 : 1;
    const double scale =
        (part == 0 ? 1 : -1) * root_masses_[static_cast<std::size_t>(stretch_of(moving))];
    const Vec3 first = scale * rows_.part(contact.row + 1, part).head<3>();
    const Vec3 second = scale * rows_.part(contact.row + 2, part).head<3>();
    const Vec3 across = contact.impulse.y() * first + contact.impulse.z() * second;
    const Vec3 impulse = contact.impulse.x() * n + across;
    acted.effect.impulse += impulse;
    acted.effect.moment += at.at.point.cross(impulse);
    acted.effect.work_a += impulse.dot(mean_velocity(at.a, at.at.point));
    acted.effect.work_b += impulse.dot(mean_velocity(at.b, at.at.point));
    const double sum = load + contact.impulse.x();
    if (sum > 0) acted.force.point += contact.impulse.x() / sum * (at.at.point - acted.force.point);
    load = sum;
    drag += across;
    acted.force.force = acted.effect.impulse / h_;
    acted.force.torque = (acted.effect.moment - acted.force.point.cross(acted.effect.impulse)) / h_;
    const double depth = std::max(0.0, -at.at.gap);
    acted.depth = std::max(acted.depth, depth);
    const double most = contact.spring.law.friction * load;
    const Vec3 bristle = most > 0 ? Vec3(-drag / most) : Vec3(Vec3::Zero());
    const Vec3 kept = bristle / std::max(1.0, bristle.norm());
    std::copy_n(kept.data(), 3, acted.touch.bristle.begin());
  }
}

void ImplicitImpulses::write_joints() {
  for (std::size_t i = 0; i < holds_.size(); ++i) {
    const dynamics::JointRow& row = holds_[i].joint;
    if (i == 0 || holds_[i - 1].joint.joint != row.joint) {
      const model::Joint& joint = scene_.joints[static_cast<std::size_t>(row.joint)];
      Acted& next = acted_.emplace_back();
      next.force.a = joint.a;
      next.force.b = joint.b;
      acted_.back().force.joint = row.joint;
      acted_.back().force.point = before_[joint.a].pose() * joint.X_AJ.p;
    }
    Acted& acted = acted_.back();
    const double size = holds_[i].impulse;
    const auto work = [&](BodyId id, const Vec3& linear, const Vec3& angular) {
      const BodyState &from = before_[id], &to = scratch_.now[id];
      return 0.5 * size * (linear.dot(from.v + to.v) + angular.dot(from.w + to.w));
    };
    acted.effect.impulse += size * row.linear_a;
    acted.effect.moment += size * (row.angular_a + before_[row.a].x.cross(row.linear_a));
    acted.effect.work_a += work(row.a, row.linear_a, row.angular_a);
    acted.effect.work_b -= work(row.b, row.linear_b, row.angular_b);
    acted.force.force = acted.effect.impulse / h_;
    acted.force.torque = (acted.effect.moment - acted.force.point.cross(acted.effect.impulse)) / h_;
  }
}

}  // namespace carom::methods
