// Minkowski Portal Refinement (Snethen 2008), extended to shapes that are apart as in Neumayr &
// Otter, §2.3: a signed distance from support mappings alone, fit to be a zero-crossing function.
//
// A ball of radius r_A rolls over a, one of radius r_B over b: edges and vertices become round, so
// the normal is unique and turns continuously with the motion. The routine works on the shapes
// inside the balls. While these are apart, that is for |δ| < r_A + r_B, δ is the distance of the
// rounded shapes to the tolerance; when they overlap too, δ is the depth along a normal found by
// casting rays, hardly ever less than the true depth and often more.
//
// Special situations: centres that coincide (the ray starts beside them), an origin on the first
// ray (its direction is the normal), a portal without area (its edges carry the nearest point). The
// refinement ends when the next support point is no farther than the tolerance beyond the portal,
// above which the paper's rule stops too, or apart, when lower and upper bound of the distance are
// that close; the portal then follows the nearest point instead of the ray.
//
// The method elastic measures by it with "distance": "mpr" (methods/elastic/pair_measure.h); by
// default, and in all other methods, distances are those of distance.h.
#pragma once

#include "carom/geometry/distance/distance.h"

namespace carom::geometry {

struct MprOptions {
  double radius_a = 0, radius_b = 0;  // m; of the balls that smooth the shapes
  double tolerance = 1e-9;            // of the larger shape's size
};

// In the world. Spheres and capsules are round by themselves; planes are no matter of this routine.
[[nodiscard]] Distance compute_mpr(const Placed& a, const Placed& b, const MprOptions& options);

}  // namespace carom::geometry
