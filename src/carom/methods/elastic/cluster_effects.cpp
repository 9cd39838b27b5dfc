// What the contacts and joints of a cluster do: forces at one moment, and their effects over a
// step.
#include <algorithm>
#include <cmath>

#include "carom/methods/elastic/cluster_equations.h"

namespace carom::methods {

namespace {

constexpr math::Index kEffect = 9;  // numbers of a ForceEffect, and what springs take in

}  // namespace

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

}  // namespace carom::methods
