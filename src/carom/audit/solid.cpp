#include "carom/audit/solid.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "carom/base/check.h"
#include "carom/geometry/shapes/mesh.h"

namespace carom::audit {

namespace {

using namespace geometry;

Vec3 support(const Sphere& s, const Vec3& d) { return s.radius * d; }
Vec3 support(const Box& b, const Vec3& d) {
  return {std::copysign(b.half.x(), d.x()), std::copysign(b.half.y(), d.y()),
          std::copysign(b.half.z(), d.z())};
}
Vec3 support(const Capsule& c, const Vec3& d) {
  return c.radius * d + Vec3(0, 0, std::copysign(0.5 * c.length, d.z()));
}
// The farthest point of a horizontal circle about the axis.
Vec3 rim(double radius, double z, const Vec3& d) {
  constexpr double kNothing = 1e-300;  // a square below it has lost digits
  const double square = d.x() * d.x() + d.y() * d.y();
  if (square < kNothing) return {radius, 0, z};
  const double across = std::sqrt(square);
  return {radius * d.x() / across, radius * d.y() / across, z};
}
Vec3 support(const Cylinder& c, const Vec3& d) {
  return rim(c.radius, std::copysign(0.5 * c.length, d.z()), d);
}
Vec3 support(const Cone& c, const Vec3& d) {
  const Vec3 apex(0, 0, 0.5 * c.length);
  const Vec3 base = rim(c.radius, -0.5 * c.length, d);
  return d.dot(apex) > d.dot(base) ? apex : base;
}
Vec3 support(const Ellipsoid& e, const Vec3& d) {
  const Vec3 scaled = e.radii.cwiseProduct(d);
  return e.radii.cwiseProduct(scaled) / scaled.norm();
}
Vec3 support(const Hull& hull, const Vec3& d) {
  const Vec3* farthest = hull.polyhedron->vertices.data();
  double height = d.dot(*farthest);
  for (const Vec3& vertex : hull.polyhedron->vertices) {
    const double h = d.dot(vertex);
    if (h <= height) continue;
    height = h;
    farthest = &vertex;
  }
  return *farthest;
}
Vec3 support(const Plane&, const Vec3&) {
  base::check(false, "a plane has no farthest point");
  return {};
}
Vec3 support(const Mesh&, const Vec3&) {
  base::check(false, "a mesh is judged triangle by triangle");
  return {};
}

Polyhedron make_box_polyhedron(const Box& box) {
  Polyhedron p;
  for (int i = 0; i < 8; ++i) {
    const Vec3 sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    p.vertices.push_back(sign.cwiseProduct(box.half));
  }
  p.facets = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return p;
}

Face make_face(const Polyhedron& p, const std::vector<int>& loop) {
  const Vec3& a = p.vertices[loop[0]];
  Vec3 area = Vec3::Zero();
  for (std::size_t i = 2; i < loop.size(); ++i) {
    area += (p.vertices[loop[i - 1]] - a).cross(p.vertices[loop[i]] - a);
  }
  const Vec3 normal = area.normalized();
  double offset = normal.dot(a);
  for (const int i : loop) offset = std::max(offset, normal.dot(p.vertices[i]));
  return {normal, offset};
}

Edge make_edge(const Vec3& from, const Vec3& to, const Vec3& normal_a, const Vec3& normal_b) {
  const Vec3 direction = (to - from).normalized();
  if (direction.dot(normal_b.cross(normal_a)) < 0) return {from, -direction, normal_a, normal_b};
  return {from, direction, normal_a, normal_b};
}

Polytope make_polytope(const Polyhedron& p) {
  Polytope polytope{p.vertices, {}, {}};
  std::map<std::pair<int, int>, Vec3> open;  // edges seen once, with the normal of their face
  for (const std::vector<int>& loop : p.facets) {
    const Face face = make_face(p, loop);
    polytope.faces.push_back(face);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const auto [from, to] = std::minmax(loop[i], loop[(i + 1) % loop.size()]);
      const auto [other, first_time] = open.try_emplace({from, to}, face.normal);
      if (first_time) continue;
      polytope.edges.push_back(
          make_edge(p.vertices[from], p.vertices[to], other->second, face.normal));
    }
  }
  return polytope;
}

void find_core(Solid& solid) {
  if (const Sphere* sphere = std::get_if<Sphere>(&solid.shape)) {
    solid.core = {Vec3::Zero()};
    solid.rounding = sphere->radius;
  } else if (const Capsule* capsule = std::get_if<Capsule>(&solid.shape)) {
    solid.core = {Vec3(0, 0, 0.5 * capsule->length), Vec3(0, 0, -0.5 * capsule->length)};
    solid.rounding = capsule->radius;
  } else if (solid.polytope) {
    solid.core = solid.polytope->vertices;
  }
}

Solid make_bare_solid(const Shape& shape, const Pose& X_BS) {
  Solid solid{.shape = shape, .X_BS = X_BS, .polytope = {}, .core = {}, .axis = {}};
  solid.radius = bounding_radius(shape);
  solid.reach = X_BS.p.norm() + solid.radius;
  solid.lever = solid.is_sphere() ? X_BS.p.norm() : solid.reach;
  solid.size = solid.radius;
  return solid;
}

// A prism without height: the normals at an edge go from the front over the rim to the back.
Polytope make_flat_polytope(const std::vector<Vec3>& corners, const Vec3& normal) {
  Polytope polytope{corners, {{normal, normal.dot(corners[0])}}, {}};
  polytope.faces.push_back({-normal, -normal.dot(corners[0])});
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &from = corners[i], &to = corners[(i + 1) % 3];
    const Vec3 rim = (to - from).cross(normal).normalized();
    polytope.faces.push_back({rim, rim.dot(from)});
    polytope.edges.push_back(make_edge(from, to, normal, rim));
    polytope.edges.push_back(make_edge(from, to, rim, -normal));
  }
  return polytope;
}

