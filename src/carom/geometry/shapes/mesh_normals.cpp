#include "carom/geometry/shapes/mesh_normals.h"

#include <cmath>
#include <numbers>

namespace carom::geometry {

namespace {

constexpr double kConeTolerance = 1e-9;  // rad

const Vec3& normal_of(const TriangleMesh& mesh, std::int32_t triangle) {
  return mesh.normals[static_cast<std::size_t>(triangle)];
}

// The nearest direction of the arc that starts at the unit vector `start` and turns by `sweep`
// about the unit axis square to it.
Vec3 nearest_on_arc(const Vec3& start, const Vec3& axis, double sweep, const Vec3& n) {
  const Vec3 side = axis.cross(start);
  const double x = n.dot(start), y = n.dot(side);
  const double angle = std::atan2(y, x);  // in (-π, π]
  if (angle >= 0 && angle <= sweep) {
    const double length = std::hypot(x, y);
    return length > 0 ? Vec3((x * start + y * side) / length) : start;
  }
  const double past_end = angle < 0 ? angle + 2 * std::numbers::pi - sweep : angle - sweep;
  const double before_start = angle < 0 ? -angle : 2 * std::numbers::pi - angle;
  if (before_start <= past_end) return start;
  return std::cos(sweep) * start + std::sin(sweep) * side;
}

Vec3 allowed_at_edge(const TriangleMesh& mesh, const TriangleMesh::Edge& edge, const Vec3& n) {
  const Vec3& left = normal_of(mesh, edge.left);
  if (edge.kind == EdgeKind::Boundary) {
    return nearest_on_arc(left, edge.direction, std::numbers::pi, n);
  }
  const Vec3& right = normal_of(mesh, edge.right);
  if (edge.kind != EdgeKind::Convex) return n.dot(right) > n.dot(left) ? right : left;
  const double sine = edge.direction.dot(left.cross(right));
  const double sweep = std::atan2(std::max(sine, 0.0), left.dot(right));
  return nearest_on_arc(left, edge.direction, sweep, n);
}

int corner_at(const TriangleMesh& mesh, std::int32_t triangle, std::int32_t vertex) {
  const Triangle& corners = mesh.triangles[static_cast<std::size_t>(triangle)];
  return corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : 2;
}

// Whether every edge at the vertex falls away from n and the surface turns its front to it: the
// corners around the vertex, seen against n, then run counter-clockwise.
bool is_normal_at(const TriangleMesh& mesh, std::int32_t vertex, const Vec3& n) {
  double turning = 0;
  for (const std::int32_t triangle : mesh.triangles_around(vertex)) {
    const int k = corner_at(mesh, triangle, vertex);
    const Vec3& p = mesh.corner(triangle, k);
    const Vec3 next = (mesh.corner(triangle, (k + 1) % 3) - p).normalized();
    const Vec3 previous = (mesh.corner(triangle, (k + 2) % 3) - p).normalized();
    if (n.dot(next) > kConeTolerance || n.dot(previous) > kConeTolerance) return false;
    turning += n.dot(next.cross(previous));
  }
  return turning > 0;
}

Vec3 allowed_at_vertex(const TriangleMesh& mesh, std::int32_t vertex, const Vec3& n) {
  if (is_normal_at(mesh, vertex, n)) return n;
  Vec3 nearest = normal_of(mesh, mesh.triangles_around(vertex).front());
  for (const std::int32_t triangle : mesh.triangles_around(vertex)) {
    const auto k = static_cast<std::size_t>(corner_at(mesh, triangle, vertex));
    const auto& edges = mesh.triangle_edges[static_cast<std::size_t>(triangle)];
    for (const std::size_t side : {k, (k + 2) % 3}) {
      const auto& edge = mesh.edges[static_cast<std::size_t>(edges[side])];
      const Vec3 allowed = allowed_at_edge(mesh, edge, n);
      if (n.dot(allowed) > n.dot(nearest)) nearest = allowed;
    }
  }
  return nearest;
}

}  // namespace

Vec3 allowed_normal(const TriangleMesh& mesh, std::int32_t triangle, const TriangleFeature& feature,
                    const Vec3& n) {
  const auto t = static_cast<std::size_t>(triangle);
  const auto k = static_cast<std::size_t>(feature.corner);
  switch (feature.kind) {
    case TriangleFeature::Kind::Vertex:
      return allowed_at_vertex(mesh, mesh.triangles[t][k], n);
    case TriangleFeature::Kind::Edge:
      return allowed_at_edge(mesh, mesh.edges[static_cast<std::size_t>(mesh.triangle_edges[t][k])],
                             n);
    case TriangleFeature::Kind::Face:
      break;
  }
  return mesh.normals[t];
}

}  // namespace carom::geometry
