// How fast a body can move during a segment and how sharply its points can turn, from its momentum
// at either end, or from the polynomial where it moves on one. These bounds carry a claim checked
// at two instants over all the time between them.
#pragma once

#include "carom/dynamics/state.h"
#include "carom/math/rigid_motion.h"

namespace carom::audit {

struct MotionBounds {
  double spin = 0;               // rad/s
  double spin_acceleration = 0;  // rad/s²
  Vec3 w0 = Vec3::Zero();        // at the start
  double jerk = 0;               // m/s³; how fast the acceleration of the centre changes
  // rad/s³, rad/s⁴; of the spin's second and third derivatives. Infinite where they are not known,
  // or where the centre is on no parabola.
  double spin_jerk = 0, spin_snap = 0;
};

// How large the first four derivatives of a unit vector that turns with the body can be.
struct TurnRates {
  double first, second, third, fourth;
};
TurnRates compute_turn_rates(const MotionBounds& bounds);

struct BodySegment {
  const Body& body;
  const RigidMotion& motion;
  const BodyState& start;
  const BodyState& end;
  double duration;
};

MotionBounds compute_motion_bounds(const BodySegment& segment);

// The same for a frame that follows an axis of a body in free flight but does not turn about it,
// nor with it: what is round about that axis moves as this frame does. The axis is one of inertia,
// all across it alike; it goes round a fixed vector Ω, the angular momentum over the moment across,
// or a driven body's spin, at a fixed angle. So its spin has a fixed size ω, and changes by at most
// |Ω| ω.
MotionBounds compute_axis_bounds(const BodySegment& segment, const Vec3& axis_B);

// |d · ẍ| of a point at most `lever` from the centre of mass, less the centre's own acceleration.
double bound_turning(const MotionBounds& bounds, double lever, const Vec3& d, double duration);

}  // namespace carom::audit
