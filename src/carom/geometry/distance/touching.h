// The distance of two polytopes that almost touch, to the last digits. Points that nearly coincide
// say little about the direction between them, so the directions that can be best are tried: the
// normals of faces near the touching point and the common normals of edges whose arcs cross on the
// Gauss map there. Each separates the shapes by a difference of plane offsets, exact to round-off.
#pragma once

#include "carom/geometry/distance/distance.h"

namespace carom::geometry {

// Below this part of the size a distance is worth refining.
inline constexpr double kAlmostTouching = 1e-7;

// Improves value, normal and features of `distance`, which is in a's frame, and puts the witness
// points on both sides of the middle between them.
void refine_touching(const Polytope& a, const Polytope& b, const Pose& X_AB, Distance& distance);

}  // namespace carom::geometry
