// Where two boxes may come to touch soon, in closed form: the fifteen axes along which they may be
// parted, then the corners of the two faces' overlap along the best one (box_facing.h); if it
// belongs to two edges and the faces beside them fall off steeply, their crossing. Faces go before
// edges that part the boxes better by less than a twentieth of the slack, which is what lies
// between their separation and the margin: else nearly parallel edges would take turns with the
// faces they bound.
//
// Boxes that are apart and would run into each other along the best axis may be about to pass each
// other along a face: a box that slides from one block to the next sees the next one's side ahead
// of it, but its top just below. Then the face parts them, since along it they stay apart.
#pragma once

#include "carom/geometry/regions/near_region.h"

namespace carom::geometry {

// The points of near_region.h. False if that takes more than the axes: boxes that are apart and do
// not face each other along any of them.
[[nodiscard]] bool find_near_boxes(const Placed& a, const Placed& b, const NearQuery& query,
                                   std::vector<NearPoint>& out);

}  // namespace carom::geometry
