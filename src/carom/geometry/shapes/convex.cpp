#include "carom/geometry/shapes/convex.h"

#include <algorithm>
#include <map>

#include "carom/base/check.h"
#include "carom/geometry/shapes/mesh.h"

namespace carom::geometry {

namespace {

Polyhedron make_cuboid(const Box& box) {
  Polyhedron cuboid;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    cuboid.vertices.push_back(sign.cwiseProduct(box.half));
  }
  cuboid.facets = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return cuboid;
}

// Twice the vector area of the loop: Newell's rule, which averages over loops that are not quite
// flat.
Vec3 area_vector(const std::vector<Vec3>& vertices, std::span<const int> loop) {
  const Vec3& origin = vertices[static_cast<std::size_t>(loop[0])];
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    sum += (vertices[static_cast<std::size_t>(loop[i])] - origin)
               .cross(vertices[static_cast<std::size_t>(loop[i + 1])] - origin);
  }
  return sum;
}

void add_faces(const Polyhedron& polyhedron, Polytope& out) {
  for (const auto& loop : polyhedron.facets) {
    Polytope::Face face{area_vector(out.vertices, loop).normalized(), -HUGE_VAL,
                        static_cast<int>(out.corners.size()), static_cast<int>(loop.size())};
    for (const Vec3& vertex : out.vertices) {
      face.offset = std::max(face.offset, face.normal.dot(vertex));
    }
    out.faces.push_back(face);
    out.corners.insert(out.corners.end(), loop.begin(), loop.end());
  }
}

// The edge of loop position k, seen first from the face that is its left.
void add_edges(Polytope& out) {
  std::map<std::pair<int, int>, int> edge_of;  // by its smaller and larger vertex
  out.corner_edges.resize(out.corners.size());
  for (int f = 0; f < static_cast<int>(out.faces.size()); ++f) {
    const auto loop = out.corners_of(f);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int from = loop[k], to = loop[(k + 1) % loop.size()];
      const auto [found, is_new] =
          edge_of.try_emplace(std::minmax(from, to), static_cast<int>(out.edges.size()));
      if (is_new) {
        const Vec3 along = out.vertices[static_cast<std::size_t>(to)] -
                           out.vertices[static_cast<std::size_t>(from)];
        out.edges.push_back({from, to, f, -1, along.normalized()});
      } else {
        out.edges[static_cast<std::size_t>(found->second)].right = f;
      }
      out.corner_edges[static_cast<std::size_t>(out.faces[static_cast<std::size_t>(f)].first) + k] =
          found->second;
    }
  }
  for (const Polytope::Edge& edge : out.edges) {
    base::check(edge.right >= 0, "the faces of a polytope close its surface");
  }
}

void add_neighbours(Polytope& out) {
  std::vector<std::vector<Polytope::Neighbour>> of(out.vertices.size());
  for (int e = 0; e < static_cast<int>(out.edges.size()); ++e) {
    const Polytope::Edge& edge = out.edges[static_cast<std::size_t>(e)];
    of[static_cast<std::size_t>(edge.from)].push_back({edge.to, e});
    of[static_cast<std::size_t>(edge.to)].push_back({edge.from, e});
  }
  for (const auto& list : of) {
    out.first_neighbour.push_back(static_cast<int>(out.neighbours.size()));
    out.neighbours.insert(out.neighbours.end(), list.begin(), list.end());
  }
  out.first_neighbour.push_back(static_cast<int>(out.neighbours.size()));
}

Polytope make_point(const Vec3& point) {
  Polytope out;
  out.vertices = {point};
  add_neighbours(out);
  return out;
}

// Along z, between -half and half. Its edge has no faces.
Polytope make_segment(double half) {
  Polytope out;
  out.vertices = {-half * Vec3::UnitZ(), half * Vec3::UnitZ()};
  out.edges.push_back({0, 1, -1, -1, Vec3::UnitZ()});
  add_neighbours(out);
  return out;
}

template <typename T>
std::span<const T> part(const std::vector<T>& all, int first, int count) {
  return std::span(all).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

}  // namespace

std::span<const int> Polytope::corners_of(int face) const {
  const Face& f = faces[static_cast<std::size_t>(face)];
  return part(corners, f.first, f.count);
}

std::span<const int> Polytope::edges_of(int face) const {
  const Face& f = faces[static_cast<std::size_t>(face)];
  return part(corner_edges, f.first, f.count);
}

std::span<const Polytope::Neighbour> Polytope::neighbours_of(int vertex) const {
  const int first = first_neighbour[static_cast<std::size_t>(vertex)];
  return part(neighbours, first, first_neighbour[static_cast<std::size_t>(vertex) + 1] - first);
}

Polytope make_polytope(const Polyhedron& polyhedron) {
  Polytope out;
  out.vertices = polyhedron.vertices;
  add_faces(polyhedron, out);
  add_edges(out);
  add_neighbours(out);
  return out;
}

double core_radius(const Convex& convex) {
  if (const Sphere* sphere = std::get_if<Sphere>(&convex.shape)) return sphere->radius;
  if (const Capsule* capsule = std::get_if<Capsule>(&convex.shape)) return capsule->radius;
  return 0;
}

Convex make_convex(const Shape& shape) {
  Convex convex{.shape = as_convex(shape), .radius = bounding_radius(shape)};
  if (const Box* box = std::get_if<Box>(&shape)) {
    convex.polytope = std::make_shared<const Polytope>(make_polytope(make_cuboid(*box)));
  } else if (const Hull* hull = std::get_if<Hull>(&shape)) {
    convex.polytope = std::make_shared<const Polytope>(make_polytope(*hull->polyhedron));
  }
  convex.core = convex.polytope;
  if (std::holds_alternative<Sphere>(shape)) {
    convex.core = std::make_shared<const Polytope>(make_point(Vec3::Zero()));
  } else if (const Capsule* capsule = std::get_if<Capsule>(&shape)) {
    convex.core = std::make_shared<const Polytope>(make_segment(0.5 * capsule->length));
  }
  return convex;
}

Convex make_convex_triangle(const std::shared_ptr<const TriangleMesh>& surface,
                            std::int32_t triangle) {
  auto flat = std::make_shared<Polyhedron>();
  for (int k = 0; k < 3; ++k) flat->vertices.push_back(surface->corner(triangle, k));
  flat->facets = {{0, 1, 2}, {0, 2, 1}};
  Convex convex = make_convex(Hull{flat});
  convex.surface = surface;
  convex.triangle = triangle;
  return convex;
}

}  // namespace carom::geometry
