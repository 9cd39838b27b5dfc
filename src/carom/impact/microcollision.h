// What one contact of two bodies does when contact of every kind, resting, sliding and rolling, is
// made of collisions (Mirtich & Canny, §4 and §4.5). A body at rest hops: it leaves at the hop
// speed u_c and comes back at it, so that
//
//     e(u) = 1 for an approach u <= u_c,     max(e, u_c / u) for a faster one
//
// is the restitution of a contact: bounces die away as the material says until they are hops, and
// hops go on for ever, at a finite rate and without a gain of energy. What hardly approaches, below
// a tenth of u_c, because it starts at rest or was stopped by others, is lifted to u_c; the energy
// that takes is given back to the caller to be counted.
//
// §4.5 reverses the velocity of a slow contact if the cone allows it, since that does no work. That
// keeps a block that falls from rest where it is, but not one that comes in otherwise: reversal
// remembers how it came. So friction holds a slow contact against a ground that goes back: the slip
// it leaves with is such that gravity (`fall`) has it back where it was when the normal impulse is
// used up, and that drift so far (`back`) is made good. For a contact that fell from rest this is
// the reversal. Sliding, stopping and sticking relative to that ground are those of an impact with
// friction (impact/impulse_space/impulse_space.h), so that impulses never leave the cone.
//
// Costs as much as an impact in impulse space.
#pragma once

#include "carom/impact/impulse_space/impulse_space.h"

namespace carom::impact {

struct MicrocollisionRule {
  double speed = 0;  // u_c, m/s
  // Relative acceleration of the contact in free flight, in its axes (normal, tangents); not
  // pressing unless the first is negative.
  Vec3 fall = Vec3::Zero();
  bool static_friction = true;  // §4.5; without it, bodies creep down slopes
  double share = 1;  // of the change in normal speed that moves the centres: (1/m_a + 1/m_b) / K_nn
  bool may_lift = true;      // collisions are so frequent that something has to be done
  Vec3 back = Vec3::Zero();  // more slip to leave with, in contact axes: where drift is made good
};

struct MicrocollisionResult {
  Vec3 impulse = Vec3::Zero();
  bool lifted = false;
};

constexpr double kLiftedBelow = 0.1;  // of the hop speed
constexpr double kHeldBelow = 4;      // of the hop speed: approaches that static friction holds

// The restitution of an approach.
constexpr double hop_restitution(double approach, double restitution, double hop_speed) {
  if (approach <= hop_speed) return 1;
  return restitution * approach > hop_speed ? restitution : hop_speed / approach;
}

// The normal speed after an approach, where friction takes no part in it.
constexpr double rebound_speed(double approach, double restitution, double hop_speed) {
  if (approach < kLiftedBelow * hop_speed) return hop_speed;
  return hop_restitution(approach, restitution, hop_speed) * approach;
}

// `collision.u` approaches: its first component is not positive.
MicrocollisionResult resolve_microcollision(const Collision& collision,
                                            const MicrocollisionRule& rule, Fallbacks& fallbacks);

// Energy that an impulse gives to the bodies.
inline double energy_of(const Collision& collision, const Vec3& impulse) {
  return impulse.dot(collision.u) + 0.5 * impulse.dot(collision.K * impulse);
}

}  // namespace carom::impact
