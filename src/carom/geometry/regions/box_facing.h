// Two boxes that face each other: the corners of the region over which a face of one and the face
// of the other that looks at it most lie over each other, seen along a direction, each with its gap
// along it. At most eight.
#pragma once

#include "carom/geometry/regions/near_region.h"

namespace carom::geometry {

struct BoxFrame {
  Vec3 p;
  Mat3 R;
  Vec3 half;
};

constexpr int next_axis(int i) { return i == 2 ? 0 : i + 1; }

// Names of parts, alike for all boxes: a corner by the sides it is on, an edge by its axis and the
// sides of the other two, a face by its axis and side.
constexpr int side_bit(double sign, int axis) { return sign > 0 ? 1 << axis : 0; }
inline Feature name_box_edge(int axis, int sides) { return {FeatureKind::Edge, 8 * axis + sides}; }

struct FacingQuery {
  const BoxFrame& under;
  const BoxFrame& over;
  int axis;        // of the face of `under`
  Vec3 direction;  // unit, from `under` to `over`
  bool over_is_a;  // and `under` is b
  double margin;   // gaps above it are left out
};
void append_facing_points(const FacingQuery& query, std::vector<NearPoint>& out);

}  // namespace carom::geometry
