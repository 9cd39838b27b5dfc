#include "carom/geometry/support_patch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::geometry {

namespace {

constexpr std::size_t kRimSamples = 8;  // carry the moments of a disc about any axis

// Faces within about a milliradian of the foremost one count as part of the same flat.
constexpr double kSameFacing = 1e-6;

template <typename T>
const T& item(const std::vector<T>& list, int i) {
  return list[static_cast<std::size_t>(i)];
}

struct Builder {
  const Placed& placed;
  const PatchQuery& query;
  Vec3 direction;  // in the shape's frame
  Patch& out;

  void add(const PatchPoint& point) {
    if (!out.corners.push(point)) return;
    out.outline.corners.push(query.plane.flat(placed.X_WS * point.surface));
  }
  void close(OutlineKind kind) { out.outline.kind = kind; }
};

void add_ball(Builder& at, const Vec3& center, double radius, Feature feature) {
  at.add({center + radius * at.direction, center, radius, Roundness::Ball, feature});
}

void build(Builder& at, const Sphere& sphere, const Feature&) {
  add_ball(at, Vec3::Zero(), sphere.radius, {FeatureKind::Surface, 0});
  at.close(OutlineKind::Point);
}

void build(Builder& at, const Capsule& capsule, const Feature&) {
  const Vec3 half(0, 0, capsule.length / 2);
  const double tilt = at.direction.z();
  const bool both = capsule.length * std::abs(tilt) <= at.query.slack;
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
void add_rim(Builder& at, double radius, double z, int index) {
  const Vec3 center(0, 0, z);
  at.add({center + radius * radial_part(at.direction),
          center,
          radius,
          Roundness::Rim,
          {FeatureKind::Edge, index}});
}

void build_disc(Builder& at, double radius, double z, int end) {
  for (std::size_t i = 0; i < kRimSamples; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / kRimSamples;
    const Vec3 p(radius * std::cos(angle), radius * std::sin(angle), z);
    const int index = end * static_cast<int>(kRimSamples) + static_cast<int>(i);
    at.add({p, p, 0, Roundness::Sharp, {FeatureKind::Vertex, index}});
  }
  at.out.faces.push({Vec3(0, 0, std::copysign(1.0, z)), std::abs(z), {FeatureKind::Face, end}});
  at.out.outline.center = at.query.plane.flat(at.placed.X_WS * Vec3(0, 0, z));
  at.out.outline.radius = radius;
  at.close(OutlineKind::Disc);
}

double across_axis(const Vec3& direction) { return std::hypot(direction.x(), direction.y()); }

void build(Builder& at, const Cylinder& cylinder, const Feature&) {
  const double tilt = at.direction.z(), half = cylinder.length / 2;
  const int top = tilt >= 0 ? 1 : 0;
  if (2 * cylinder.radius * across_axis(at.direction) <= at.query.slack) {
    return build_disc(at, cylinder.radius, top ? half : -half, top);
  }
  const bool both = cylinder.length * std::abs(tilt) <= at.query.slack;
  if (both || !top) add_rim(at, cylinder.radius, -half, 0);
  if (both || top) add_rim(at, cylinder.radius, half, 1);
  at.out.edges.push({FeatureKind::Surface, 0});
  at.close(both ? OutlineKind::Segment : OutlineKind::Point);
}

void build(Builder& at, const Cone& cone, const Feature&) {
  const double tilt = at.direction.z(), half = cone.length / 2;
  const double across = cone.radius * across_axis(at.direction);
  if (tilt < 0 && 2 * across <= at.query.slack) return build_disc(at, cone.radius, -half, 0);
  const double rim_ahead = across - cone.length * tilt;  // of the apex
  const bool both = std::abs(rim_ahead) <= at.query.slack;
  if (both || rim_ahead > 0) add_rim(at, cone.radius, -half, 0);
  const Vec3 apex(0, 0, half);
  if (both || rim_ahead <= 0) {
    at.add({apex, apex, 0, Roundness::Sharp, {FeatureKind::Vertex, 2 * kRimSamples}});
  }
  at.out.edges.push({FeatureKind::Surface, 0});
  at.close(both ? OutlineKind::Segment : OutlineKind::Point);
}

void build(Builder& at, const Ellipsoid& ellipsoid, const Feature&) {
  const Vec3 scaled = ellipsoid.radii.cwiseProduct(at.direction);
  const Vec3 foremost = ellipsoid.radii.cwiseProduct(scaled) / scaled.norm();
  at.add({foremost, Vec3::Zero(), 0, Roundness::Curved, {FeatureKind::Surface, 0}});
  at.close(OutlineKind::Point);
}

void build(Builder& at, const Plane& plane, const Feature&) {
  at.out.faces.push({plane.normal, plane.offset, {FeatureKind::Face, 0}});
  at.close(OutlineKind::Unbounded);
}

using VertexList = BoundedList<int, kMostCorners>;

bool holds(const VertexList& list, int vertex) {
  return std::find(list.begin(), list.end(), vertex) != list.end();
}

// The vertices down to a level below the foremost one hang together along edges. False if there
// are too many.
bool flood(const Polytope& polytope, const Vec3& direction, double level, VertexList& out) {
  for (std::size_t next = 0; next < out.size(); ++next) {
    for (const auto& neighbour : polytope.neighbours_of(out[next])) {
      if (direction.dot(item(polytope.vertices, neighbour.vertex)) < level) continue;
      if (!holds(out, neighbour.vertex) && !out.push(neighbour.vertex)) return false;
    }
  }
  return true;
}

void keep_farthest_out(const Builder& at, const Polytope& polytope, double level, VertexList& out) {
  out.clear();
  for (std::size_t k = 0; k < kMostCorners; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / kMostCorners;
    const Flat outward{std::cos(angle), std::sin(angle)};
    int best = -1;
    double farthest = -HUGE_VAL;
    for (int v = 0; v < static_cast<int>(polytope.vertices.size()); ++v) {
      if (at.direction.dot(item(polytope.vertices, v)) < level) continue;
      const Flat p = at.query.plane.flat(at.placed.X_WS * item(polytope.vertices, v));
      if (dot(outward, p) > farthest) farthest = dot(outward, p), best = v;
    }
    if (!holds(out, best)) out.push(best);
  }
}

bool has_face(const Patch& patch, int face) {
  return std::any_of(patch.faces.begin(), patch.faces.end(),
                     [&](const PatchFace& f) { return f.feature.index == face; });
}

template <typename Visit>
void visit_faces_around(const Polytope& polytope, int vertex, const Visit& visit) {
  for (const auto& neighbour : polytope.neighbours_of(vertex)) {
    visit(item(polytope.edges, neighbour.edge).left);
    visit(item(polytope.edges, neighbour.edge).right);
  }
}

void add_faces(Builder& at, const Polytope& polytope, const VertexList& vertices) {
  double best = -1;
  const auto facing = [&](int f) { return item(polytope.faces, f).normal.dot(at.direction); };
  for (const int v : vertices) {
    visit_faces_around(polytope, v, [&](int f) { best = std::max(best, facing(f)); });
  }
  for (const int v : vertices) {
    visit_faces_around(polytope, v, [&](int f) {
      if (facing(f) < best - kSameFacing || has_face(at.out, f)) return;
      const Polytope::Face& face = item(polytope.faces, f);
      at.out.faces.push({face.normal, face.offset, {FeatureKind::Face, f}});
    });
  }
}

void add_leaning_faces(const Builder& at, const Polytope& polytope, VertexList& vertices) {
  const double lean = std::max(at.query.lean, 0.0);
  for (std::size_t i = 0, n = vertices.size(); i < n; ++i) {
    visit_faces_around(polytope, vertices[i], [&](int f) {
      const Vec3& normal = item(polytope.faces, f).normal;
      if (normal.dot(at.direction) < 0 || normal.cross(at.direction).norm() > lean) return;
      for (const int corner : polytope.corners_of(f)) {
        if (!holds(vertices, corner)) vertices.push(corner);
      }
    });
  }
}

// The edge between two vertices; where the hull of a patch leaves the edges, a number past them.
int edge_between(const Polytope& polytope, int from, int to) {
  for (const auto& neighbour : polytope.neighbours_of(from)) {
    if (neighbour.vertex == to) return neighbour.edge;
  }
  return static_cast<int>(polytope.edges.size()) + from;
}

void add_hull(Builder& at, const Polytope& polytope, const VertexList& vertices) {
  BoundedList<Flat, kMostCorners> flats;
  for (const int v : vertices) {
    flats.push(at.query.plane.flat(at.placed.X_WS * item(polytope.vertices, v)));
  }
  HullOrder order;
  find_hull(flats, at.query.near, order);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int v = vertices[order[i]], next = vertices[order[(i + 1) % order.size()]];
    const Vec3& p = item(polytope.vertices, v);
    at.add({p, p, 0, Roundness::Sharp, {FeatureKind::Vertex, v}});
    at.out.edges.push({FeatureKind::Edge, edge_between(polytope, v, next)});
  }
  at.close(order.size() == 1   ? OutlineKind::Point
           : order.size() == 2 ? OutlineKind::Segment
                               : OutlineKind::Polygon);
}

void build_polytope(Builder& at, const Polytope& polytope, const Feature& start) {
  VertexList vertices;
  vertices.push(climb(polytope, at.direction, start));
  const double level = at.direction.dot(item(polytope.vertices, vertices[0])) - at.query.slack;
  if (flood(polytope, at.direction, level, vertices)) {
    add_leaning_faces(at, polytope, vertices);
  } else {
    keep_farthest_out(at, polytope, level, vertices);
  }
  add_hull(at, polytope, vertices);
  if (at.out.outline.kind == OutlineKind::Polygon) add_faces(at, polytope, vertices);
}

void build(Builder& at, const Box&, const Feature& start) {
  build_polytope(at, *at.placed.convex.polytope, start);
}
void build(Builder& at, const Hull&, const Feature& start) {
  build_polytope(at, *at.placed.convex.polytope, start);
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

int first_vertex(const Polytope& polytope, const Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::Vertex:
      return feature.index;
    case FeatureKind::Edge:
      return item(polytope.edges, feature.index).from;
    case FeatureKind::Face:
      return polytope.corners_of(feature.index)[0];
    case FeatureKind::Surface:
      return 0;
  }
  return 0;
}

int climb(const Polytope& polytope, const Vec3& direction, const Feature& start) {
  int best = first_vertex(polytope, start);
  double height = direction.dot(item(polytope.vertices, best));
  for (std::size_t step = 0; step < polytope.vertices.size(); ++step) {  // each one is higher
    const int from = best;
    for (const auto& neighbour : polytope.neighbours_of(from)) {
      const double other = direction.dot(item(polytope.vertices, neighbour.vertex));
      if (other > height) height = other, best = neighbour.vertex;
    }
    if (best == from) break;
  }
  return best;
}

double compute_extent(const Placed& placed, const Vec3& direction, const Feature& start) {
  const Vec3 d = placed.X_WS.q.conjugate() * direction;
  const double from_origin = direction.dot(placed.X_WS.p);
  const auto extent = [&](const auto& shape) {
    if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, Hull>) {
      const Polytope& polytope = *placed.convex.polytope;
      return d.dot(item(polytope.vertices, climb(polytope, d, start)));
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
  Builder at{placed, query, placed.X_WS.q.conjugate() * query.direction, out};
  std::visit([&](const auto& shape) { build(at, shape, start); }, placed.convex.shape);
}

}  // namespace carom::geometry
