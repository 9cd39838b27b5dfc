#include "carom/impact/microcollision.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {

namespace {

constexpr double kLeastPress = 0.1;  // of what acts: on a wall nothing presses but round-off

// The slip with which a contact that friction holds leaves, so that it is back where it was when
// gravity has taken away the normal impulse it got; `speed` is what it leaves with.
Vec3 find_slip_back(double speed, const MicrocollisionRule& rule) {
  const double press = std::max(-rule.fall.x(), kLeastPress * rule.fall.norm());
  const double time = rule.fall.x() < 0 ? speed * rule.share / press : 0;
  return {0, rule.back.y() - time * rule.fall.y(), rule.back.z() - time * rule.fall.z()};
}

}  // namespace

// A lift is the reversal of an approach that would have led to the hop speed.
MicrocollisionResult resolve_microcollision(const Collision& collision,
                                            const MicrocollisionRule& rule, Fallbacks& fallbacks) {
  const double approach = -collision.u.x();
  const bool lifted = rule.may_lift && approach < kLiftedBelow * rule.speed;
  Collision eased = collision;
  if (lifted) eased.u.x() = -0.5 * (approach + rule.speed);
  if (approach < kHeldBelow * rule.speed && rule.static_friction)
    eased.u -= find_slip_back(lifted ? rule.speed : approach, rule);
  eased.restitution = hop_restitution(approach, collision.restitution, rule.speed);
  return {find_impulse(eased, fallbacks), lifted};
}

}  // namespace carom::impact
