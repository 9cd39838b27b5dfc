#include "carom/dynamics/joint_axis.h"

namespace carom::dynamics {

JointRow compute_axis_row(const model::Joint& joint, const State& state) {
  const BodyState &a = state[joint.a], &b = state[joint.b];
  JointRow row{.a = joint.a, .b = joint.b};
  if (joint.type == model::JointType::Hinge) {
    row.angular_a = a.q * (joint.X_AJ.q * Vec3::UnitZ());
    row.angular_b = -row.angular_a;
    row.bias = (a.w - b.w).dot(a.w.cross(row.angular_a));
    return row;
  }
  const Vec3 axis = b.q * (joint.X_BJ.q * Vec3::UnitZ());
  const Vec3 lever = a.q * joint.X_AJ.p;  // one force, where a's anchor is
  row.linear_a = axis;
  row.linear_b = -axis;
  row.angular_a = lever.cross(axis);
  row.angular_b = -(a.x + lever - b.x).cross(axis);
  const Vec3 apart = a.x + lever - b.x;  // turns with b, slides along the axis
  const Vec3 rate = a.twist().at(lever) - b.v, slide = rate - b.w.cross(apart);
  row.bias = axis.dot(a.w.cross(a.w.cross(lever)) - b.w.cross(rate + slide));
  return row;
}

}  // namespace carom::dynamics
