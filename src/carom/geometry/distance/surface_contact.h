// The distance of two shapes as contacts need it. Where one is a triangle of a surface and they
// touch, the normal is turned to one that the whole surface allows there (mesh_normals.h), so that
// the seams of a flat floor are no bumps, and the value is the separation along that normal.
#pragma once

#include "carom/geometry/distance/distance.h"

namespace carom::geometry {

[[nodiscard]] Distance compute_contact_distance(const Placed& a, const Placed& b, double tolerance,
                                                DistanceHint& hint);

}  // namespace carom::geometry
