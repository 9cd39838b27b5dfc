#include "carom/methods/elastic/cluster_equations.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/equations_of_motion.h"

namespace carom::methods {

namespace {

constexpr math::Index kEffect = 9;  // numbers of a ForceEffect, and what springs take in
constexpr double kUnitRate = 1;     // 1/s; at which attitudes come back to unit length
// Of a joint's row, beside how far bodies give way to it: what is left of one that others imply,
// and how far it may give way itself.
constexpr double kImplied = 1e-9, kCompliance = 1e-10;

Quat attitude_in(math::VecIn y, math::Index at) { return {y[at], y[at + 1], y[at + 2], y[at + 3]}; }

void put(const Quat& q, math::Index at, math::VecView& out) {
  out[at] = q.w();
  out.segment<3>(at + 1) = q.vec();
}

}  // namespace

ClusterScratch::ClusterScratch(const Scene& scene, const dynamics::AppliedForces& forces)
    : applied(forces),
      now(dynamics::make_initial_state(scene)),
      slot(scene.bodies.size(), -1),
      wrenches{std::vector<Wrench>(scene.bodies.size()), std::vector<Wrench>(scene.bodies.size())},
      linear(scene.bodies.size(), Vec3::Zero()),
      angular(scene.bodies.size(), Vec3::Zero()),
      rates(scene.bodies.size()) {}

ClusterEquations::ClusterEquations(const Scene& scene, Touches& touches, const BodyTracks& bodies,
                                   ClusterScratch& board)
    : scene_(scene), touches_(touches), tracks_(bodies), scratch_(board), loads_(scene, touches) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].motion == model::Motion::Driven) driven_.push_back(id_of<BodyId>(i));
}

void ClusterEquations::begin(std::span<const BodyId> bodies, bool with_joints,
                             const Elastic& options, double first_step) {
  bodies_.assign(bodies.begin(), bodies.end());
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    scratch_.slot[index(bodies_[i])] = static_cast<math::Index>(i);
  rows_.clear();
  if (with_joints) dynamics::compute_joint_rows(scene_, now(), rows_);
  row_count_ = static_cast<math::Index>(rows_.size());
  joint_count_ = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    joint_count_ += i == 0 || rows_[i].joint != rows_[i - 1].joint ? 1 : 0;
  choose_compliances();
  stick_ = options.stick;
  loads_.prepare(options);
  slot_count_ = 0;
  for (std::size_t i = 0; i < touches_.all.size(); ++i) {
    ElasticContact& pair = touches_.all[i];
    if (pair.slot < 0) {
      const Vec3 bristle = loads_.first_bend(i, now(), first_step);
      std::copy_n(bristle.data(), 3, pair.bristle.begin());
    }
    pair.slot = slot_count_++;
  }
}

math::Index ClusterEquations::size() const { return bristle_offset() + bristle_size(); }

math::ConstVecView ClusterEquations::bristles(math::VecIn y) const {
  return {y.data() + bristle_offset(), bristle_size()};
}

math::ConstVecView ClusterEquations::multipliers(math::VecIn rate) const {
  return {rate.data() + joint_offset(), row_count_};
}

void ClusterEquations::pack(math::VecView y) const {
  y.setZero();
  for (const BodyId id : bodies_) {
    const math::Index at = offset(id);
    const BodyState& body = now()[id];
    y.segment<3>(at) = body.x;
    put(body.q, at + kQ, y);
    y.segment<3>(at + kV) = body.v;
    y.segment<3>(at + kL) = body.q * (scene_.body(id).inertia * (body.q.conjugate() * body.w));
  }
  for (const ElasticContact& pair : touches_.all)
    for (std::size_t k = 0; k < 3 && stick_; ++k)
      y[bristle_place(pair.slot) + static_cast<math::Index>(k)] = pair.bristle[k];
}

BodyState ClusterEquations::read_body(BodyId id, math::VecIn y) const {
  const math::Index at = offset(id);
  BodyState body;
  body.x = y.segment<3>(at);
  body.q = attitude_in(y, at + kQ).normalized();
  body.v = y.segment<3>(at + kV);
  const Vec3 momentum = y.segment<3>(at + kL);
  body.w = body.q * (scene_.body(id).inverse_inertia * (body.q.conjugate() * momentum));
  return body;
}

