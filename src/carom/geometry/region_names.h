// Names the points at which the patches of two shapes meet: which pair of features carries each,
// and how large its gap is.
#pragma once

#include "carom/geometry/contact_region.h"
#include "carom/geometry/support_patch.h"

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

double gap_at(const RegionInPlane& region, const OverlapPoint& point);

// `alone`: it is the region's only point.
RegionPoint name_point(const RegionInPlane& region, const OverlapPoint& point, bool alone);

// Where nothing better is known: the witness points themselves.
RegionPoint name_witness(const RegionInPlane& region);

}  // namespace carom::geometry
