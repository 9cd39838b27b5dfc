#include "carom/geometry/distance.h"

#include <algorithm>
#include <type_traits>

#include "carom/base/check.h"
#include "carom/geometry/convex_pair.h"

namespace carom::geometry {

namespace {

// A shape as a core and the radius of a ball rolled over it.
template <typename Support>
struct Rounded {
  Support support;
  double radius = 0;
};

Rounded<PolytopeSupport> rounded(const Sphere& sphere, const Convex& convex) {
  return {{convex.core.get()}, sphere.radius};
}
Rounded<PolytopeSupport> rounded(const Capsule& capsule, const Convex& convex) {
  return {{convex.core.get()}, capsule.radius};
}
Rounded<PolytopeSupport> rounded(const Box&, const Convex& convex) { return {{convex.core.get()}}; }
Rounded<PolytopeSupport> rounded(const Hull&, const Convex& convex) {
  return {{convex.core.get()}};
}
Rounded<CylinderSupport> rounded(const Cylinder& cylinder, const Convex&) {
  return {{cylinder.radius, 0.5 * cylinder.length}};
}
Rounded<ConeSupport> rounded(const Cone& cone, const Convex&) {
  return {{cone.radius, 0.5 * cone.length}};
}
Rounded<EllipsoidSupport> rounded(const Ellipsoid& ellipsoid, const Convex&) {
  return {{ellipsoid.radii}};
}

// What a query knows beside the shapes themselves.
struct Query {
  const Placed& a;
  const Placed& b;
  const DistanceHint& hint;
  Pose X_AB;
  double size;
};

Distance in_world(const Query& query, const CoreDistance& core, double radius_a, double radius_b) {
  const Candidate& best = core.best;
  Distance out;
  out.status = core.status;
  out.value = best.separation - radius_a - radius_b;
  out.p_A = query.a.X_WS * (best.facing.x - radius_a * best.n);
  out.p_B = query.a.X_WS * (best.facing.y + radius_b * best.n);
  out.normal = query.a.X_WS.q * best.n;
  out.feature_a = best.feature_a;
  out.feature_b = best.feature_b;
  out.iterations = core.iterations;
  return out;
}

Distance flipped(Distance distance) {
  std::swap(distance.p_A, distance.p_B);
  std::swap(distance.feature_a, distance.feature_b);
  distance.normal = -distance.normal;
  return distance;
}

template <typename ShapeA, typename ShapeB>
Distance solve(const ShapeA& a, const ShapeB& b, const Query& query) {
  const auto core_a = rounded(a, query.a.convex);
  const auto core_b = rounded(b, query.b.convex);
  ConvexPair pair(core_a.support, core_b.support, query.X_AB, query.size);
  const Vec3 start = query.a.X_WS.q.conjugate() * query.hint.normal;
  return in_world(query, pair.compute(start), core_a.radius, core_b.radius);
}

// A half-space and any shape: the shape's lowest points.
template <typename ShapeB>
Distance solve(const Plane& plane, const ShapeB& b, const Query& query) {
  auto core = rounded(b, query.b.convex);
  const Mat3 R_AB = query.X_AB.q.toRotationMatrix();
  const Vec3 down = R_AB.transpose() * -plane.normal;
  Distance out;
  const Vec3 low = query.X_AB * Vec3(core.support(down)) - core.radius * plane.normal;
  out.value = plane.normal.dot(low) - plane.offset;
  out.normal = query.a.X_WS.q * -plane.normal;
  out.p_B = query.a.X_WS * low;
  out.p_A = query.a.X_WS * (low - out.value * plane.normal);
  out.feature_b = core.support.find_set(down).feature;
  return out;
}

template <typename ShapeA>
Distance solve(const ShapeA& a, const Plane& plane, const Query& query) {
  const Query turned{query.b, query.a, query.hint, query.X_AB.inverse(), query.size};
  return flipped(solve(plane, a, turned));
}

Distance solve(const Plane&, const Plane&, const Query&) {
  base::check(false, "a distance is asked of two shapes of which one is bounded");
  return {};
}

}  // namespace

Distance compute_distance(const Placed& a, const Placed& b, DistanceHint& hint) {
  const Quat back = a.X_WS.q.conjugate();
  const Pose X_AB{back * (b.X_WS.p - a.X_WS.p), back * b.X_WS.q};
  const Query query{a, b, hint, X_AB, std::max(a.convex.radius, b.convex.radius)};
  const Distance distance = std::visit(
      [&query](const auto& shape_a, const auto& shape_b) { return solve(shape_a, shape_b, query); },
      a.convex.shape, b.convex.shape);
  hint = {distance.feature_a, distance.feature_b, distance.normal};
  return distance;
}

}  // namespace carom::geometry
