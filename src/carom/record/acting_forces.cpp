#include "carom/record/acting_forces.h"

namespace carom::record {

namespace {

// Of the parabola through values at 0, 1/2 and 1.
struct Weights {
  double start, middle, end;
};

Weights make_weights(double fraction) {
  return {(1 - 2 * fraction) * (1 - fraction), 4 * fraction * (1 - fraction),
          fraction * (2 * fraction - 1)};
}

CarriedForce force_at(const Forces& forces, std::size_t i, const Weights& weights) {
  CarriedForce force = forces.start[i];
  if (!forces.vary()) return force;
  const auto between = [&](Vec3 CarriedForce::* value) -> Vec3 {
    return weights.start * forces.start[i].*value + weights.middle * forces.middle[i].*value +
           weights.end * forces.end[i].*value;
  };
  force.point = between(&CarriedForce::point);
  force.force = between(&CarriedForce::force);
  force.torque = between(&CarriedForce::torque);
  return force;
}

// The same wrench, at the joint's anchor and on its body a.
CarriedForce at_anchor(const Scene& scene, const State& now, CarriedForce row) {
  const model::Joint& joint = scene.joints[static_cast<std::size_t>(row.joint)];
  const bool on_a = row.a == joint.a;
  const BodyState& body = now[row.a];
  const Vec3 lever = body.q * (on_a ? joint.X_AJ : joint.X_BJ).p;
  const double sign = on_a ? 1 : -1;
  row.torque = sign * (row.torque - lever.cross(row.force));
  row.force *= sign;
  row.point = body.x + lever;
  row.a = joint.a;
  row.b = joint.b;
  return row;
}

}  // namespace

void append_acting_forces(const Scene& scene, const Forces& forces, double fraction,
                          const State& now, std::vector<CarriedForce>& out) {
  const Weights weights = make_weights(fraction);
  for (std::size_t i = 0; i < forces.start.size(); ++i) {
    const CarriedForce force = force_at(forces, i, weights);
    if (force.joint < 0) {
      out.push_back(force);
      continue;
    }
    const CarriedForce row = at_anchor(scene, now, force);
    if (out.empty() || out.back().joint != row.joint) {
      out.push_back(row);
    } else {
      out.back().force += row.force;
      out.back().torque += row.torque;
    }
  }
}

}  // namespace carom::record
