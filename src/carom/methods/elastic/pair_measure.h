// How far two shapes of an elastic scene are apart, where, and along which normal: what the force
// law and the zero-crossing functions see. Two ways:
//
//   exact     carom's signed distance of the sharp shapes; where they touch over a region, every
//             corner of it pushes
//   portals   Neumayr & Otter, section 2.3: Minkowski portal refinement (geometry/distance/mpr.h),
//             one point for each two convex pieces. A ball of radius `smoothing` is moved over all
//             surface points of shapes with edges (box, hull, cylinder, cone), which so become
//             larger by its radius and round; spheres, capsules and ellipsoids are as they are.
//
// By portals, too, planes and the triangles of meshes, which the paper does not have, are measured
// as by `exact`: against a plane a shape with edges is larger by the ball all the same, and a
// triangle is not smoothed. So are pairs for which portals do not come to their tolerance, curved
// shapes that almost touch: there the exact distance less the balls takes their place.
//
// With e the radii of both balls, the distance by portals is the exact one less e while that is
// above -e, and not above it elsewhere, all to the tolerance of the portals. So shapes for which a
// bound proves that the exact distance is above e are apart by portals: whoever watches pairs that
// are apart may go on with the exact distance less e.
#pragma once

#include "carom/contact/pairs.h"

namespace carom::methods {

struct Gauge {
  bool portals = false;
  double smoothing = 0;  // m
};

// Error of distances by portals, beside the size of the larger shape.
inline constexpr double kPortalTolerance = 1e-12;

// One point pushes, found by portals.
bool uses_portals(const Gauge& gauge, const contact::PairQuery& query);
// m; by how much the two are larger than the exact distance takes them to be.
double extension_of(const Gauge& gauge, const contact::PairQuery& query);

struct PairAt {
  const Scene& scene;
  const State& state;
};
contact::Contact find_nearest(const Gauge& gauge, contact::PairQuery& query, const PairAt& at);
double compute_gap(const Gauge& gauge, contact::PairQuery& query, const PairAt& at);

// A point of a pair that was found without the balls, with them.
void extend(const Gauge& gauge, const contact::PairQuery& query, contact::Contact& contact);

// Throws base::BadInput where shapes that are apart overlap by their balls at the start, as nothing
// has pressed them together.
void refuse_smoothed_overlap(const Gauge& gauge, const Scene& scene, contact::Pairs& pairs);

}  // namespace carom::methods
