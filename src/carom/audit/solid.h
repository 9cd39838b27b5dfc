// A shape on a body as the audit sees it: a convex set known by its support points, and for boxes,
// hulls and the triangles of meshes by faces and edges as well.
#pragma once

#include <optional>
#include <vector>

#include "carom/model/body.h"

namespace carom::audit {

struct Face {
  Vec3 normal;    // unit, outward
  double offset;  // normal · x on the face
};

// Between two faces; `direction` is unit and along normal_b × normal_a.
struct Edge {
  Vec3 direction, normal_a, normal_b;
};

struct Polytope {
  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;
};

struct Solid {
  geometry::Shape shape;
  Pose X_BS;                         // from the body's centre of mass
  double radius = 0;                 // of a ball about the shape's origin; infinite for a plane
  double reach = 0;                  // of a ball about the body's centre of mass
  double lever = 0;                  // as reach, for the points whose motion moves the surface
  std::optional<Polytope> polytope;  // boxes, hulls and triangles

  bool is_plane() const { return std::holds_alternative<geometry::Plane>(shape); }
  bool is_sphere() const { return std::holds_alternative<geometry::Sphere>(shape); }
};

Solid make_solid(const model::PlacedShape& placed);  // of anything but a mesh

// One solid, or one for every triangle of a mesh: what is judged of a mesh is that nothing reaches
// through its surface.
void append_solids(const model::PlacedShape& placed, std::vector<Solid>& solids);

// The point of the solid farthest along the unit vector d, both in the shape's frame. Not for
// planes.
Vec3 support_point(const Solid& solid, const Vec3& d);

}  // namespace carom::audit
