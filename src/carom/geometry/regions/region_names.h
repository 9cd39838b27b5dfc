// Names the points at which the patches of two shapes meet: which pair of features carries each,
// and how large its gap is.
#pragma once

#include "carom/geometry/regions/contact_region.h"
#include "carom/geometry/shapes/support_patch.h"

namespace carom::geometry {

struct RegionInPlane {
  const Placed& a;
  const Placed& b;
  const Distance& distance;
  double tolerance;
  double separation;  // along the plane's normal
  ContactPlane plane;
  Patch patch_a, patch_b;
};

// Which features meet; stable while they do.
std::int64_t make_id(Feature a, Feature b);

// Where a place of a patch is on its shape, in the shape's frame; p_W is that place in the plane.
PatchPoint point_at(const Placed& placed, const Patch& patch, Place place, const Vec3& p_W);

double gap_at(const RegionInPlane& region, const OverlapPoint& point);

// `alone`: it is the region's only point.
RegionPoint name_point(const RegionInPlane& region, const OverlapPoint& point, bool alone);

// Where nothing better is known: the witness points themselves.
RegionPoint name_witness(const RegionInPlane& region);

}  // namespace carom::geometry
