#include "carom/geometry/regions/region_names.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/geometry/regions/edge_names.h"

namespace carom::geometry {

namespace {

constexpr double kAligned = 1e-18;  // of the cosine: faces this equally along the normal are tied
constexpr double kSlanting =
    1e-3;  // rad; lines closer to the border's direction than this rest on the face
constexpr double kOnFace = 1e-6;  // of a round shape's size: how far beside a face it may rest

bool is_flat(const Patch& patch) { return !patch.faces.empty(); }

// A point of a disc's rim or inside something flat: there where the plane of contact says.
PatchPoint point_on_flat(const Placed& placed, const Patch& patch, const Vec3& p_W, Place place) {
  const PatchFace& face = patch.faces[0];
  const Vec3 p = placed.X_WS.inverse() * p_W;
  const Vec3 on_face = p - (face.normal.dot(p) - face.offset) * face.normal;
  const Feature rim{FeatureKind::Edge, 2 + static_cast<std::int32_t>(place.index)};
  return {on_face, on_face, 0, Roundness::Sharp, place.part == Part::Edge ? rim : face.feature};
}

}  // namespace

std::int64_t make_id(Feature a, Feature b) {
  const auto packed = [](Feature f) {
    return static_cast<std::int64_t>(f.kind) << 29U | static_cast<std::int64_t>(f.index);
  };
  return packed(a) << 31U | packed(b);
}

PatchPoint point_at(const Placed& placed, const Patch& patch, Place place, const Vec3& p_W) {
  if (place.part == Part::Corner) return patch.corners[place.index];
  const bool straight = patch.outline.kind == OutlineKind::Segment ||
                        (patch.outline.kind == OutlineKind::Polygon && place.part == Part::Edge);
  if (straight) {
    PatchPoint point =
        between(patch.corners[place.index], next_corner(patch, place.index), place.along);
    point.feature = patch.edges[place.index];
    return point;
  }
  if (patch.outline.kind == OutlineKind::Point) return patch.corners[0];
  return point_on_flat(placed, patch, p_W, place);
}

namespace {

FacingPoints facing_points_at(const RegionInPlane& region, const OverlapPoint& point) {
  const ContactPlane& plane = region.plane;
  const Vec3 p_W = plane.origin + point.at.x * plane.first + point.at.y * plane.second;
  return {point_at(region.a, region.patch_a, point.a, p_W),
          point_at(region.b, region.patch_b, point.b, p_W)};
}

// The face of a flat that lies farthest out at a point: the others pass above it there.
const PatchFace& find_face(const Patch& patch, const Vec3& p) {
  return *std::max_element(patch.faces.begin(), patch.faces.end(),
                           [&](const PatchFace& x, const PatchFace& y) {
                             return x.normal.dot(p) - x.offset < y.normal.dot(p) - y.offset;
                           });
}

struct Rest {  // a point of one shape against a flat of the other
  bool swapped;
  const PatchPoint* point;
  const PatchFace* face;
  double gap;    // of the pair's lowest point above the face's plane
  bool on_face;  // whether that point is over the flat at all
};

// The point's shape may have another foremost point against the face than along the normal.
Vec3 foremost(const Placed& owner, const PatchPoint& point, const Vec3& direction) {
  switch (point.roundness) {
    case Roundness::Sharp:
      break;
    case Roundness::Ball:
      return point.core + point.radius * direction;
    case Roundness::Rim: {
      const Vec3 across(direction.x(), direction.y(), 0);
      return across.isZero(0) ? point.surface
                              : Vec3(point.core + point.radius * across.normalized());
    }
    case Roundness::Curved: {
      const Vec3& radii = std::get<Ellipsoid>(owner.convex.shape).radii;
      const Vec3 scaled = radii.cwiseProduct(direction);
      return radii.cwiseProduct(scaled) / scaled.norm();
    }
  }
  return point.surface;
}

Rest rest_on_flat(const RegionInPlane& region, const FacingPoints& touch, bool swapped) {
  const Placed& owner = swapped ? region.b : region.a;
  const Placed& other = swapped ? region.a : region.b;
  const PatchPoint& point = swapped ? touch.b : touch.a;
  const Patch& flat = swapped ? region.patch_a : region.patch_b;
  const Pose back = other.X_WS.inverse();
  const PatchFace& face = find_face(flat, back * (owner.X_WS * point.surface));
  const Vec3 down = owner.X_WS.q.conjugate() * (other.X_WS.q * -face.normal);
  const Vec3 low_W = owner.X_WS * foremost(owner, point, down);
  const double near = kOnFace * owner.convex.radius;
  const bool on_face =
      point.roundness == Roundness::Sharp || contains(flat.outline, region.plane.flat(low_W), near);
  return {swapped, &point, &face, face.normal.dot(back * low_W) - face.offset, on_face};
}

double facing(const Placed& placed, const Patch& patch, const Vec3& n) {
  return std::abs(n.dot(placed.X_WS.q * patch.faces[0].normal));
}

// Who owns the point: the shape that is not flat there, or whose corner it is; of two edges that of
// a, unless a's face is the one along the normal.
bool point_is_on_b(const RegionInPlane& region, const OverlapPoint& point) {
  if (!is_flat(region.patch_b)) return true;
  if (!is_flat(region.patch_a) || point.a.part == Part::Corner) return false;
  if (point.b.part == Part::Corner) return true;
  return facing(region.a, region.patch_a, region.plane.normal) >
         facing(region.b, region.patch_b, region.plane.normal) + kAligned;
}

FeaturePair make_rest_pair(const Placed& owner, const PatchPoint& point, const PatchFace& face) {
  switch (point.roundness) {
    case Roundness::Rim:
      return RimPlane{point.core, Vec3::UnitZ(), point.radius, face.normal, face.offset};
    case Roundness::Curved: {
      const Vec3& radii = std::get<Ellipsoid>(owner.convex.shape).radii;
      return EllipsoidPlane{Pose{}, radii, face.normal, face.offset};
    }
    case Roundness::Sharp:
    case Roundness::Ball:
      break;
  }
  return PointPlane{point.core, point.radius, face.normal, face.offset};
}

bool is_border(const Patch& patch, const Place& place) {
  return patch.outline.kind == OutlineKind::Polygon && place.part == Part::Edge;
}

// A straight line that lies over the border of something flat goes on touching there when it slides
// or tips. Not on surfaces, most of whose borders are seams.
bool is_line_over_border(const RegionInPlane& region, const OverlapPoint& point) {
  if (region.a.convex.surface || region.b.convex.surface) return false;
  return (is_edge(region.patch_a, point.a) && is_border(region.patch_b, point.b)) ||
         (is_border(region.patch_a, point.a) && is_edge(region.patch_b, point.b));
}

RegionPoint name_rest(const RegionInPlane& region, const OverlapPoint& point) {
  const FacingPoints touch = facing_points_at(region, point);
  if (is_line_over_border(region, point)) {
    const auto crossing = name_crossing(region, point, touch, kSlanting);
    if (crossing) return *crossing;
  }
  const Rest rest = rest_on_flat(region, touch, point_is_on_b(region, point));
  const bool inside_a = rest.swapped && point.a.part == Part::Inside;
  const bool inside_b = !rest.swapped && point.b.part == Part::Inside;
  const Feature a = inside_a ? rest.face->feature : touch.a.feature;
  const Feature b = inside_b ? rest.face->feature : touch.b.feature;
  const Placed& owner = rest.swapped ? region.b : region.a;
  return {make_rest_pair(owner, *rest.point, *rest.face), rest.swapped, make_id(a, b)};
}

Vec3 on_world(const Placed& placed, const PatchPoint& point) { return placed.X_WS * point.surface; }

}  // namespace

double gap_at(const RegionInPlane& region, const OverlapPoint& point) {
  const FacingPoints touch = facing_points_at(region, point);
  if (is_flat(region.patch_a) || is_flat(region.patch_b)) {
    const Rest rest = rest_on_flat(region, touch, point_is_on_b(region, point));
    return rest.on_face ? rest.gap : HUGE_VAL;
  }
  return region.plane.normal.dot(on_world(region.a, touch.a) - on_world(region.b, touch.b));
}

RegionPoint name_point(const RegionInPlane& region, const OverlapPoint& point, bool alone) {
  const bool flat = is_flat(region.patch_a) || is_flat(region.patch_b);
  return flat ? name_rest(region, point)
              : name_edge_contact(region, point, facing_points_at(region, point), alone);
}

namespace {

// What is round touches the triangle of a surface a little before it is over it. Where the surface
// goes on, so that its normal there is the triangle's own (surface_contact.h), it rests on the
// triangle's plane.
std::optional<RegionPoint> name_beside_face(const RegionInPlane& region, bool swapped) {
  const Placed& owner = swapped ? region.b : region.a;
  const Placed& other = swapped ? region.a : region.b;
  const Patch& round = swapped ? region.patch_b : region.patch_a;
  const Patch& flat = swapped ? region.patch_a : region.patch_b;
  const Feature on = swapped ? region.distance.feature_a : region.distance.feature_b;
  if (!other.convex.surface || on.kind != FeatureKind::Face) return std::nullopt;
  if (!is_flat(flat) || round.corners.empty()) return std::nullopt;
  const Vec3& p_W = swapped ? region.distance.p_B : region.distance.p_A;
  const auto off = [&](const PatchPoint& point) {
    return (owner.X_WS * point.surface - p_W).squaredNorm();
  };
  const PatchPoint& point =
      *std::min_element(round.corners.begin(), round.corners.end(),
                        [&](const PatchPoint& x, const PatchPoint& y) { return off(x) < off(y); });
  const PatchFace& face = flat.faces[0];
  const std::int64_t id =
      swapped ? make_id(face.feature, point.feature) : make_id(point.feature, face.feature);
  return RegionPoint{make_rest_pair(owner, point, face), swapped, id};
}

}  // namespace

RegionPoint name_witness(const RegionInPlane& region) {
  const bool sharp = region.a.convex.polytope && region.b.convex.polytope;
  if (!sharp) {
    for (const bool swapped : {false, true}) {
      if (const auto rest = name_beside_face(region, swapped)) return *rest;
    }
    return name_nearest(region);
  }
  const Distance& distance = region.distance;
  const Vec3 p_A = region.a.X_WS.inverse() * distance.p_A;
  const Vec3 p_B = region.b.X_WS.inverse() * distance.p_B;
  const Vec3 n = region.b.X_WS.q.conjugate() * region.plane.normal;
  return {PointPlane{p_A, 0, n, n.dot(p_B)}, false,
          make_id(distance.feature_a, distance.feature_b)};
}

}  // namespace carom::geometry