void ClusterEquations::unpack(double t, math::VecIn y) {
  scratch_.now.t = t;
  for (const BodyId id : bodies_) scratch_.now[id] = read_body(id, y);
  drive(t);
}

void ClusterEquations::drive(double t) {
  for (const BodyId id : driven_) scratch_.now[id] = tracks_.at(id, t);
}

void ClusterEquations::load(math::VecIn bristles, math::VecIn multipliers) {
  const State& state = now();
  loads_.evaluate(state, bristles);
  for (const BodyId id : bodies_) scratch_.wrenches.all[index(id)] = {};
  scratch_.applied.add(bodies_, state, scratch_.wrenches);
  const auto push = [&](BodyId id, const Vec3& lever, const Vec3& force, const Vec3& couple) {
    if (!moves(id)) return;
    scratch_.wrenches.all[index(id)].force += force;
    scratch_.wrenches.all[index(id)].torque += lever.cross(force) + couple;
  };
  for (const Node& node : loads_.nodes()) {
    const ElasticContact& pair = touches_.all[node.touch];
    push(pair.a, node.point - state[pair.a].x, node.force, node.couple);
    push(pair.b, node.point - state[pair.b].x, -node.force, -node.couple);
  }
  multipliers_ = multipliers;
  if (row_count_ > 0) dynamics::compute_joint_rows(scene_, state, rows_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const dynamics::JointRow& row = rows_[i];
    const double size = multipliers[static_cast<math::Index>(i)];
    push(row.a, Vec3::Zero(), size * row.linear_a, size * row.angular_a);
    push(row.b, Vec3::Zero(), size * row.linear_b, size * row.angular_b);
  }
  for (const BodyId id : bodies_) {
    const dynamics::Acceleration a = dynamics::compute_acceleration(
        scene_.body(id), state[id], scratch_.wrenches.all[index(id)], scene_.gravity);
    scratch_.linear[index(id)] = a.linear;
    scratch_.angular[index(id)] = a.angular;
  }
}

void ClusterEquations::read_program(std::vector<Wrench>& out) const {
  out.clear();
  if (!scratch_.applied.has_program()) return;
  for (const BodyId id : bodies_) out.push_back(scratch_.wrenches.program[index(id)]);
}

// ω' = I⁻¹ (L' - ω × L)
void ClusterEquations::read_accelerations(math::VecIn rate, std::vector<math::Twist>& out) const {
  out.clear();
  for (const BodyId id : bodies_) {
    const Body& body = scene_.body(id);
    const BodyState& at = now()[id];
    const Quat back = at.q.conjugate();
    const Vec3 momentum = at.q * (body.inertia * (back * at.w));
    const Vec3 torque = rate.segment<3>(offset(id) + kL);
    out.push_back({rate.segment<3>(offset(id) + kV),
                   at.q * (body.inverse_inertia * (back * (torque - at.w.cross(momentum))))});
  }
}

void ClusterEquations::append_forces(std::vector<record::CarriedForce>& out) {
  const State& state = now();
  const std::size_t first = out.size();
  for (const ElasticContact& pair : touches_.all) {
    record::CarriedForce force;
    force.a = pair.a;
    force.b = pair.b;
    force.point = state[pair.a].x;
    out.push_back(force);
  }
  pair_loads_.assign(touches_.all.size(), 0);
  for (const Node& node : loads_.nodes()) {
    record::CarriedForce& pair = out[first + node.touch];
    const double load = node.force.dot(node.normal);
    double& before = pair_loads_[node.touch];
    const Vec3 point = before + load > 0
                           ? Vec3((before * pair.point + load * node.point) / (before + load))
                           : node.point;
    pair.torque += (pair.point - point).cross(pair.force) + node.couple +
                   (node.point - point).cross(node.force);
    pair.force += node.force;
    pair.point = point;
    before += load;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const dynamics::JointRow& row = rows_[i];
    const model::Joint& joint = scene_.joints[static_cast<std::size_t>(row.joint)];
    if (i == 0 || rows_[i - 1].joint != row.joint) {
      record::CarriedForce force;
      force.a = joint.a;
      force.b = joint.b;
      force.point = state[joint.a].pose() * joint.X_AJ.p;
      force.joint = row.joint;
      out.push_back(force);
    }
    const double size = multipliers_[static_cast<math::Index>(i)];
    record::CarriedForce& force = out.back();
    force.force += size * row.linear_a;
    force.torque += size * (row.angular_a - (force.point - state[joint.a].x).cross(row.linear_a));
  }
}

