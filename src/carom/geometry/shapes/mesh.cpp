#include "carom/geometry/shapes/mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <sstream>

#include "carom/geometry/broad_phase/spatial_order.h"

namespace carom::geometry {

namespace {

constexpr double kFlat = 1e-6;  // rad; a smaller angle between two triangles is none

// Thinner than this, relative to its longest edge, a triangle has no normal worth the name.
constexpr double kSliver = 1e-12;

std::string written(const Vec3& p) {
  std::ostringstream text;
  text << "(" << p.x() << ", " << p.y() << ", " << p.z() << ")";
  return text.str();
}

bool comes_before(const Vec3& a, const Vec3& b) {
  return std::tie(a.x(), a.y(), a.z()) < std::tie(b.x(), b.y(), b.z());
}

// Equal vertices become the first of them; `kept` receives the number of each.
std::vector<Vec3> weld(std::span<const Vec3> vertices, std::vector<std::int32_t>& kept) {
  std::vector<std::int32_t> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](std::int32_t i) -> const Vec3& {
    return vertices[static_cast<std::size_t>(i)];
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t i, std::int32_t j) { return comes_before(at(i), at(j)); });
  std::vector<std::int32_t> first(vertices.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool repeats = k > 0 && at(order[k]) == at(order[k - 1]);
    first[static_cast<std::size_t>(order[k])] =
        repeats ? first[static_cast<std::size_t>(order[k - 1])] : order[k];
  }
  std::vector<Vec3> welded;
  kept.resize(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto original = static_cast<std::size_t>(first[i]);
    if (original == i) {
      kept[i] = static_cast<std::int32_t>(welded.size());
      welded.push_back(vertices[i]);
    } else {
      kept[i] = kept[original];
    }
  }
  return welded;
}

Box3 box_around(const TriangleMesh& mesh, const Triangle& triangle) {
  Box3 box{mesh.vertices[static_cast<std::size_t>(triangle[0])],
           mesh.vertices[static_cast<std::size_t>(triangle[0])]};
  for (const std::int32_t vertex : triangle) {
    const Vec3& p = mesh.vertices[static_cast<std::size_t>(vertex)];
    box = {box.low.cwiseMin(p), box.high.cwiseMax(p)};
  }
  return box;
}

void set_triangles(TriangleMesh& mesh, std::span<const Triangle> triangles,
                   const std::vector<std::int32_t>& kept) {
  std::vector<Triangle> proper;
  for (const Triangle& given : triangles) {
    Triangle triangle;
    for (std::size_t k = 0; k < 3; ++k) triangle[k] = kept[static_cast<std::size_t>(given[k])];
    const auto [a, b, c] = triangle;
    if (a != b && b != c && c != a) proper.push_back(triangle);
  }
  std::vector<Box3> boxes;
  for (const Triangle& triangle : proper) boxes.push_back(box_around(mesh, triangle));
  SpatialOrder order;
  std::vector<Box3> ordered;
  for (const std::int32_t i : order.sort(boxes)) {
    mesh.triangles.push_back(proper[static_cast<std::size_t>(i)]);
    ordered.push_back(boxes[static_cast<std::size_t>(i)]);
  }
  mesh.tree.build(ordered);
}

std::string set_normals(TriangleMesh& mesh) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto i = static_cast<std::int32_t>(t);
    const Vec3 &a = mesh.corner(i, 0), &b = mesh.corner(i, 1), &c = mesh.corner(i, 2);
    const Vec3 area = (b - a).cross(c - a);
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    if (!(area.norm() > kSliver * longest * longest)) {
      return "a triangle without area at " + written(a) + ", " + written(b) + ", " + written(c);
    }
    mesh.normals.push_back(area.normalized());
  }
  return {};
}

// An edge is convex where its right triangle bends down from the left one's front.
EdgeKind kind_of(const TriangleMesh& mesh, const TriangleMesh::Edge& edge) {
  if (edge.right < 0) return EdgeKind::Boundary;
  const Vec3& left = mesh.normals[static_cast<std::size_t>(edge.left)];
  const Vec3& right = mesh.normals[static_cast<std::size_t>(edge.right)];
  const double angle = std::atan2(edge.direction.dot(left.cross(right)), left.dot(right));
  if (std::abs(angle) <= kFlat) return EdgeKind::Flat;
  return angle > 0 || angle <= kFlat - std::numbers::pi ? EdgeKind::Convex : EdgeKind::Concave;
}

