// What two balls, or a ball and a plane, do to each other where they meet: the microcollision rule
// (impact/microcollision.h) at a contact whose collision matrix is diagonal. Without friction it is
// one number, the rebound speed; with it the law in impulse space, and couples of at most μ_r R p_n
// against the relative rotation and μ_s R p_n against what is left of it about the normal, that
// stop it at the most, R being the radius, of two balls r₁r₂/(r₁ + r₂).
//
// A ball at rest on something hops up by `epsilon` diameters of the smaller one. Without gravity
// there is still a least hop speed, 1e-8 of the scene's speed (kLeastHop of tolerances.rest_speed):
// what collapses inelastically ends in finitely many collisions, and nothing faster notices.
#pragma once

#include "carom/impact/microcollision.h"
#include "carom/model/scene.h"

namespace carom::methods {

constexpr double kLeastHop = 1e-3;

struct ClockOptions {
  double epsilon = 1e-4;        // hop height of a ball at rest, of the smaller ball's diameter
  bool static_friction = true;  // §4.5
  std::int64_t max_collisions_per_body = 20'000;  // in a frame
  impact::Restitution restitution = impact::Restitution::Poisson;
};

struct HopRule {
  Vec3 gravity = Vec3::Zero();
  double least_speed = 0;  // m/s
  double epsilon = 0;
  bool static_friction = true;
  impact::Restitution restitution = impact::Restitution::Poisson;

  double pressing(const Vec3& normal) const;  // acceleration with which contacts close, m/s²
  // u_c = √(2 ε |g·n|): what a body gains that falls through its hop height. `radius`: of the
  // smaller one.
  double speed(double radius, const Vec3& normal) const;
};

HopRule make_hop_rule(const Scene& scene, const ClockOptions& options);

// One of the two; a plane has no inverse mass, no radius, and moves nowhere.
struct ContactSide {
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  double radius = 0, inverse_mass = 0, inverse_inertia = 0;
};

struct BallImpact {
  Vec3 impulse = Vec3::Zero(), couple = Vec3::Zero();  // on a, opposed on b
  double approach = 0, separation = 0;                 // m/s, along the normal
  bool micro = false;                                  // slower than the hop speed
  double lift = 0;                                     // J; put in where a contact was lifted
};

// The normal points from b to a, which is a ball, and the two approach.
BallImpact collide_smooth(const ContactSide& a, const ContactSide& b, const Vec3& normal,
                          double restitution, const HopRule& rule);
BallImpact collide_rough(const ContactSide& a, const ContactSide& b, const Vec3& normal,
                         const model::PairProperties& between, const HopRule& rule);

inline bool is_smooth(const model::PairProperties& between) {
  return between.friction == 0 && between.rolling_friction == 0 && between.spinning_friction == 0;
}

// Changes the velocities of the side that the impulse acts on, `toward` being the unit vector from
// its centre to the contact.
inline void push(const Vec3& impulse, const Vec3& couple, const Vec3& toward, ContactSide& side) {
  side.v += side.inverse_mass * impulse;
  side.w += side.inverse_inertia * (side.radius * toward.cross(impulse) + couple);
}

}  // namespace carom::methods
