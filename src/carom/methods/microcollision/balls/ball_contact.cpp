#include "carom/methods/microcollision/balls/ball_contact.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

constexpr double kLeastPressed = 0.1;  // of gravity: neighbours press where it does not

double smaller_radius(const ContactSide& a, const ContactSide& b) {
  return b.inverse_mass > 0 ? std::min(a.radius, b.radius) : a.radius;
}

// A couple against `spin`, no greater than `most` and than what ends it.
Vec3 couple_against(const Vec3& spin, double gives, double most) {
  const double speed = spin.norm();
  if (speed == 0) return Vec3::Zero();
  return -std::min(most, speed / gives) / speed * spin;
}

Vec3 find_couple(const ContactSide& a, const ContactSide& b, const Vec3& normal,
                 const model::PairProperties& between, double normal_impulse) {
  if (between.rolling_friction == 0 && between.spinning_friction == 0) return Vec3::Zero();
  const Vec3 spin = a.w - b.w;
  const double radius = b.inverse_mass > 0 ? a.radius * b.radius / (a.radius + b.radius) : a.radius;
  const double gives = a.inverse_inertia + b.inverse_inertia;
  Vec3 all = couple_against(spin, gives, between.rolling_friction * radius * normal_impulse);
  if (between.spinning_friction == 0) return all;
  const Vec3 left = normal.dot(spin + gives * all) * normal;
  return all + couple_against(left, gives, between.spinning_friction * radius * normal_impulse);
}

}  // namespace

HopRule make_hop_rule(const Scene& scene, const ClockOptions& options) {
  return {scene.gravity, kLeastHop * scene.tolerances.rest_speed, options.epsilon,
          options.static_friction, options.restitution};
}

double HopRule::pressing(const Vec3& normal) const {
  return std::max(std::abs(gravity.dot(normal)), kLeastPressed * gravity.norm());
}

double HopRule::speed(double radius, const Vec3& normal) const {
  return std::max(std::sqrt(2 * pressing(normal) * epsilon * 2 * radius), least_speed);
}

BallImpact collide_smooth(const ContactSide& a, const ContactSide& b, const Vec3& normal,
                          double restitution, const HopRule& rule) {
  const double approach = normal.dot(b.v - a.v);
  const double hop = rule.speed(smaller_radius(a, b), normal);
  const double separation = impact::rebound_speed(approach, restitution, hop);
  const double mass = 1 / (a.inverse_mass + b.inverse_mass);
  const double gained = 0.5 * mass * (separation * separation - approach * approach);
  return {.impulse = mass * (approach + separation) * normal,
          .approach = approach,
          .separation = separation,
          .micro = approach < hop,
          .lift = std::max(0.0, gained)};
}

// On average one of two balls rests on something, and the other falls on it.
BallImpact collide_rough(const ContactSide& a, const ContactSide& b, const Vec3& normal,
                         const model::PairProperties& between, const HopRule& rule) {
  const double along = a.inverse_mass + b.inverse_mass;
  const double across =
      along + a.inverse_inertia * a.radius * a.radius + b.inverse_inertia * b.radius * b.radius;
  const Mat3 axes = math::contact_axes(normal);
  const Vec3 slip = (a.v - b.v) - (a.radius * a.w + b.radius * b.w).cross(normal);
  const impact::Collision collision{Vec3(along, across, across).asDiagonal(), axes * slip,
                                    between.friction, between.restitution, rule.restitution};
  const bool below = rule.gravity.dot(normal) > 0 && b.inverse_mass > 0;
  const impact::MicrocollisionRule micro{rule.speed(smaller_radius(a, b), normal),
                                         axes * (below ? -rule.gravity : rule.gravity),
                                         rule.static_friction};
  impact::Fallbacks fallbacks;
  const impact::MicrocollisionResult done =
      impact::resolve_microcollision(collision, micro, fallbacks);
  BallImpact out{.impulse = axes.transpose() * done.impulse,
                 .approach = -collision.u.x(),
                 .separation = collision.u.x() + along * done.impulse.x(),
                 .micro = -collision.u.x() < micro.speed};
  if (done.lifted) out.lift = std::max(0.0, impact::energy_of(collision, done.impulse));
  ContactSide a_after = a, b_after = b;
  push(out.impulse, Vec3::Zero(), -normal, a_after);
  push(-out.impulse, Vec3::Zero(), normal, b_after);
  out.couple = find_couple(a_after, b_after, normal, between, done.impulse.x());
  return out;
}

}  // namespace carom::methods
