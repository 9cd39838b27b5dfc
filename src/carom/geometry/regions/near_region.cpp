#include "carom/geometry/regions/near_region.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/regions/region_names.h"

namespace carom::geometry {

namespace {

// Parts of the smaller shape: points closer than this are one, and a face that stays below the
// margin for so long is taken whole.
constexpr double kNear = 1e-4, kSmallOverlap = 0.05;
constexpr double kMostLean = 0.5;
constexpr double kAsDeep = 0.05;  // of the slack: within it a corner stands for the deepest point

struct Height {  // a point of one shape's surface
  Vec3 p_W;
  Feature feature;
};

bool is_on_face(const Patch& patch, Place place) {
  switch (patch.outline.kind) {
    case OutlineKind::Unbounded:
      return true;
    case OutlineKind::Polygon:
      return place.part == Part::Inside;
    case OutlineKind::Disc:
    case OutlineKind::Segment:
    case OutlineKind::Point:
      return false;
  }
  return false;
}

// The surface over p_W, which is where the first of the faces cuts the line through it.
Height height_on_faces(const Placed& placed, const Patch& patch, const Vec3& p_W,
                       const Vec3& outward) {
  const Vec3 p = placed.X_WS.inverse() * p_W;
  const Vec3 d = placed.X_WS.q.conjugate() * outward;
  double along = HUGE_VAL;
  Feature feature;
  for (const PatchFace& face : patch.faces) {
    const double here = (face.offset - face.normal.dot(p)) / face.normal.dot(d);
    if (here < along) along = here, feature = face.feature;
  }
  return {p_W + along * outward, feature};
}

Height height_at(const Placed& placed, const Patch& patch, Place place, const Vec3& p_W,
                 const Vec3& outward) {
  if (is_on_face(patch, place)) return height_on_faces(placed, patch, p_W, outward);
  const PatchPoint point = point_at(placed, patch, place, p_W);
  return {placed.X_WS * point.surface, point.feature};
}

NearPoint near_point(const RegionInPlane& region, const OverlapPoint& point) {
  const ContactPlane& plane = region.plane;
  const Vec3 p_W = plane.origin + point.at.x * plane.first + point.at.y * plane.second;
  const Height a = height_at(region.a, region.patch_a, point.a, p_W, -plane.normal);
  const Height b = height_at(region.b, region.patch_b, point.b, p_W, plane.normal);
  const double gap = plane.normal.dot(a.p_W - b.p_W);
  return {{0.5 * (a.p_W + b.p_W), plane.normal, gap}, make_id(a.feature, b.feature)};
}

NearPoint witness_of(const Distance& distance) {
  return {{0.5 * (distance.p_A + distance.p_B), distance.normal, distance.value},
          make_id(distance.feature_a, distance.feature_b)};
}

void find_patches(RegionInPlane& region, double size) {
  const double slack = region.tolerance - region.separation;
  const double lean = widest_lean(slack, size);
  const double line_slack = std::max(slack, lean * size);
  const Vec3& n = region.plane.normal;
  const double near = kNear * size;
  const PatchQuery towards_b{region.plane, -n, slack, lean, near, line_slack, line_slack, true};
  const PatchQuery towards_a{region.plane, n, slack, lean, near, line_slack, line_slack, true};
  find_patch(region.a, towards_b, region.distance.feature_a, region.patch_a);
  find_patch(region.b, towards_a, region.distance.feature_b, region.patch_b);
}

void append_corners(const RegionInPlane& region, double near, std::vector<NearPoint>& out) {
  Overlap overlap;
  find_overlap(region.patch_a.outline, region.patch_b.outline, near, overlap);
  BoundedList<Flat, kMostOverlapPoints> flats;
  BoundedList<NearPoint, kMostOverlapPoints> points;
  for (const OverlapPoint& corner : overlap) {
    const NearPoint point = near_point(region, corner);
    if (!(point.at.gap <= region.tolerance)) continue;
    flats.push(corner.at);
    points.push(point);
  }
  HullOrder order;
  find_hull(flats, near, order);
  for (const std::size_t i : order) out.push_back(points[i]);
}

bool is_always_one_point(const Convex& convex) {
  return std::holds_alternative<Sphere>(convex.shape) ||
         std::holds_alternative<Ellipsoid>(convex.shape);
}

}  // namespace

double widest_lean(double slack, double size) {
  return std::min(kMostLean, slack / (kSmallOverlap * size));
}

void find_near_region(const Placed& a, const Placed& b, const Distance& distance,
                      const NearQuery& query, std::vector<NearPoint>& out) {
  out.clear();
  if (!(distance.value <= query.margin)) return;
  const bool one_point = is_always_one_point(a.convex) || is_always_one_point(b.convex);
  if (one_point && !query.must_face) return out.push_back(witness_of(distance));
  const Vec3 middle = 0.5 * (distance.p_A + distance.p_B);
  const double size = std::min(a.convex.radius, b.convex.radius);
  RegionInPlane region{
      a,  b, distance, query.margin, distance.value, make_contact_plane(middle, distance.normal),
      {}, {}};
  find_patches(region, size);
  append_corners(region, kNear * size, out);
  if (out.empty() && query.must_face) return;
  const double deep = distance.value + kAsDeep * (query.margin - distance.value);
  const bool found_deepest = std::any_of(
      out.begin(), out.end(), [&](const NearPoint& point) { return point.at.gap <= deep; });
  if (!found_deepest) out.push_back(witness_of(distance));
  std::sort(out.begin(), out.end(),
            [](const NearPoint& x, const NearPoint& y) { return x.id < y.id; });
}

}  // namespace carom::geometry
