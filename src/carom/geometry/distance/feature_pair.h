// The elementary pairs of features through which two shapes can touch, each with a gap that is a
// smooth function of the bodies' motion, positive apart, and its first two derivatives. With
// accelerations left at zero the second is the part that velocities alone cause (Baraff, appendix
// A). Body a owns the first feature; the normal points from b to a.
#pragma once

#include <variant>

#include "carom/geometry/distance/contact_point.h"
#include "carom/geometry/shapes/convex.h"
#include "carom/math/rigid_motion.h"
#include "carom/math/sample.h"

namespace carom::geometry {

// A point of a, or a ball about it, against the face of a half-space fixed on b.
struct PointPlane {
  Vec3 p_A;  // in a's frame, from its centre of mass
  double radius;
  Vec3 n_B;       // unit, in b's frame
  double offset;  // along n_B, from b's centre of mass
};

// Two balls.
struct BallBall {
  Vec3 p_A, p_B;
  double radius_a, radius_b;
};

// A ball of a, or a vertex, against a straight edge of b or the side about it of a capsule or
// cylinder.
struct BallEdge {
  Vec3 p_A;
  double radius_a;
  Vec3 p_B, e_B;  // a point and the unit direction
  double radius_b;
};

// Two straight edges that cross, or sides of capsules and cylinders about them;
// n = sign (e_A × e_B) / |e_A × e_B|.
struct EdgeEdge {
  Vec3 p_A, e_A;  // a point and the unit direction
  Vec3 p_B, e_B;
  double sign;
  double radius_a = 0, radius_b = 0;
};

// The circle at an end of a cylinder or cone against the face of a half-space fixed on b: its
// lowest point, wherever that is.
struct RimPlane {
  Vec3 c_A, e_A;  // centre and unit axis
  double radius;
  Vec3 n_B;
  double offset;
};

// An ellipsoid against the face of a half-space fixed on b: its lowest point.
struct EllipsoidPlane {
  Pose X_AS;
  Vec3 radii;
  Vec3 n_B;
  double offset;
};

// A stop of a hinge: the angle θ of a's joint frame against b's, about a's z axis, is kept on one
// side of a bound, sign (θ - bound) >= 0. The stop stands on x of a's joint frame at `lever` from
// the axis; the gap is the arc there. θ is told within half a turn of `middle`.
struct HingeStop {
  Pose X_AJ, X_BJ;
  double middle, bound, sign;
  double lever;  // m
};

// A rope between two points. Its gap (L² - d²) / 2L is L - d to second order where it is taut, and
// smooth where it is slack.
struct Tether {
  Vec3 p_A, p_B;
  double length;  // L
};

// The nearest points of two convex shapes, whatever they are. For curved shapes that touch in one
// point and have no simpler description.
struct Nearest {
  const Convex* a;
  const Convex* b;
  Pose X_AS, X_BS;  // the shapes on their bodies
  Vec3 n_B;         // the normal when they were found, from which a search begins
};

using FeaturePair = std::variant<PointPlane, BallBall, BallEdge, EdgeEdge, RimPlane, EllipsoidPlane,
                                 HingeStop, Tether, Nearest>;

// θ of a hinge's stop.
double hinge_angle(const HingeStop& stop, const Quat& q_WA, const Quat& q_WB);

// The state of both bodies at one instant.
struct PairKinematics {
  Pose X_WA, X_WB;
  Twist V_A, V_B;
  Twist A_A, A_B;  // accelerations, likewise linear and angular
};
PairKinematics kinematics_at(const RigidMotion& a, const RigidMotion& b, double s);

// Attitude and spin are left out where the pair does not depend on them: a ball about its body's
// centre of mass looks the same however it turns.
PairKinematics kinematics_at(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b,
                             double s);

ContactPoint contact_point(const FeaturePair& pair, const Pose& X_WA, const Pose& X_WB);

// The gap and its first two derivatives.
math::Sample compute_gap(const FeaturePair& pair, const PairKinematics& at);

// The same pair in the frames of the bodies that carry the shapes, where X_AS is the pose of the
// shape that owns the first feature.
FeaturePair on_bodies(const FeaturePair& pair, const Pose& X_AS, const Pose& X_BS);

}  // namespace carom::geometry
