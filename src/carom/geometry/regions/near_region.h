// Where two convex shapes may come to touch soon: the corners of the region over which they face
// each other along the normal of their distance, each with its own gap along that normal, as far as
// the gap is at most a margin. A box that leans a little over a larger one gives its four lower
// corners, an edge that crosses an edge the crossing, a ball one point. Shapes that overlap give
// negative gaps; the normal is then the direction of least depth.
//
// This is not find_contact_region with a large tolerance. That one takes all that lies within the
// tolerance to be one plane, and tells apart what touches from what does not by a tolerance far
// below any lean; its points carry feature pairs with exact derivatives. Here surfaces may lean and
// bend within the margin, so heights are taken from the surfaces themselves, along one normal for
// all points, and what was left out lies above the margin. Each gap is at least the distance. A
// face that rises above the margin within a twentieth of the smaller shape's size counts as a wall:
// what is over it is left to the next query.
#pragma once

#include <vector>

#include "carom/geometry/distance/distance.h"
#include "carom/geometry/distance/feature_pair.h"

namespace carom::geometry {

struct NearPoint {
  ContactPoint at;
  std::int64_t id = 0;  // names the features; the same from step to step
};

struct NearQuery {
  double margin = 0;
  bool must_face = false;  // whether shapes that nowhere face each other have no points at all,
                           // instead of the two nearest ones
  Vec3 approach = Vec3::Zero();  // how a would move meanwhile, seen from b
};

// A face that leans by less from the plane of contact is taken whole; `size` is that of the smaller
// shape.
double widest_lean(double slack, double size);

// In the order of their ids. Replaces `out`, whose memory is the only one that may grow.
void find_near_region(const Placed& a, const Placed& b, const Distance& distance,
                      const NearQuery& query, std::vector<NearPoint>& out);

}  // namespace carom::geometry
