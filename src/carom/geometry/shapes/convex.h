// A convex shape made ready for queries, once: for boxes and hulls with faces, edges and who
// borders whom, so that a query can walk from where the last one ended.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carom/geometry/shapes/shape.h"

namespace carom::geometry {

// A convex polyhedron with its adjacency. Loops run counter-clockwise seen from outside; flat
// arrays keep a walk within a few cache lines.
struct Polytope {
  struct Face {
    Vec3 normal;       // unit, outward
    double offset;     // the largest normal·x over all vertices
    int first, count;  // its loop: corners[first] … corners[first + count - 1]
  };
  struct Edge {
    int from, to;     // vertices
    int left, right;  // faces; seen from outside `left` runs from → to
    Vec3 direction;   // unit, from → to
  };
  struct Neighbour {
    int vertex, edge;
  };

  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<int> corners;           // vertices, loop by loop
  std::vector<int> corner_edges;      // the edge from each corner to the next of its loop
  std::vector<Neighbour> neighbours;  // vertex by vertex
  std::vector<int> first_neighbour;   // one per vertex, and the end

  std::span<const int> corners_of(int face) const;
  std::span<const int> edges_of(int face) const;
  std::span<const Neighbour> neighbours_of(int vertex) const;
};

// From vertices and face loops that close a convex surface; a triangle with a front and a back
// will do.
Polytope make_polytope(const Polyhedron& polyhedron);

struct Convex {
  ConvexShape shape{};
  std::shared_ptr<const Polytope> polytope{};  // of boxes and hulls, else null
  // The polytope around which a ball rolls to make the shape: of spheres a point, of capsules a
  // segment, neither with faces; of boxes and hulls the polytope itself, else null.
  std::shared_ptr<const Polytope> core{};
  double radius = 0;  // of the smallest ball about the origin around it
  // Of a triangle of a surface: which one.
  std::shared_ptr<const TriangleMesh> surface{};
  std::int32_t triangle = -1;
};

// Of the ball around the core.
double core_radius(const Convex& convex);

Convex make_convex(const Shape& shape);  // of all but meshes

// Its edges and vertices in the order of the triangle's corners, its front the first face.
Convex make_convex_triangle(const std::shared_ptr<const TriangleMesh>& surface,
                            std::int32_t triangle);

// A vertex, edge or face of a polytope by its index; the whole surface of other shapes.
enum class FeatureKind : std::uint8_t { Vertex, Edge, Face, Surface };
struct Feature {
  FeatureKind kind = FeatureKind::Surface;
  std::int32_t index = 0;
};

struct Placed {
  const Convex& convex;
  const Pose& X_WS;
};

}  // namespace carom::geometry
