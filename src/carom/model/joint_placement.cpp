#include "carom/model/joint_placement.h"

namespace carom::model {

namespace {

constexpr double kStartSlack = 1e-12;  // of a length that is computed from anchors

Pose initial_pose(const Scene& scene, BodyId id) {
  const InitialMotion& initial = scene.initial[index(id)];
  return {initial.x, initial.q};
}

// The rotation whose third axis is z and whose first is x (both unit, perpendicular).
Quat make_frame(const Vec3& x, const Vec3& z) {
  Mat3 axes;
  axes << x, z.cross(x), z;
  return Quat(axes).normalized();
}

Quat make_axes(const JointSpec& spec) {
  const Vec3 z = spec.axis.normalized();
  if (!spec.axis_b) return make_frame(math::make_tangents(z).first, z);
  const Vec3 second = spec.axis_b->normalized();
  return make_frame((second - z.dot(second) * z).normalized(), z);
}

// A hinge and a slider start at zero, a distance joint at its length.
void check_starts_within(const Joint& joint, Problems& problems) {
  if (!joint.limits) return;
  const auto [low, high] = *joint.limits;
  const double slack = kStartSlack * joint.length, start = joint.length;
  if (start >= low - slack && start <= high + slack) return;
  problems.add("limits", "[" + describe(low) + ", " + describe(high) + "]",
               "limits around " + describe(start) + ", where the joint is at t = 0");
}

void place_distance_joint(const JointSpec& spec, const Pose& X_WA, const Pose& X_WB, Joint& joint,
                          Problems& problems) {
  const Vec3 start = spec.anchor.value_or(X_WA.p);
  const Vec3 end = spec.anchor_b.value_or(X_WB.p);
  joint.length = (end - start).norm();
  if (!(joint.length > 0)) {
    return problems.add("anchor", "two anchors at the same point", "a distance > 0");
  }
  const Vec3 z = (end - start) / joint.length;
  const Quat q_WJ = make_frame(math::make_tangents(z).first, z);
  joint.X_AJ = X_WA.inverse() * Pose{start, q_WJ};
  joint.X_BJ = X_WB.inverse() * Pose{end, q_WJ};
}

}  // namespace

Joint make_joint(const JointSpec& spec, BodyId a, BodyId b, const Scene& scene,
                 Problems& problems) {
  Joint joint;
  joint.name = spec.name;
  joint.type = spec.type;
  joint.a = a;
  joint.b = b;
  joint.limits = spec.limits;
  joint.restitution = spec.restitution;
  joint.motor = spec.motor;
  joint.spring = spec.spring;
  joint.friction = spec.friction;
  joint.collide = spec.collide;
  const Pose X_WA = initial_pose(scene, a);
  const Pose X_WB = initial_pose(scene, b);
  if (spec.type == JointType::Distance) {
    place_distance_joint(spec, X_WA, X_WB, joint, problems);
    check_starts_within(joint, problems);
    return joint;
  }
  check_starts_within(joint, problems);
  const Pose X_WJ{spec.anchor.value_or(X_WA.p), make_axes(spec)};
  joint.X_AJ = X_WA.inverse() * X_WJ;
  joint.X_BJ = X_WB.inverse() * X_WJ;
  return joint;
}

}  // namespace carom::model
