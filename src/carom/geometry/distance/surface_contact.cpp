#include "carom/geometry/distance/surface_contact.h"

#include "carom/geometry/shapes/mesh_normals.h"
#include "carom/geometry/shapes/support_patch.h"

namespace carom::geometry {

namespace {

constexpr double kSameDirection = 1e-9;

TriangleFeature on_triangle(const Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::Vertex:
      return {TriangleFeature::Kind::Vertex, feature.index};
    case FeatureKind::Edge:
      return {TriangleFeature::Kind::Edge, feature.index};
    case FeatureKind::Face:
    case FeatureKind::Surface:
      break;
  }
  return {TriangleFeature::Kind::Face, 0};
}

// With b the triangle. A normal that is allowed as it is belongs to a face all the same where it is
// the face's own to round-off: an edge's normal turns as a ball goes by, and beside the face's it
// would make a bump of what the turn within round-off is.
void allow(const Placed& a, const Placed& b, Distance& distance) {
  const Vec3 n_S = b.X_WS.q.conjugate() * distance.normal;
  const Vec3 allowed = b.X_WS.q * allowed_normal(*b.convex.surface, b.convex.triangle,
                                                 on_triangle(distance.feature_b), n_S);
  const Vec3 front = b.X_WS.q * b.convex.polytope->faces[0].normal;
  const bool on_face = (allowed - front).norm() < kSameDirection;
  if ((allowed - distance.normal).norm() >= kSameDirection) {
    const Vec3 middle = 0.5 * (distance.p_A + distance.p_B);
    distance.normal = allowed;
    distance.value = -compute_extent(a, -allowed, distance.feature_a) -
                     compute_extent(b, allowed, distance.feature_b);
    distance.p_A = middle + 0.5 * distance.value * allowed;
    distance.p_B = middle - 0.5 * distance.value * allowed;
  }
  if (!on_face) return;
  distance.normal = front;
  distance.feature_b = {FeatureKind::Face, 0};
}

Distance exchanged(const Distance& distance) {
  Distance out = distance;
  std::swap(out.p_A, out.p_B);
  std::swap(out.feature_a, out.feature_b);
  out.normal = -distance.normal;
  return out;
}

}  // namespace

Distance compute_contact_distance(const Placed& a, const Placed& b, double tolerance,
                                  DistanceHint& hint) {
  Distance distance = compute_distance(a, b, hint);
  if (distance.value > tolerance) return distance;
  if (b.convex.surface) {
    allow(a, b, distance);
  } else if (a.convex.surface) {
    distance = exchanged(distance);
    allow(b, a, distance);
    distance = exchanged(distance);
  }
  return distance;
}

}  // namespace carom::geometry
