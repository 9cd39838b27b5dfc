// The shallowest way out of each other for two overlapping convex polytopes: over all normals of
// faces, and all common normals of two edges that are both farthest along them, which is where
// their arcs cross on the Gauss map. The crossings are found by walking along the arcs of one
// polytope through the cells of the other, so the work grows with the number of faces and
// crossings, not with the product of the numbers of edges.
#pragma once

#include "carom/geometry/distance/candidate.h"

namespace carom::geometry {

// The unit normal from b to a, in a's frame, along which the separation is largest, given that the
// shapes overlap or touch; of shapes that are apart one along which it is positive.
struct ShallowestAxis {
  Vec3 n = Vec3::UnitX();
  double separation = -HUGE_VAL;
};
ShallowestAxis find_shallowest_axis(const PolytopePair& pair);

}  // namespace carom::geometry
