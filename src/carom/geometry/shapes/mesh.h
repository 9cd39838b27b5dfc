// A surface of triangles with its adjacency: which triangles meet at an edge and how, and which
// ones lie around a vertex, so that a contact with one triangle can be given a normal that the
// surface as a whole has. Made once; queries neither change it nor allocate beyond what they
// return.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/geometry/broad_phase/box_tree.h"

namespace carom::geometry {

using Triangle = std::array<std::int32_t, 3>;  // vertices, counter-clockwise from outside

enum class EdgeKind { Boundary, Convex, Flat, Concave };

struct TriangleMesh {
  struct Edge {
    std::int32_t from, to;  // vertices
    std::int32_t left,
        right;  // triangles: left runs from → to, right back; right is -1 at a boundary
    EdgeKind kind;
    Vec3 direction;  // unit, from → to
  };

  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;  // neighbours of the list are neighbours in space
  std::vector<Vec3> normals;        // unit, one per triangle
  std::vector<Edge> edges;
  std::vector<std::array<std::int32_t, 3>> triangle_edges;  // from each corner to the next
  std::vector<std::int32_t> around;        // triangles at a vertex, vertex by vertex
  std::vector<std::int32_t> first_around;  // one per vertex, and the end
  BoxTree tree;                            // over the triangles
  bool closed = false;                     // no edge is a boundary

  const Vec3& corner(std::int32_t triangle, int k) const;
  std::span<const std::int32_t> triangles_around(std::int32_t vertex) const;
};

// Equal vertices become one; triangles that then have fewer than three corners are dropped, and the
// rest are listed along a curve through space.
struct MeshResult {
  std::shared_ptr<const TriangleMesh> mesh;  // null if there is a problem
  std::string problem;  // a triangle without area, or triangles that do not make up a surface
};
MeshResult make_triangle_mesh(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

// The triangles whose boxes overlap the box, ascending.
void find_triangles(const TriangleMesh& mesh, const Box3& box, std::vector<std::int32_t>& out);

// How often a closed surface winds about a point: 1 inside, 0 outside, if it does not cut itself.
// Exact up to round-off, from the solid angles of all triangles.
double compute_winding_number(const TriangleMesh& mesh, const Vec3& point);

double compute_volume(const TriangleMesh& closed);  // negative when it faces inwards

}  // namespace carom::geometry
