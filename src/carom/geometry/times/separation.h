// How long a separating direction keeps two convex shapes in flight apart, at the least; see
// time_of_contact.h for the idea.
#pragma once

#include "carom/geometry/times/gap_bounds.h"

namespace carom::geometry {

// A shape on a body at one time of a flight, with bounds on what the body does afterwards. Spheres
// and capsules are a point or a segment with a margin: their points turn, the margin does not.
struct FlyingShape {
  const Convex& convex;
  BodyBounds body;
  Vec3 center;  // the shape's origin from the centre of mass, world axes
  Quat q_WS;
  double lever;  // of the farthest point of the core from the centre of mass
  double margin;

  bool is_plane() const { return std::holds_alternative<Plane>(convex.shape); }
  // The point of the core farthest along d, in the shape's own frame; d of any length.
  Vec3 support(const Vec3& d_S) const;
};
FlyingShape make_flying_shape(const Convex& convex, const Pose& X_BS, const BodyBounds& body);

// A gap between two shapes, now: from b to a along n, which separates them by `value`.
struct GapNow {
  Vec3 n;
  double value;
};

// A time before which the gap cannot fall to `level`, at most `duration`. The longest of what four
// choices guarantee: balls about the centres of mass, which feel no spin; n standing still; n
// turning with b; n turning with a.
double wait_apart(const FlyingShape& a, const FlyingShape& b, const GapNow& gap, double level,
                  double duration);

}  // namespace carom::geometry
