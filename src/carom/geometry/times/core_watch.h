// How long vertices and edges, sharp or with balls rolled around them, keep two shapes apart. Each
// pair of them has a smooth gap with bounds on its second and third derivatives and a normal; as
// long as that normal belongs to both features (it lies in their regions of the Gauss map), the gap
// is no more than the distance of the shapes, so that what rests on an edge or a corner, also while
// it turns or slides, is followed in large steps. Between two that are sharp only crossing edges
// have such a gap.
#pragma once

#include "carom/geometry/times/gap_watch.h"

namespace carom::geometry {

// The latest time up to which two features at the nearest ones keep both apart; the start if none
// do.
double watch_cores(const MovingShape& a, const MovingShape& b, const Distance& distance,
                   const WatchedFlight& flight);

}  // namespace carom::geometry
