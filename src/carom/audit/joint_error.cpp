#include "carom/audit/joint_error.h"

#include <algorithm>
#include <cmath>

namespace carom::audit {

namespace {

double angle_between(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

double angle_of(const Quat& q) { return 2 * std::atan2(q.vec().norm(), std::abs(q.w())); }

}  // namespace

JointError compute_joint_error(const model::Joint& joint, const BodyState& a, const BodyState& b) {
  const Pose X_WA = a.pose() * joint.X_AJ;
  const Pose X_WB = b.pose() * joint.X_BJ;
  const Vec3 apart = X_WB.p - X_WA.p;
  const Vec3 z_A = X_WA.q * Vec3::UnitZ();
  switch (joint.type) {
    case model::JointType::Ball:
      return {apart.norm()};
    case model::JointType::Hinge:
      return {apart.norm(), angle_between(z_A, X_WB.q * Vec3::UnitZ())};
    case model::JointType::Slider:
      return {apart.cross(z_A).norm(), angle_of(X_WA.q.conjugate() * X_WB.q)};
    case model::JointType::Universal: {  // a's z and b's x stay square
      const double cosine = z_A.dot(X_WB.q * Vec3::UnitX());
      return {apart.norm(), std::abs(std::asin(std::clamp(cosine, -1.0, 1.0)))};
    }
    case model::JointType::Fixed:
      return {apart.norm(), angle_of(X_WA.q.conjugate() * X_WB.q)};
    case model::JointType::Distance:
      return {std::abs(apart.norm() - joint.length)};
  }
  return {};
}

}  // namespace carom::audit
