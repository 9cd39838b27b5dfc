#include "carom/geometry/regions/region_normal.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/shapes/support_patch.h"

namespace carom::geometry {

namespace {

constexpr double kNearby = 1e-2;  // rad; how far a distance's normal may be off
constexpr int kMostTurns = 64;    // towards both normal cones
constexpr std::size_t kMostDirections = 48;

using Directions = BoundedList<Vec3, kMostDirections>;

template <typename T>
const T& item(const std::vector<T>& list, int i) {
  return list[static_cast<std::size_t>(i)];
}

struct Side {
  const Placed& placed;
  const Feature& feature;
  double sign;  // of the region's normal, seen outward from this shape
};

struct Search {
  Side a, b;

  double separation(const Vec3& n) const {
    return -compute_extent(a.placed, -n, a.feature) - compute_extent(b.placed, n, b.feature);
  }
};

void add_normals(const Side&, const Sphere&, const Vec3&, Directions&) {}
void add_normals(const Side&, const Capsule&, const Vec3&, Directions&) {}
void add_normals(const Side&, const Ellipsoid&, const Vec3&, Directions&) {}
void add_normals(const Side&, const Plane& plane, const Vec3&, Directions& out) {
  out.push(plane.normal);
}
void add_normals(const Side&, const Cylinder&, const Vec3& d, Directions& out) {
  out.push(Vec3(0, 0, std::copysign(1.0, d.z())));
}
void add_normals(const Side&, const Cone&, const Vec3&, Directions& out) {
  out.push(-Vec3::UnitZ());
}

void add_vertex_normals(const Polytope& polytope, int vertex, Directions& out) {
  for (const auto& neighbour : polytope.neighbours_of(vertex)) {
    out.push(item(polytope.faces, item(polytope.edges, neighbour.edge).left).normal);
    out.push(item(polytope.faces, item(polytope.edges, neighbour.edge).right).normal);
  }
}

void add_polytope_normals(const Side& side, const Vec3& d, Directions& out) {
  const Polytope& polytope = *side.placed.convex.polytope;
  const int touching = first_vertex(polytope, side.feature);
  const int foremost = climb(polytope, d, side.feature);
  if (side.feature.kind == FeatureKind::Face) {
    out.push(item(polytope.faces, side.feature.index).normal);
  }
  add_vertex_normals(polytope, foremost, out);
  if (touching != foremost) add_vertex_normals(polytope, touching, out);
}
void add_normals(const Side& side, const Box&, const Vec3& d, Directions& out) {
  add_polytope_normals(side, d, out);
}
void add_normals(const Side& side, const Hull&, const Vec3& d, Directions& out) {
  add_polytope_normals(side, d, out);
}

void add_lines(const Side&, const Sphere&, const Vec3&, Directions&) {}
void add_lines(const Side&, const Ellipsoid&, const Vec3&, Directions&) {}
void add_lines(const Side&, const Plane&, const Vec3&, Directions&) {}
void add_lines(const Side&, const Capsule&, const Vec3&, Directions& out) {
  out.push(Vec3::UnitZ());
}
void add_lines(const Side&, const Cylinder&, const Vec3&, Directions& out) {
  out.push(Vec3::UnitZ());
}
void add_lines(const Side&, const Cone& cone, const Vec3& d, Directions& out) {
  const double across = std::hypot(d.x(), d.y());
  if (across <= 0) return;
  out.push(
      Vec3(-cone.radius * d.x() / across, -cone.radius * d.y() / across, cone.length).normalized());
}
void add_polytope_lines(const Side& side, const Vec3& d, Directions& out) {
  const Polytope& polytope = *side.placed.convex.polytope;
  for (const auto& neighbour : polytope.neighbours_of(climb(polytope, d, side.feature))) {
    out.push(item(polytope.edges, neighbour.edge).direction);
  }
}
void add_lines(const Side& side, const Box&, const Vec3& d, Directions& out) {
  add_polytope_lines(side, d, out);
}
void add_lines(const Side& side, const Hull&, const Vec3& d, Directions& out) {
  add_polytope_lines(side, d, out);
}

// Candidates of one shape for the region's normal n, world.
void find_normals(const Side& side, const Vec3& n, Directions& out) {
  out.clear();
  const Quat& q = side.placed.X_WS.q;
  const Vec3 d = q.conjugate() * (side.sign * n);
  std::visit([&](const auto& shape) { add_normals(side, shape, d, out); },
             side.placed.convex.shape);
  for (Vec3& v : out) v = side.sign * (q * v);
}

void find_lines(const Side& side, const Vec3& n, Directions& out) {
  out.clear();
  const Quat& q = side.placed.X_WS.q;
  const Vec3 d = q.conjugate() * (side.sign * n);
  std::visit([&](const auto& shape) { add_lines(side, shape, d, out); }, side.placed.convex.shape);
  for (Vec3& v : out) v = q * v;
}

// The best of the flat features' normals no farther than `within` from the given one.
RegionNormal find_flat_normal(const Search& search, const Vec3& given, double within) {
  RegionNormal best{given, -HUGE_VAL};
  Directions normals;
  for (const Side* side : {&search.b, &search.a}) {
    find_normals(*side, given, normals);
    for (const Vec3& n : normals) {
      if ((n - given).norm() > within) continue;
      const double separation = search.separation(n);
      if (separation > best.separation) best = {n, separation};
    }
  }
  return best;
}

// Turns the normal perpendicular to straight lines that are nearly so, where that parts the shapes
// no worse.
RegionNormal align_with_lines(const Search& search, RegionNormal normal, double tolerance) {
  Directions lines;
  for (const Side* side : {&search.a, &search.b}) {
    find_lines(*side, normal.normal, lines);
    for (const Vec3& line : lines) {
      const double along = line.dot(normal.normal);
      if (std::abs(along) > kNearby) continue;
      const Vec3 n = (normal.normal - along * line).normalized();
      const double separation = search.separation(n);
      if (separation >= normal.separation - tolerance / 8) normal = {n, separation};
    }
  }
  return normal;
}

// Directions from the touching point to the vertices around it, turned so that none of them may
// rise along the region's normal.
void add_rays(const Side& side, const Vec3& touching, Directions& out) {
  const Polytope* polytope = side.placed.convex.polytope.get();
  if (polytope == nullptr) return;
  for (const auto& neighbour : polytope->neighbours_of(first_vertex(*polytope, side.feature))) {
    const Vec3 ray = side.placed.X_WS * item(polytope->vertices, neighbour.vertex) - touching;
    if (ray.norm() > 0) out.push(side.sign * ray.normalized());
  }
}

Vec3 average_normal(const Search& search, const Vec3& given) {
  Vec3 sum = Vec3::Zero();
  Directions normals;
  for (const Side* side : {&search.a, &search.b}) {
    Vec3 own = Vec3::Zero();
    find_normals(*side, given, normals);
    for (const Vec3& face : normals) own += face;
    if (own.norm() > 0) sum += own.normalized();
  }
  return sum.norm() > kNearby ? Vec3(sum.normalized()) : given;
}

// Relaxation: the average is turned away from whichever ray rises most along it.
RegionNormal find_degenerate_normal(const Search& search, const Distance& distance,
                                    RegionNormal best) {
  Directions rays;
  add_rays(search.a, distance.p_A, rays);
  add_rays(search.b, distance.p_B, rays);
  Vec3 n = average_normal(search, best.normal);
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const double separation = search.separation(n);
    if (separation > best.separation) best = {n, separation};
    const Vec3* worst =
        std::max_element(rays.begin(), rays.end(),
                         [&](const Vec3& x, const Vec3& y) { return n.dot(x) < n.dot(y); });
    if (worst == rays.end() || n.dot(*worst) <= 0) break;
    n = (n - 1.5 * n.dot(*worst) * *worst).normalized();
  }
  return best;
}

const Plane* plane_of(const Side& side) { return std::get_if<Plane>(&side.placed.convex.shape); }

}  // namespace

RegionNormal find_region_normal(const Placed& a, const Placed& b, const Distance& distance,
                                double tolerance) {
  const Search search{{a, distance.feature_a, -1}, {b, distance.feature_b, 1}};
  for (const Side* side : {&search.a, &search.b}) {
    const Plane* plane = plane_of(*side);
    if (plane == nullptr) continue;
    const Vec3 n = side->sign * (side->placed.X_WS.q * plane->normal);
    return {n, search.separation(n)};
  }
  const RegionNormal given{distance.normal, search.separation(distance.normal)};
  const double wanted = std::max(given.separation, distance.value - tolerance / 2);
  RegionNormal flat = find_flat_normal(search, given.normal, kNearby);
  if (flat.separation >= wanted - tolerance / 2) return flat;
  RegionNormal aligned = align_with_lines(search, given, tolerance);
  if (aligned.separation >= distance.value - tolerance) return aligned;
  RegionNormal any_flat = find_flat_normal(search, given.normal, HUGE_VAL);
  if (any_flat.separation >= distance.value - tolerance) return any_flat;
  return find_degenerate_normal(search, distance, aligned);
}

}  // namespace carom::geometry
