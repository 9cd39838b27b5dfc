#include "carom/impact/microcollision.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {

namespace {

// The slip with which a contact that friction holds leaves, so that it is back where it was when
// gravity has taken away the normal impulse it got.
Vec3 find_slip_back(const Collision& c, const Hop& rule) {
  const double time = rule.fall.x() < 0 ? -c.u.x() * rule.share / -rule.fall.x() : 0;
  return {0, rule.back.y() - time * rule.fall.y(), rule.back.z() - time * rule.fall.z()};
}

}  // namespace

HopResult hop(const Collision& collision, const Hop& rule, Resorts& resorts) {
  const double approach = -collision.u.x();
  const bool lifted = rule.may_lift && approach < kLiftedBelow * rule.speed;
  Collision eased = collision;
  if (approach < kHeldBelow * rule.speed && rule.static_friction)
    eased.u -= find_slip_back(collision, rule);
  eased.restitution = hop_restitution(approach, collision.restitution, rule.speed);
  Vec3 impulse = find_impulse(eased, resorts);
  if (lifted) {
    const double leaves = collision.u.x() + collision.K.row(0).dot(impulse);
    impulse.x() += std::max(0.0, rule.speed - leaves) / collision.K(0, 0);
  }
  return {impulse, lifted};
}

}  // namespace carom::impact
