#include "carom/impact/microcollision.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace carom::impact {

namespace {

bool is_in_cone(const Vec3& p, double friction) {
  return p.x() > 0 && std::hypot(p.y(), p.z()) <= friction * p.x();
}

// Back along the fall, as fast as the approach along the normal and with no more energy, or as fast
// as a lift.
std::optional<Vec3> find_return(const Collision& c, const Hop& rule, bool lifted) {
  const Mat3 inverse = c.K.inverse();
  if (!inverse.allFinite()) return std::nullopt;
  const double falls = rule.fall.dot(inverse * rule.fall);
  const double energy = c.u.dot(inverse * c.u);
  const double along_normal = (lifted ? rule.speed : -c.u.x()) / -rule.fall.x();
  const double time = lifted ? along_normal : std::min(along_normal, std::sqrt(energy / falls));
  const Vec3 impulse = inverse * (-time * rule.fall - c.u);
  if (!is_in_cone(impulse, c.friction)) return std::nullopt;
  return impulse;
}

}  // namespace

HopResult hop(const Collision& collision, const Hop& rule, Resorts& resorts) {
  const double approach = -collision.u.x();
  const bool lifted = approach < kLiftedBelow * rule.speed;
  if (approach < rule.speed && rule.static_friction && rule.fall.x() < 0) {
    if (const auto impulse = find_return(collision, rule, lifted)) return {*impulse, lifted};
  }
  Collision eased = collision;
  eased.restitution = hop_restitution(approach, collision.restitution, rule.speed);
  Vec3 impulse = find_impulse(eased, resorts);
  if (lifted) {
    const double leaves = collision.u.x() + collision.K.row(0).dot(impulse);
    impulse.x() += std::max(0.0, rule.speed - leaves) / collision.K(0, 0);
  }
  return {impulse, lifted};
}

}  // namespace carom::impact
