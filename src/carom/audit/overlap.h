// The depth of overlap of two solids in the world: closed forms for planes and spheres, separating
// axes for polytopes of up to some thousand edges, the expanding polytope for everything else.
#pragma once

#include "carom/audit/expanding_polytope.h"
#include "carom/audit/separating_axes.h"

namespace carom::audit {

struct PlacedSolid {
  const Solid& solid;
  Pose X_WS;
};

// Overlap along the unit world vector d, from a towards b: at least the depth, for any d. With a
// plane the only direction that bounds it is its normal, and d is not used.
double compute_overlap_along(const PlacedSolid& a, const PlacedSolid& b, const Vec3& d);

class OverlapFinder {
 public:
  Overlap find(const PlacedSolid& a, const PlacedSolid& b);  // direction in the world

 private:
  SeparatingAxes separating_axes_;
  ExpandingPolytope expanding_polytope_;
};

}  // namespace carom::audit