// By the heaviest body at the speed that falling through the smallest gives it, or its own.
VecX ClusterEquations::quadrature_errors(double tolerance) const {
  double impulse = 0, moment = 0, work = 0;
  for (const BodyId id : bodies_) {
    const BodyState& body = now()[id];
    const double speed = std::max(scene_.tolerances.speed, body.v.norm());
    const double mass = scene_.body(id).mass;
    impulse = std::max(impulse, mass * speed);
    moment = std::max(moment, mass * speed * scene_.body(id).radius);
    work = std::max(work, mass * speed * speed);
  }
  VecX errors(kEffect * (slot_count_ + joint_count_));
  for (math::Index i = 0; i < errors.size(); i += kEffect) {
    errors.segment<3>(i).setConstant(tolerance * impulse);
    errors.segment<3>(i + 3).setConstant(tolerance * moment);
    errors.segment<2>(i + 6).setConstant(tolerance * work);
    errors[i + 8] = work;  // a figure for the audit is no reason for shorter steps
  }
  return errors;
}

void ClusterEquations::quadrature(double t, math::VecIn y, math::VecIn rate, math::VecView out) {
  unpack(t, y);
  load(bristles(y), multipliers(rate));
  acting_.clear();
  append_forces(acting_);
  out.setZero();
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    const record::CarriedForce& force = acting_[i];
    const auto power = [&](BodyId id) {
      const BodyState& body = now()[id];
      return force.force.dot(body.twist().at(force.point - body.x)) + force.torque.dot(body.w);
    };
    const math::Index at = kEffect * place_of_effect(i);
    out.segment<3>(at) = force.force;
    out.segment<3>(at + 3) =
        (force.point - now()[center_of(force)].x).cross(force.force) + force.torque;
    out[at + 6] = power(force.a);
    out[at + 7] = power(force.b);
  }
  for (const Node& node : loads_.nodes())
    out[kEffect * math::Index{touches_.all[node.touch].slot} + 8] += node.spring * node.rate;
}

math::Index ClusterEquations::place_of_effect(std::size_t force) const {
  const std::vector<ElasticContact>& touches = touches_.all;
  if (force < touches.size()) return touches[force].slot;
  return slot_count_ + static_cast<math::Index>(force - touches.size());
}

// A spring that changes with how shapes touch may not give back more than it took in.
double ClusterEquations::store(math::VecIn sums) {
  double stored = 0;
  for (ElasticContact& pair : touches_.all) {
    pair.stored = std::max(0.0, pair.stored + sums[kEffect * math::Index{pair.slot} + 8]);
    stored += pair.stored;
  }
  return stored;
}

double ClusterEquations::stored() const {
  double stored = 0;
  for (const ElasticContact& pair : touches_.all) stored += pair.stored;
  return stored;
}

BodyId ClusterEquations::center_of(const record::CarriedForce& force) const {
  return moves(force.a) ? force.a : force.b;
}

// ∫ x × f dt = x̄ × ∫ f dt + ∫ (x - x̄) × f dt, the second by Simpson's rule.
void ClusterEquations::read_effects(math::VecIn sums, const End& from, const End& to,
                                    std::vector<record::ForceEffect>& out) const {
  const double h = to.t - from.t;
  out.resize(from.forces.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const math::Index at = kEffect * place_of_effect(i);
    out[i] = {sums.segment<3>(at), sums.segment<3>(at + 3), sums[at + 6], sums[at + 7]};
    const auto center = static_cast<std::size_t>(scratch_.slot[index(center_of(from.forces[i]))]);
    const BodyState &x0 = from.bodies[center], &x1 = to.bodies[center];
    const Vec3 mean = 0.5 * (x0.x + x1.x) - h / 12 * (x1.v - x0.v);
    out[i].moment += mean.cross(out[i].impulse) +
                     h / 12 * (x1.x - x0.x).cross(to.forces[i].force - from.forces[i].force);
  }
}

// How fast one row gives way to a unit force along another.
double ClusterEquations::mobility(const dynamics::JointRow& row,
                                  const dynamics::JointRow& by) const {
  double sum = 0;
  for (const auto& [id, linear, angular] : {std::tuple(row.a, row.linear_a, row.angular_a),
                                            std::tuple(row.b, row.linear_b, row.angular_b)}) {
    for (const auto& [other, also, turn] : {std::tuple(by.a, by.linear_a, by.angular_a),
                                            std::tuple(by.b, by.linear_b, by.angular_b)}) {
      if (other != id || !moves(id)) continue;
      const Mat3 inverse = dynamics::world_inverse_inertia(scene_.body(id), now()[id].q);
      sum += scene_.body(id).inverse_mass * linear.dot(also) + angular.dot(inverse * turn);
    }
  }
  return sum;
}

