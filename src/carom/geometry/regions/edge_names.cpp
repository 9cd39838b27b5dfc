#include "carom/geometry/regions/edge_names.h"

#include <cmath>

namespace carom::geometry {

namespace {

constexpr double kParallel = 1e-6;  // rad; edges closer to parallel have no normal of their own

Vec3 edge_direction(const Patch& patch, const Place& place) {
  const std::size_t i = patch.outline.kind == OutlineKind::Segment ? 0 : place.index;
  const PatchPoint* low = &patch.corners[i];
  const PatchPoint* high = &next_corner(patch, i);
  if (high->feature.index < low->feature.index) std::swap(low, high);
  return (high->core - low->core).normalized();
}

// A sharp point on a sharp point or edge: the owner of the other is taken to extend in a plane
// normal to the contact (Baraff, §4.1).
RegionPoint name_degenerate(const RegionInPlane& region, const FacingPoints& touch, bool swapped) {
  const Placed& other = swapped ? region.a : region.b;
  const PatchPoint& point = swapped ? touch.b : touch.a;
  const PatchPoint& under = swapped ? touch.a : touch.b;
  const Vec3 n =
      other.X_WS.q.conjugate() * (swapped ? Vec3(-region.plane.normal) : region.plane.normal);
  return {PointPlane{point.core, 0, n, n.dot(under.surface)}, swapped,
          make_id(touch.a.feature, touch.b.feature)};
}

// The ball on the shape's axis that touches its surface where the region does.
struct Ball {
  Vec3 center;
  double radius;
};
Ball tangent_ball(const Placed& placed, const PatchPoint& point, const Vec3& outward) {
  if (point.roundness != Roundness::Rim || point.radius <= 0) return {point.core, point.radius};
  const Vec3 d = placed.X_WS.q.conjugate() * outward;
  const double radius = point.radius * point.radius / d.dot(point.surface - point.core);
  return {point.surface - radius * d, radius};
}

RegionPoint name_balls(const RegionInPlane& region, const FacingPoints& touch) {
  const Ball a = tangent_ball(region.a, touch.a, -region.plane.normal);
  const Ball b = tangent_ball(region.b, touch.b, region.plane.normal);
  return {BallBall{a.center, b.center, a.radius, b.radius}, false,
          make_id(touch.a.feature, touch.b.feature)};
}

RegionPoint name_edges(const RegionInPlane& region, const OverlapPoint& point,
                       const FacingPoints& touch) {
  if (const auto crossing = name_crossing(region, point, touch, kParallel)) return *crossing;
  const bool sharp = touch.a.roundness == Roundness::Sharp && touch.b.roundness == Roundness::Sharp;
  return sharp ? name_degenerate(region, touch, false) : name_nearest(region);
}

RegionPoint name_ball_on_edge(const RegionInPlane& region, const OverlapPoint& point,
                              const FacingPoints& touch, bool swapped) {
  const PatchPoint& ball = swapped ? touch.b : touch.a;
  const PatchPoint& edge = swapped ? touch.a : touch.b;
  const Vec3 direction =
      swapped ? edge_direction(region.patch_a, point.a) : edge_direction(region.patch_b, point.b);
  return {BallEdge{ball.core, ball.radius, edge.core, direction, edge.radius}, swapped,
          make_id(touch.a.feature, touch.b.feature)};
}

bool is_ball_or_vertex(const Patch& patch, const Place& place) {
  const bool at_corner = patch.outline.kind == OutlineKind::Point || place.part == Part::Corner;
  const Roundness roundness = patch.corners[place.part == Part::Corner ? place.index : 0].roundness;
  return at_corner && (roundness == Roundness::Ball || roundness == Roundness::Sharp);
}

RegionPoint name_alone(const RegionInPlane& region, const FacingPoints& touch,
                       const OverlapPoint& point) {
  const bool edge_a = is_edge(region.patch_a, point.a), edge_b = is_edge(region.patch_b, point.b);
  const bool ball_a = is_ball_or_vertex(region.patch_a, point.a);
  const bool ball_b = is_ball_or_vertex(region.patch_b, point.b);
  if (ball_a && ball_b) return name_balls(region, touch);
  if (edge_a && edge_b) return name_edges(region, point, touch);
  const bool ball_on_edge = (ball_a && edge_b) || (edge_a && ball_b);
  return ball_on_edge ? name_ball_on_edge(region, point, touch, edge_a) : name_nearest(region);
}

}  // namespace

const PatchPoint& next_corner(const Patch& patch, std::size_t i) {
  return patch.corners[(i + 1) % patch.corners.size()];
}

bool is_edge(const Patch& patch, const Place& place) {
  return patch.outline.kind == OutlineKind::Segment && place.part != Part::Corner &&
         patch.corners[0].radius == patch.corners[1].radius;
}

std::optional<RegionPoint> name_crossing(const RegionInPlane& region, const OverlapPoint& point,
                                         const FacingPoints& touch, double least) {
  const Vec3 e_A = edge_direction(region.patch_a, point.a);
  const Vec3 e_B = edge_direction(region.patch_b, point.b);
  const Vec3 across = (region.a.X_WS.q * e_A).cross(region.b.X_WS.q * e_B);
  if (across.norm() < least) return std::nullopt;
  const double sign = std::copysign(1.0, across.dot(region.plane.normal));
  return RegionPoint{
      EdgeEdge{touch.a.core, e_A, touch.b.core, e_B, sign, touch.a.radius, touch.b.radius}, false,
      make_id(touch.a.feature, touch.b.feature)};
}

RegionPoint name_nearest(const RegionInPlane& region) {
  const Feature surface{FeatureKind::Surface, 0};
  const Vec3 n_B = region.b.X_WS.q.conjugate() * region.plane.normal;
  return {Nearest{&region.a.convex, &region.b.convex, Pose{}, Pose{}, n_B}, false,
          make_id(surface, surface)};
}

RegionPoint name_edge_contact(const RegionInPlane& region, const OverlapPoint& point,
                              const FacingPoints& touch, bool alone) {
  const bool sharp = touch.a.roundness == Roundness::Sharp && touch.b.roundness == Roundness::Sharp;
  if (sharp && point.a.part == Part::Edge) return name_edges(region, point, touch);
  if (sharp) return name_degenerate(region, touch, point.a.part != Part::Corner);
  return alone ? name_alone(region, touch, point) : name_balls(region, touch);
}

}  // namespace carom::geometry
