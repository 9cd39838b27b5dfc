// The normal of a contact region. A distance routine's normal is only as good as the difference of
// two points that almost coincide, or as its iteration; where the touching features have a normal
// of their own (a face, an end disc, a straight line that it must be perpendicular to), this one is
// exact. Where the normal is undetermined (a vertex on a vertex or on an edge: Baraff, §4.1) and
// the distance's does not part the shapes, the average of the surrounding faces' normals takes its
// place, turned until it lies in both shapes' normal cones.
#pragma once

#include "carom/geometry/distance/distance.h"

namespace carom::geometry {

struct RegionNormal {
  Vec3 normal;        // world, unit, from b to a
  double separation;  // of the shapes along it; below zero: overlap
};
RegionNormal find_region_normal(const Placed& a, const Placed& b, const Distance& distance,
                                double tolerance);

}  // namespace carom::geometry