MatX ClusterEquations::find_mobilities() const {
  MatX mobilities(row_count_, row_count_);
  for (math::Index i = 0; i < row_count_; ++i)
    for (math::Index k = 0; k < row_count_; ++k)
      mobilities(i, k) =
          mobility(rows_[static_cast<std::size_t>(i)], rows_[static_cast<std::size_t>(k)]);
  return mobilities;
}

// Rows that others imply would leave multipliers open, so these alone may give way. As long as they
// are implied they do not move, hence carry nothing and take no work: a row that gives way under a
// load does, the more the lighter its body is beside the load. Pivoted Cholesky factors tell them.
void ClusterEquations::choose_compliances() {
  const MatX mobilities = find_mobilities();
  const VecX whole = mobilities.diagonal();
  compliance_.assign(rows_.size(), 0);
  for (math::Index i = 0; i < row_count_; ++i)
    compliance_[static_cast<std::size_t>(i)] = kCompliance * whole[i];
  MatX factor = MatX::Zero(row_count_, row_count_);
  VecX left = whole;
  for (math::Index k = 0; k < row_count_; ++k) {
    math::Index row = 0;
    if (!((left.array() / whole.array()).maxCoeff(&row) > kImplied)) break;
    compliance_[static_cast<std::size_t>(row)] = 0;
    factor.col(k) =
        (mobilities.col(row) - factor.leftCols(k) * factor.row(row).head(k).transpose()) /
        std::sqrt(left[row]);
    left -= factor.col(k).cwiseAbs2();
    left[row] = 0;
  }
}

void ClusterEquations::find_rates(double t, math::VecIn y, math::VecView rate) {
  unpack(t, y);
  load(bristles(y), VecX::Zero(row_count_));
  VecX multipliers = VecX::Zero(row_count_);
  if (row_count_ > 0) {
    MatX mobilities = find_mobilities();
    VecX demand(row_count_);
    for (math::Index i = 0; i < row_count_; ++i) {
      const dynamics::JointRow& r = rows_[static_cast<std::size_t>(i)];
      demand[i] = -(r.bias + r.linear_a.dot(scratch_.linear[index(r.a)]) +
                    r.angular_a.dot(scratch_.angular[index(r.a)]) +
                    r.linear_b.dot(scratch_.linear[index(r.b)]) +
                    r.angular_b.dot(scratch_.angular[index(r.b)]));
      mobilities(i, i) += compliance_[static_cast<std::size_t>(i)];
    }
    multipliers = mobilities.ldlt().solve(demand);
    load(bristles(y), multipliers);
  }
  rate.setZero();
  for (const BodyId id : bodies_) {
    const math::Index at = offset(id);
    rate.segment<3>(at) = now()[id].v;
    put(dynamics::attitude_rate(now()[id].q, now()[id].w), at + kQ, rate);
    rate.segment<3>(at + kV) = scratch_.linear[index(id)];
    rate.segment<3>(at + kL) = scratch_.wrenches.all[index(id)].torque;
  }
  rate.segment(joint_offset(), row_count_) = multipliers;
  for (std::size_t i = 0; i < touches_.all.size(); ++i) {
    const std::int32_t bristle = touches_.all[i].slot;
    if (stick_) rate.segment<3>(bristle_place(bristle)) = loads_.bristle_rates()[i].value;
  }
  for (const BodyId id : bodies_)
    if (const auto& kept = scratch_.rates[index(id)])
      std::copy_n(kept->begin(), 6, rate.data() + offset(id) + kV);
  if (has_joints() && !scratch_.multipliers.empty())
    std::copy_n(scratch_.multipliers.data(), row_count_, rate.data() + joint_offset());
}

