// The shallowest way out of each other for two overlapping convex polytopes, by trying them all: a
// face of one against the other's farthest vertex, an edge against an edge where both are farthest
// (their arcs cross on the Gauss map). The work grows with the product of the numbers of edges.
#pragma once

#include "carom/geometry/candidate.h"

namespace carom::geometry {

// The unit normal from b to a, in a's frame, along which the separation is largest.
Vec3 find_shallowest_axis(const PolytopePair& pair);

}  // namespace carom::geometry
