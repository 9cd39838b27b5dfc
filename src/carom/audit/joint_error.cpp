#include "carom/audit/joint_error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::audit {

namespace {

double angle_between(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

double angle_of(const Quat& q) { return 2 * std::atan2(q.vec().norm(), std::abs(q.w())); }

// How far a number is outside of limits.
double beyond(const std::pair<double, double>& limits, double value) {
  return std::max({limits.first - value, value - limits.second, 0.0});
}

// The angle of a hinge, told where it is nearest to what it may be.
double hinge_beyond(const std::pair<double, double>& limits, const Quat& turn) {
  const double angle = 2 * std::atan2(turn.z(), turn.w());
  const double whole = 2 * std::numbers::pi, middle = 0.5 * (limits.first + limits.second);
  return beyond(limits, angle + whole * std::round((middle - angle) / whole));
}

JointError beyond_limits(const model::Joint& joint, const Pose& X_WA, const Pose& X_WB) {
  if (joint.type == model::JointType::Hinge)
    return {0, hinge_beyond(*joint.limits, X_WB.q.conjugate() * X_WA.q)};
  if (joint.type == model::JointType::Slider)
    return {beyond(*joint.limits, (X_WA.p - X_WB.p).dot(X_WB.q * Vec3::UnitZ()))};
  return {beyond(*joint.limits, (X_WA.p - X_WB.p).norm())};
}

JointError error_of_frames(const model::Joint& joint, const Pose& X_WA, const Pose& X_WB) {
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

}  // namespace

JointError compute_joint_error(const model::Joint& joint, const BodyState& a, const BodyState& b) {
  const Pose X_WA = a.pose() * joint.X_AJ;
  const Pose X_WB = b.pose() * joint.X_BJ;
  const bool is_free = joint.type == model::JointType::Distance && joint.limits;
  JointError error = is_free ? JointError{} : error_of_frames(joint, X_WA, X_WB);
  if (!joint.limits) return error;
  const JointError past = beyond_limits(joint, X_WA, X_WB);
  return {std::max(error.gap, past.gap), std::max(error.turn, past.turn)};
}

}  // namespace carom::audit
