// Convex hull of points by qhull, with coplanar facets merged.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "carom/geometry/shapes/shape.h"

namespace carom::geometry {

// The hull, or the reason why there is none (fewer than four points, all in a plane, not finite).
struct HullResult {
  std::shared_ptr<const Polyhedron> polyhedron;  // null on failure
  std::string problem;
};
HullResult make_convex_hull(std::span<const Vec3> points);

}  // namespace carom::geometry
