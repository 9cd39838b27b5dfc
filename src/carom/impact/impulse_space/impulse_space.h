// What happens inside one impact with Coulomb friction: compression and restitution followed along
// the normal impulse, sliding, stopping, sticking and sliding off again (Mirtich & Canny, §4;
// Routh). Sliding follows equation (9) in polar form (impact/impulse_space/sliding.h): in closed
// form on rays, of which planar problems and those of equal tangents consist, by power series
// elsewhere, one of them all the way to a ray that is near (impact/impulse_space/ray_approach.h).
// Points of maximum compression, of rest and of the end are located to round-off.
//
// impact/impulse_space/restitution.h says when it ends. Energy changes by w = u·p' = u_n - μ|u_t|
// per normal impulse, where w' = p'ᵀKp' is positive and never grows (w'' = -2μH²/r while sliding;
// sticking and departing make it as small as the cone allows). So w is concave, and neither
// Poisson's nor Stronge's rule gains energy for e <= 1.
//
// Friction may first drive the contact in (large μ): u_n falls, but u_n' = w' + μ r' bounds how
// far, so compression ends. If u_n falls below zero again during restitution, compression resumes
// and ends at its next zero. An impact may begin with u_n = 0: if friction then drives the contact
// in, that is an impact without collision; else nothing happens.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "carom/impact/impulse_space/fallbacks.h"
#include "carom/impact/impulse_space/restitution.h"
#include "carom/impact/impulse_space/sliding.h"

namespace carom::impact {

// Velocities and impulses are (normal, tangent 1, tangent 2); an impulse p changes u by K p.
struct Collision {
  Mat3 K;  // symmetric, positive semidefinite
  Vec3 u;  // before
  double friction = 0, restitution = 0;
  Restitution rule = Restitution::Poisson;
};

enum class CollisionStatus {
  Ended,
  Jammed,   // K is singular and friction holds the contact while it still approaches
  StepCap,  // the impulse is what has been passed so far
};

enum class Motion { Slides, Sticks };
enum class Milestone { Stop, MaximumCompression, Recompression, End };
struct Phase {
  Motion motion;
  Milestone until;
  friend bool operator==(const Phase&, const Phase&) = default;
};

struct CollisionResult {
  CollisionStatus status = CollisionStatus::Ended;
  Vec3 impulse = Vec3::Zero();
  Vec3 u_plus = Vec3::Zero();
  double compression_impulse = 0;  // p_n at maximum compression
  int steps = 0;                   // straight pieces and series passed
  int phase_count = 0;             // the first ones are kept
  std::array<Phase, 12> phases{};
};

// Velocities on the way, for pictures; a few points on each curved piece.
using CollisionPath = std::vector<Vec3>;

CollisionResult pass_through(const Collision& collision, CollisionPath* path = nullptr);

// The impulse of pass_through() made safe: a contact that jams while it still approaches is stopped
// by a normal impulse, and an impulse that would gain energy, which takes a collision matrix that
// 64 bits cannot tell from a singular one, is replaced by one that stops the approach. Both are
// counted.
Vec3 find_impulse(const Collision& collision, Fallbacks& fallbacks);

// §4.5: the impulse that takes u to -u, if it lies in the friction cone. It does no work.
std::optional<Vec3> find_reversal(const Mat3& K, const Vec3& u, double friction);

}  // namespace carom::impact
