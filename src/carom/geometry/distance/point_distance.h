// Signed distance of a point to a shape, in the shape's frame: closed forms, and for ellipsoids one
// root of a secular equation. With a radius about the point this is every pair with a sphere.
#pragma once

#include "carom/geometry/distance/distance.h"

namespace carom::geometry {

struct PointDistance {
  double value = 0;             // negative inside
  Vec3 normal = Vec3::UnitZ();  // unit, outward at the nearest point, also where the value is 0
  Feature feature;              // of a box
};

PointDistance compute_point_distance(const Box& box, const Convex& convex, const Vec3& point);
PointDistance compute_point_distance(const Capsule& capsule, const Vec3& point);
PointDistance compute_point_distance(const Cylinder& cylinder, const Vec3& point);
PointDistance compute_point_distance(const Cone& cone, const Vec3& point);
PointDistance compute_point_distance(const Ellipsoid& ellipsoid, const Vec3& point);

}  // namespace carom::geometry
