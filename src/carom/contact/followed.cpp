#include "carom/contact/followed.h"

#include "carom/math/rotation.h"

namespace carom::contact {

namespace {

constexpr double kTurn = 1e-5;  // rad, either way

Pose moved(const BodyState& body, double s) {
  return {body.x + s * body.v, math::quat_exp(s * body.w) * body.q};
}

}  // namespace

void follow(const ContactFeatures& feature, const State& state, Contact& contact) {
  const BodyState& a = state[feature.swapped ? contact.b : contact.a];
  const BodyState& b = state[feature.swapped ? contact.a : contact.b];
  const geometry::PairKinematics now{a.pose(), b.pose(), a.twist(), b.twist(), {}, {}};
  const math::Sample gap = geometry::compute_gap(feature.pair, now);
  contact.at = geometry::contact_point(feature.pair, now.X_WA, now.X_WB);
  if (feature.swapped) contact.at.normal = -contact.at.normal;
  contact.approach_rate = gap.rate;
  contact.bias = gap.acceleration;
}

Vec3 slip_velocity(const Contact& contact, const State& state) {
  const BodyState& a = state[contact.a];
  const BodyState& b = state[contact.b];
  const Vec3 relative = a.twist().at(contact.at.point - a.x) - b.twist().at(contact.at.point - b.x);
  return relative - contact.at.normal.dot(relative) * contact.at.normal;
}

Vec3 compute_slip_bias(const ContactFeatures& feature, const State& state, const Contact& contact) {
  const BodyState& a = state[contact.a];
  const BodyState& b = state[contact.b];
  const double spin = a.w.norm() + b.w.norm();
  if (spin == 0) return Vec3::Zero();
  const double s = kTurn / spin;
  const auto point_at = [&](double t) -> Vec3 {
    const Pose X_WA = moved(a, t), X_WB = moved(b, t);
    const auto at = feature.swapped ? geometry::contact_point(feature.pair, X_WB, X_WA)
                                    : geometry::contact_point(feature.pair, X_WA, X_WB);
    return at.point;
  };
  const Vec3 travel = (point_at(s) - point_at(-s)) / (2 * s);
  return a.w.cross(travel - a.v) - b.w.cross(travel - b.v);
}

}  // namespace carom::contact
