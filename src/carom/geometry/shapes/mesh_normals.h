// Which normals a surface of triangles can have where it is touched. A triangle on its own also has
// normals at its edges and corners that point along the surface, where its neighbours are; used for
// contacts they make bumps out of seams. Here a contact with a feature of one triangle is given the
// nearest direction in which the whole surface can push:
//
//   face              its normal
//   convex edge       between the normals of its two triangles, square to the edge
//   boundary edge     from its triangle's front over the rim to its back, square to the edge
//   flat or concave   the nearer one of the two triangles' normals
//   vertex            any direction that no edge at the vertex rises towards, on the front side; if
//                     n is none of those, the nearest that the edges at the vertex allow
//
// No allocation; the cost of a vertex is that of the triangles around it.
#pragma once

#include "carom/geometry/shapes/mesh.h"

namespace carom::geometry {

struct TriangleFeature {
  enum class Kind { Face, Edge, Vertex };
  Kind kind = Kind::Face;
  int corner = 0;  // of the triangle: the vertex, or where the edge begins
};

// n is a unit vector, and so is the result.
Vec3 allowed_normal(const TriangleMesh& mesh, std::int32_t triangle, const TriangleFeature& feature,
                    const Vec3& n);

}  // namespace carom::geometry