// About the triangle's middle, so that balls around the solids tell most of them apart.
Solid make_triangle_solid(const TriangleMesh& mesh, std::size_t triangle, const Pose& X_BM) {
  auto flat = std::make_shared<Polyhedron>();
  Vec3 middle = Vec3::Zero();
  for (const std::int32_t vertex : mesh.triangles[triangle]) {
    flat->vertices.push_back(mesh.vertices[vertex]);
    middle += mesh.vertices[vertex] / 3;
  }
  for (Vec3& corner : flat->vertices) corner -= middle;
  flat->facets = {{0, 1, 2}, {0, 2, 1}};
  Solid solid = make_bare_solid(Hull{flat}, X_BM * Pose{middle, Quat::Identity()});
  const Vec3 along = flat->vertices[1] - flat->vertices[0];
  const Vec3 area = along.cross(flat->vertices[2] - flat->vertices[0]);
  solid.polytope = make_flat_polytope(flat->vertices, area.normalized());
  find_core(solid);
  solid.is_triangle = true;
  return solid;
}

}  // namespace

void append_solids(const model::PlacedShape& placed, std::vector<Solid>& solids) {
  if (const Mesh* mesh = std::get_if<Mesh>(&placed.shape)) {
    const double size = bounding_radius(placed.shape);
    for (std::size_t t = 0; t < mesh->surface->triangles.size(); ++t) {
      solids.push_back(make_triangle_solid(*mesh->surface, t, placed.X_BS));
      solids.back().size = size;
      solids.back().material = placed.material;
    }
  } else {
    solids.push_back(make_solid(placed));
  }
}

Solid make_solid(const model::PlacedShape& placed) {
  Solid solid = make_bare_solid(placed.shape, placed.X_BS);
  solid.material = placed.material;
  if (const Box* box = std::get_if<Box>(&placed.shape)) {
    solid.polytope = make_polytope(make_box_polyhedron(*box));
  }
  if (const Hull* hull = std::get_if<Hull>(&placed.shape)) {
    solid.polytope = make_polytope(*hull->polyhedron);
  }
  find_core(solid);
  return solid;
}

std::optional<Vec3> find_axis(const model::Body& body, const Solid& solid) {
  constexpr double kSlack = 1e-12;
  const Shape& shape = solid.shape;
  const bool revolves = std::holds_alternative<Cylinder>(shape) ||
                        std::holds_alternative<Capsule>(shape) ||
                        std::holds_alternative<Cone>(shape);
  if (!revolves) return std::nullopt;
  Vec3 e = solid.X_BS.q * Vec3::UnitZ();
  if (e.cross(solid.X_BS.p).norm() > kSlack * solid.radius) return std::nullopt;
  if (!body.is_dynamic()) return e;
  const double along = e.dot(body.inertia * e), across = (body.inertia.trace() - along) / 2;
  const Mat3 symmetric = across * Mat3::Identity() + (along - across) * e * e.transpose();
  if ((body.inertia - symmetric).norm() > kSlack * body.inertia.norm()) return std::nullopt;
  return e;
}

Vec3 snap_to_face(const Solid& solid, const Vec3& d) {
  constexpr double kNear = 0.01;  // rad
  Vec3 nearest = d;
  double apart = kNear;
  const auto consider = [&](const Vec3& normal) {
    const double angle = (normal - d).norm();
    if (angle >= apart) return;
    apart = angle;
    nearest = normal;
  };
  visit_faces(solid, consider);
  return nearest;
}

Vec3 support_point(const Solid& solid, const Vec3& d) {
  return std::visit([&d](const auto& s) { return support(s, d); }, solid.shape);
}

}  // namespace carom::audit
