#include "carom/methods/elastic/cluster_equations.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/equations_of_motion.h"
#include "carom/math/cholesky.h"

namespace carom::methods {

namespace {

using dynamics::BodyVariables;

constexpr double kUnitRate = 1;  // 1/s; at which attitudes come back to unit length

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
                                   ClusterScratch& scratch)
    : scene_(scene), touches_(touches), tracks_(bodies), scratch_(scratch), loads_(scene, touches) {
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
    const BodyState& body = now()[id];
    const Vec3 L = body.q * (scene_.body(id).inertia * (body.q.conjugate() * body.w));
    BodyVariables{body.x, body.q, body.v, L}.write(y, offset(id));
  }
  for (const ElasticContact& pair : touches_.all)
    for (std::size_t k = 0; k < 3 && stick_; ++k)
      y[bristle_place(pair.slot) + static_cast<math::Index>(k)] = pair.bristle[k];
}

BodyState ClusterEquations::read_body(BodyId id, math::VecIn y) const {
  const BodyVariables at = BodyVariables::read(y, offset(id));
  const Quat q = at.q.normalized();
  return {at.x, q, at.v, q * (scene_.body(id).inverse_inertia * (q.conjugate() * at.L))};
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
    multipliers = math::solve_symmetric(mobilities, demand);
    load(bristles(y), multipliers);
  }
  rate.setZero();
  for (const BodyId id : bodies_) {
    const BodyState& body = now()[id];
    BodyVariables{body.v, dynamics::attitude_rate(body.q, body.w), scratch_.linear[index(id)],
                  scratch_.wrenches.all[index(id)].torque}
        .write(rate, offset(id));
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
    const Quat q = BodyVariables::read_attitude(y, at);
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
      const Quat turning = dynamics::attitude_rate(BodyVariables::read_attitude(y, at),
                                                   inverse * angular * shifts[i]);
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
