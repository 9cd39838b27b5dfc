#include "carom/contact/followed.h"

#include "carom/math/rotation.h"

namespace carom::contact {

namespace {

constexpr double kTurn = 1e-5;  // rad, either way

Pose moved(const BodyState& body, double s) {
  return {body.x + s * body.v, math::quat_exp(s * body.w) * body.q};
}

}  // namespace

geometry::ContactPoint point_at(const ContactFeatures& features, const Pose& X_WA,
                                const Pose& X_WB) {
  if (!features.swapped) return geometry::contact_point(features.pair, X_WA, X_WB);
  geometry::ContactPoint at = geometry::contact_point(features.pair, X_WB, X_WA);
  at.normal = -at.normal;
  return at;
}

void follow_features(const ContactFeatures& features, const State& state, Contact& contact) {
  const BodyState& a = state[features.swapped ? contact.b : contact.a];
  const BodyState& b = state[features.swapped ? contact.a : contact.b];
  const math::Sample gap =
      geometry::compute_gap(features.pair, {a.pose(), b.pose(), a.twist(), b.twist(), {}, {}});
  contact.at = point_at(features, state[contact.a].pose(), state[contact.b].pose());
  contact.approach_rate = gap.rate;
  contact.bias = gap.acceleration;
}

Vec3 slip_velocity(const Contact& contact, const State& state) {
  const BodyState& a = state[contact.a];
  const BodyState& b = state[contact.b];
  const Vec3 relative = a.twist().at(contact.at.point - a.x) - b.twist().at(contact.at.point - b.x);
  return relative - contact.at.normal.dot(relative) * contact.at.normal;
}

Vec3 compute_slip_bias(const ContactFeatures& features, const State& state,
                       const Contact& contact) {
  const BodyState& a = state[contact.a];
  const BodyState& b = state[contact.b];
  const double spin = a.w.norm() + b.w.norm();
  if (spin == 0) return Vec3::Zero();
  const double s = kTurn / spin;
  const auto place = [&](double t) -> Vec3 {
    return point_at(features, moved(a, t), moved(b, t)).point;
  };
  const Vec3 travel = (place(s) - place(-s)) / (2 * s);
  return a.w.cross(travel - a.v) - b.w.cross(travel - b.v);
}

}  // namespace carom::contact
