#include "carom/geometry/shapes/support_patch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/shapes/patch_builder.h"

namespace carom::geometry {

namespace {

constexpr std::size_t kRimSamples = 8;  // carry the moments of a disc about any axis

void add_ball(PatchBuilder& at, const Vec3& center, double radius, Feature feature) {
  at.add({center + radius * at.direction, center, radius, Roundness::Ball, feature});
}

void build(PatchBuilder& at, const Sphere& sphere, const Feature&) {
  add_ball(at, Vec3::Zero(), sphere.radius, {FeatureKind::Surface, 0});
  at.close(OutlineKind::Point);
}

void build(PatchBuilder& at, const Capsule& capsule, const Feature&) {
  const Vec3 half(0, 0, capsule.length / 2);
  const double tilt = at.direction.z();
  const bool both = capsule.length * std::abs(tilt) <= at.query.line_slack;
  if (both || tilt < 0) add_ball(at, -half, capsule.radius, {FeatureKind::Vertex, 0});
  if (both || tilt >= 0) add_ball(at, half, capsule.radius, {FeatureKind::Vertex, 1});
  at.out.edges.push({FeatureKind::Edge, 0});
  at.close(both ? OutlineKind::Segment : OutlineKind::Point);
}

Vec3 radial_part(const Vec3& direction) {
  const double across = std::hypot(direction.x(), direction.y());
  return across > 0 ? Vec3(direction.x() / across, direction.y() / across, 0) : Vec3(Vec3::UnitX());
}

// The rim of the end at height z, as circle `index`.
void add_rim(PatchBuilder& at, double radius, double z, int index) {
  const Vec3 center(0, 0, z);
  at.add({center + radius * radial_part(at.direction),
          center,
          radius,
          Roundness::Rim,
          {FeatureKind::Edge, index}});
}

// Counted from the direction `first`, a unit vector across the axis.
Vec3 rim_sample(double radius, double z, const Vec3& first, std::size_t i) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(i) / kRimSamples;
  const Vec3 second(-first.y(), first.x(), 0);
  return radius * (std::cos(angle) * first + std::sin(angle) * second) + Vec3(0, 0, z);
}

// A disc that leans is no disc in the plane: then its samples are corners of a polygon there, the
// first of them its foremost point, on which it rolls.
void build_disc(PatchBuilder& at, double radius, double z, int end) {
  const bool turns_with_plane = (z > 0) == (at.query.direction.dot(at.query.plane.normal) > 0);
  const Vec3 first = at.query.leaning ? radial_part(at.direction) : Vec3(Vec3::UnitX());
  for (std::size_t k = 0; k < kRimSamples; ++k) {
    const std::size_t i = turns_with_plane ? k : kRimSamples - 1 - k;
    const Vec3 p = rim_sample(radius, z, first, i);
    const int index = end * static_cast<int>(kRimSamples) + static_cast<int>(i);
    at.add({p, p, 0, Roundness::Sharp, {FeatureKind::Vertex, index}});
    at.out.edges.push({FeatureKind::Edge, 2 + index});
  }
  at.out.faces.push({Vec3(0, 0, std::copysign(1.0, z)), std::abs(z), {FeatureKind::Face, end}});
  at.out.outline.center = at.query.plane.flat(at.placed.X_WS * Vec3(0, 0, z));
  at.out.outline.radius = radius;
  at.close(at.query.leaning ? OutlineKind::Polygon : OutlineKind::Disc);
}

double across_axis(const Vec3& direction) { return std::hypot(direction.x(), direction.y()); }

void build(PatchBuilder& at, const Cylinder& cylinder, const Feature&) {
  const double tilt = at.direction.z(), half = cylinder.length / 2;
  const int top = tilt >= 0 ? 1 : 0;
  if (2 * cylinder.radius * across_axis(at.direction) <= at.query.disc_slack) {
    return build_disc(at, cylinder.radius, top ? half : -half, top);
  }
  const bool both = cylinder.length * std::abs(tilt) <= at.query.line_slack;
  if (both || !top) add_rim(at, cylinder.radius, -half, 0);
  if (both || top) add_rim(at, cylinder.radius, half, 1);
  at.out.edges.push({FeatureKind::Surface, 0});
  at.close(both ? OutlineKind::Segment : OutlineKind::Point);
}

void build(PatchBuilder& at, const Cone& cone, const Feature&) {
  const double tilt = at.direction.z(), half = cone.length / 2;
  const double across = cone.radius * across_axis(at.direction);
  if (tilt < 0 && 2 * across <= at.query.disc_slack) return build_disc(at, cone.radius, -half, 0);
  const double rim_ahead = across - cone.length * tilt;  // of the apex
  const bool both = std::abs(rim_ahead) <= at.query.line_slack;
  if (both || rim_ahead > 0) add_rim(at, cone.radius, -half, 0);
  const Vec3 apex(0, 0, half);
  if (both || rim_ahead <= 0) {
    at.add({apex, apex, 0, Roundness::Sharp, {FeatureKind::Vertex, 2 * kRimSamples}});
  }
  at.out.edges.push({FeatureKind::Surface, 0});
  at.close(both ? OutlineKind::Segment : OutlineKind::Point);
}

void build(PatchBuilder& at, const Ellipsoid& ellipsoid, const Feature&) {
  const Vec3 scaled = ellipsoid.radii.cwiseProduct(at.direction);
  const Vec3 foremost = ellipsoid.radii.cwiseProduct(scaled) / scaled.norm();
  at.add({foremost, Vec3::Zero(), 0, Roundness::Curved, {FeatureKind::Surface, 0}});
  at.close(OutlineKind::Point);
}

void build(PatchBuilder& at, const Plane& plane, const Feature&) {
  at.out.faces.push({plane.normal, plane.offset, {FeatureKind::Face, 0}});
  at.close(OutlineKind::Unbounded);
}

void build(PatchBuilder& at, const Box&, const Feature& start) {
  build_polytope_patch(at, *at.placed.convex.polytope, start);
}
void build(PatchBuilder& at, const Hull&, const Feature& start) {
  build_polytope_patch(at, *at.placed.convex.polytope, start);
}

double extent_of(const Sphere& sphere, const Vec3&) { return sphere.radius; }
double extent_of(const Capsule& capsule, const Vec3& d) {
  return capsule.radius + capsule.length / 2 * std::abs(d.z());
}
double extent_of(const Cylinder& cylinder, const Vec3& d) {
  return cylinder.radius * across_axis(d) + cylinder.length / 2 * std::abs(d.z());
}
double extent_of(const Cone& cone, const Vec3& d) {
  const double apex = cone.length / 2 * d.z();
  return std::max(apex, cone.radius * across_axis(d) - apex);
}
double extent_of(const Ellipsoid& ellipsoid, const Vec3& d) {
  return ellipsoid.radii.cwiseProduct(d).norm();
}
double extent_of(const Plane& plane, const Vec3&) { return plane.offset; }
double extent_of(const Box& box, const Vec3& d) { return box.half.dot(d.cwiseAbs()); }

}  // namespace

