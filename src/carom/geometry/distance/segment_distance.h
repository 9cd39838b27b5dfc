// Nearest points of two segments, with a normal also where they cross.
#pragma once

#include "carom/math/linear_algebra.h"

namespace carom::geometry {

struct CentredSegment {
  Vec3 centre;
  Vec3 direction;  // unit
  double half;     // half the length
};

struct SegmentDistance {
  double value = 0;
  Vec3 x, y;    // on the first and the second
  Vec3 normal;  // unit, from the second to the first: x - y = value * normal
};

SegmentDistance compute_segment_distance(const CentredSegment& a, const CentredSegment& b);

}  // namespace carom::geometry
