// Bounds on how sharply gaps can change during a flight, from bounds on speeds, spins and levers
// (Mirtich & Canny, §3.1, carried to second and third derivatives). They make finding times of
// contact conservative. Spin about the normal of a plane costs nothing, so that faces which turn
// on one another keep small bounds.
#pragma once

#include "carom/geometry/distance/feature_pair.h"

namespace carom::geometry {

struct Interval {
  double start, end;
};

// Upper bounds of |d²gap/dt²| and |d³gap/dt³| over an interval; infinite where none is known.
struct GapBounds {
  double curvature = HUGE_VAL, jerk = HUGE_VAL;
};
// A body over an interval: its state where the interval starts and bounds that hold throughout.
struct BodyBounds {
  Pose X;
  Twist V;
  Vec3 a;  // of the centre of mass, where the interval starts
  math::SpinBounds spin;
  double jerk = 0;  // how fast a changes, at most
};

// How far the difference of the centres' accelerations can get from where it starts.
inline double bound_change(const BodyBounds& a, const BodyBounds& b, double duration) {
  return (a.jerk + b.jerk) * duration;
}
BodyBounds bound_motion(const RigidMotion& motion, const Interval& interval);

// Two bodies over one interval, made once for all the gaps between them.
struct BoundedBodies {
  BodyBounds a, b;
  double duration = 0;
};
BoundedBodies bound_bodies(const RigidMotion& a, const RigidMotion& b, const Interval& interval);

GapBounds bound_gap(const FeaturePair& pair, const BoundedBodies& on);
inline GapBounds bound_gap(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b,
                           const Interval& interval) {
  return bound_gap(pair, bound_bodies(a, b, interval));
}

// For every point of a within `lever` of its centre of mass, against a plane with the normal n
// (world axes where the interval starts) that turns with b.
GapBounds bound_over_plane(const BodyBounds& a, double lever, const BodyBounds& b, const Vec3& n,
                           double duration);

// How fast a unit vector d (world axes where the interval starts) turns with a body, at most.
double bound_turn_rate(const BodyBounds& body, const Vec3& d, double duration);

// How fast the normal of a ball over an edge turns, at most.
double bound_normal_rate(const BallEdge& pair, const BoundedBodies& on);

// |n·r̈| of a point within `lever` of the centre of mass, n standing still: with r̈ = ω̇×r + ω×(ω×r)
// and n·(ω×(ω×r)) = (n×ω)·(ω×r).
double bound_turning(const BodyBounds& body, double lever, const Vec3& n, double duration);

}  // namespace carom::geometry
