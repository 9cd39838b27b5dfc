// Names the points of a contact region at which vertices, edges, balls and the straight sides of
// round bars meet, no face being near.
#pragma once

#include <optional>

#include "carom/geometry/regions/region_names.h"

namespace carom::geometry {

struct FacingPoints {  // one point of the region, on either shape and in its frame
  PatchPoint a, b;
};

const PatchPoint& next_corner(const Patch& patch, std::size_t i);

// Straight, with the same radius about it from end to end: of a cone it has not.
bool is_edge(const Patch& patch, const Place& place);

// Of two straight edges, sides or borders; nothing if the sine of their angle is below `least`.
std::optional<RegionPoint> name_crossing(const RegionInPlane& region, const OverlapPoint& point,
                                         const FacingPoints& touch, double least);

// Where neither shape is flat: the ends of a common line, or one point.
RegionPoint name_edge_contact(const RegionInPlane& region, const OverlapPoint& point,
                              const FacingPoints& touch, bool alone);

// The nearest points of the shapes, whatever they are.
RegionPoint name_nearest(const RegionInPlane& region);

}  // namespace carom::geometry