void ClusterEquations::keep(math::VecIn y, math::VecIn rate) {
  for (const BodyId id : bodies_) {
    auto& kept = scratch_.rates[index(id)].emplace();
    std::copy_n(rate.data() + offset(id) + kV, 6, kept.begin());
  }
  const math::ConstVecView of_joints = multipliers(rate);
  if (has_joints())
    scratch_.multipliers.assign(of_joints.data(), of_joints.data() + of_joints.size());
  if (!stick_) return;
  for (ElasticContact& pair : touches_.all)
    std::copy_n(y.data() + bristle_place(pair.slot), 3, pair.bristle.begin());
}

void ClusterEquations::forget_rates() {
  for (const BodyId id : bodies_) scratch_.rates[index(id)].reset();
  if (has_joints()) scratch_.multipliers.clear();
}

bool ClusterEquations::residual(double t, math::VecIn y, math::VecIn rate, math::VecView out) {
  if (!y.allFinite() || !rate.allFinite()) return false;
  unpack(t, y);
  load(bristles(y), multipliers(rate));
  out = rate;
  const math::ConstVecView shifts(rate.data() + joint_offset() + row_count_, row_count_);
  for (const BodyId id : bodies_) {
    const math::Index at = offset(id);
    const Quat q = attitude_in(y, at + kQ);
    Quat turning = dynamics::attitude_rate(q, now()[id].w);
    turning.coeffs() -= kUnitRate * (q.squaredNorm() - 1) * q.coeffs();
    out.segment<3>(at) -= now()[id].v;
    out[at + kQ] -= turning.w();
    out.segment<3>(at + kQ + 1) -= turning.vec();
    out.segment<3>(at + kV) -= scratch_.linear[index(id)];
    out.segment<3>(at + kL) -= scratch_.wrenches.all[index(id)].torque;
  }
  for (math::Index i = 0; i < row_count_; ++i) {
    const dynamics::JointRow& row = rows_[static_cast<std::size_t>(i)];
    for (const auto& [id, linear, angular] : {std::tuple(row.a, row.linear_a, row.angular_a),
                                              std::tuple(row.b, row.linear_b, row.angular_b)}) {
      if (!moves(id)) continue;
      const math::Index at = offset(id);
      const Mat3 inverse = dynamics::world_inverse_inertia(scene_.body(id), now()[id].q);
      const Quat turning =
          dynamics::attitude_rate(attitude_in(y, at + kQ), inverse * angular * shifts[i]);
      out.segment<3>(at) -= scene_.body(id).inverse_mass * shifts[i] * linear;
      out[at + kQ] -= turning.w();
      out.segment<3>(at + kQ + 1) -= turning.vec();
    }
    const math::Index force = joint_offset() + i, shift = force + row_count_;
    out[force] =
        dynamics::row_rate(row, now()) + compliance_[static_cast<std::size_t>(i)] * rate[force];
    out[shift] = row.error + compliance_[static_cast<std::size_t>(i)] * rate[shift];
  }
  for (std::size_t i = 0; i < touches_.all.size(); ++i) {
    const std::int32_t bristle = touches_.all[i].slot;
    if (stick_) out.segment<3>(bristle_place(bristle)) -= loads_.bristle_rates()[i].value;
  }
  return out.allFinite();
}

void ClusterEquations::weights(math::VecIn y, double tolerance, math::VecView out) const {
  const double speed = scene_.tolerances.speed;
  out.setOnes();
  for (const BodyId id : bodies_) {
    const Body& body = scene_.body(id);
    const math::Index at = offset(id);
    const double fast = std::max(speed, y.segment<3>(at + kV).norm());
    const double inertia = body.inertia.trace() / 3;
    const double spin = std::max(inertia * speed / body.radius, y.segment<3>(at + kL).norm());
    out.segment<3>(at).setConstant(1 / (tolerance * body.radius));
    out.segment<4>(at + kQ).setConstant(1 / tolerance);
    out.segment<3>(at + kV).setConstant(1 / (tolerance * fast));
    out.segment<3>(at + kL).setConstant(1 / (tolerance * spin));
  }
  for (math::Index i = 0; i < row_count_; ++i) {
    const dynamics::JointRow& row = rows_[static_cast<std::size_t>(i)];
    const double mass = std::max(scene_.body(row.a).mass, scene_.body(row.b).mass);
    const double impulse = mass * speed;
    out[joint_offset() + i] = 1e-6 / (tolerance * impulse);
    out[joint_offset() + row_count_ + i] = 1e-6 / (tolerance * mass * scene_.tolerances.length);
  }
  out.tail(size() - bristle_offset()).setConstant(1e-2 / tolerance);
}

}  // namespace carom::methods