std::string set_edges(TriangleMesh& mesh) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> known;  // by ascending vertices
  mesh.triangle_edges.resize(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
      const auto count = static_cast<std::int32_t>(mesh.edges.size());
      const auto [found, is_new] = known.try_emplace(std::minmax(from, to), count);
      mesh.triangle_edges[t][k] = found->second;
      const Vec3 &p = mesh.vertices[static_cast<std::size_t>(from)],
                 &q = mesh.vertices[static_cast<std::size_t>(to)];
      if (is_new) {
        mesh.edges.push_back(
            {from, to, static_cast<std::int32_t>(t), -1, EdgeKind::Boundary, (q - p).normalized()});
        continue;
      }
      TriangleMesh::Edge& edge = mesh.edges[static_cast<std::size_t>(found->second)];
      const std::string ends = " the edge from " + written(p) + " to " + written(q);
      if (edge.right >= 0) return "more than two triangles at" + ends;
      if (edge.from == from) return "two triangles that run the same way along" + ends;
      edge.right = static_cast<std::int32_t>(t);
    }
  }
  for (TriangleMesh::Edge& edge : mesh.edges) edge.kind = kind_of(mesh, edge);
  mesh.closed = std::none_of(mesh.edges.begin(), mesh.edges.end(),
                             [](const auto& edge) { return edge.right < 0; });
  return {};
}

void set_surroundings(TriangleMesh& mesh) {
  mesh.first_around.assign(mesh.vertices.size() + 1, 0);
  for (const Triangle& triangle : mesh.triangles) {
    for (const std::int32_t v : triangle) ++mesh.first_around[static_cast<std::size_t>(v) + 1];
  }
  std::partial_sum(mesh.first_around.begin(), mesh.first_around.end(), mesh.first_around.begin());
  std::vector<std::int32_t> next = mesh.first_around;
  mesh.around.resize(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const std::int32_t v : mesh.triangles[t]) {
      mesh.around[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] =
          static_cast<std::int32_t>(t);
    }
  }
}

// Twice the angle whose tangent this is: Van Oosterom & Strackee's solid angle of a triangle.
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double across = a.dot(b.cross(c));
  const double along = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2 * std::atan2(across, along);
}

}  // namespace

const Vec3& TriangleMesh::corner(std::int32_t triangle, int k) const {
  const Triangle& corners = triangles[static_cast<std::size_t>(triangle)];
  return vertices[static_cast<std::size_t>(corners[static_cast<std::size_t>(k)])];
}

std::span<const std::int32_t> TriangleMesh::triangles_around(std::int32_t vertex) const {
  const auto begin = static_cast<std::size_t>(first_around[static_cast<std::size_t>(vertex)]);
  const auto end = static_cast<std::size_t>(first_around[static_cast<std::size_t>(vertex) + 1]);
  return std::span(around).subspan(begin, end - begin);
}

MeshResult make_triangle_mesh(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  const auto finite = [](const Vec3& p) { return p.allFinite(); };
  if (!std::all_of(vertices.begin(), vertices.end(), finite)) {
    return {nullptr, "a coordinate that is not finite"};
  }
  auto mesh = std::make_shared<TriangleMesh>();
  std::vector<std::int32_t> kept;
  mesh->vertices = weld(vertices, kept);
  set_triangles(*mesh, triangles, kept);
  if (mesh->triangles.empty()) return {nullptr, "no triangles"};
  if (std::string problem = set_normals(*mesh); !problem.empty()) return {nullptr, problem};
  if (std::string problem = set_edges(*mesh); !problem.empty()) return {nullptr, problem};
  set_surroundings(*mesh);
  return {mesh, {}};
}

void find_triangles(const TriangleMesh& mesh, const Box3& box, std::vector<std::int32_t>& out) {
  out.clear();
  mesh.tree.visit_overlaps(box, [&](std::int32_t triangle) { out.push_back(triangle); });
}

double compute_volume(const TriangleMesh& closed) {
  const Vec3& origin = closed.vertices[0];
  double volume = 0;
  for (std::size_t t = 0; t < closed.triangles.size(); ++t) {
    const auto i = static_cast<std::int32_t>(t);
    const Vec3 a = closed.corner(i, 0) - origin, b = closed.corner(i, 1) - origin;
    volume += a.dot(b.cross(closed.corner(i, 2) - origin)) / 6;
  }
  return volume;
}

double compute_winding_number(const TriangleMesh& mesh, const Vec3& point) {
  double angle = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto i = static_cast<std::int32_t>(t);
    angle += solid_angle(mesh.corner(i, 0) - point, mesh.corner(i, 1) - point,
                         mesh.corner(i, 2) - point);
  }
  return angle / (4 * std::numbers::pi);
}

}  // namespace carom::geometry
