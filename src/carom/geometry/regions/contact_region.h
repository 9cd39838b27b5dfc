// Where two convex shapes touch: the vertices of the polygon, the ends of the segment or the one
// point of their common region (Baraff, §4), each as the pair of features that carries it, with an
// identity that lasts while the same features touch.
#pragma once

#include <vector>

#include "carom/geometry/distance/distance.h"
#include "carom/geometry/distance/feature_pair.h"

namespace carom::geometry {

struct RegionPoint {
  FeaturePair pair;      // in the frames of the shapes, a's feature first unless swapped
  bool swapped = false;  // b owns the first feature of the pair
  std::int64_t id = 0;   // names the features; the same from step to step
};

// The points at which the gap is at most `tolerance` but for round-off, given their distance, in
// the order of their ids; at least one where the distance is so small. Replaces `out`, whose memory
// is the only one that may grow.
void find_contact_region(const Placed& a, const Placed& b, const Distance& distance,
                         double tolerance, std::vector<RegionPoint>& out);

}  // namespace carom::geometry