ContactPlane make_contact_plane(const Vec3& origin, const Vec3& normal) {
  const math::Tangents tangents = math::make_tangents(normal);
  return {origin, normal, tangents.first, tangents.second};
}

PatchPoint between(const PatchPoint& from, const PatchPoint& to, double along) {
  PatchPoint point = from.roundness == Roundness::Sharp ? to : from;
  const auto mix = [&](const Vec3& a, const Vec3& b) { return Vec3(a + along * (b - a)); };
  point.surface = mix(from.surface, to.surface);
  point.core = mix(from.core, to.core);
  point.radius = from.radius + along * (to.radius - from.radius);
  return point;
}

double compute_extent(const Placed& placed, const Vec3& direction, const Feature& start) {
  const Vec3 d = placed.X_WS.q.conjugate() * direction;
  const double from_origin = direction.dot(placed.X_WS.p);
  const auto extent = [&](const auto& shape) {
    if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, Hull>) {
      const Polytope& polytope = *placed.convex.polytope;
      return d.dot(polytope.vertices[climb(polytope, d, start)]);
    } else {
      return extent_of(shape, d);
    }
  };
  return from_origin + std::visit(extent, placed.convex.shape);
}

void find_patch(const Placed& placed, const PatchQuery& query, const Feature& start, Patch& out) {
  out.corners.clear();
  out.edges.clear();
  out.faces.clear();
  out.outline.corners.clear();
  PatchBuilder at{placed, query, placed.X_WS.q.conjugate() * query.direction, out};
  std::visit([&](const auto& shape) { build(at, shape, start); }, placed.convex.shape);
}

}  // namespace carom::geometry
