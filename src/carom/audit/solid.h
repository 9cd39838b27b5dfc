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
  Vec3 point;  // one of its ends
  Vec3 direction, normal_a, normal_b;
};

struct Polytope {
  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;
};

struct Solid {
  geometry::Shape shape;
  Pose X_BS;                 // from the body's centre of mass
  double radius = 0;         // of a ball about the shape's origin; infinite for a plane
  double reach = 0;          // of a ball about the body's centre of mass
  double lever = 0;          // as reach, for the points whose motion moves the surface
  double size = 0;           // m; the radius of the shape that it is or is a part of
  bool is_triangle = false;  // of a mesh
  MaterialId material{};
  std::optional<Polytope> polytope;  // boxes, hulls and triangles
  std::vector<Vec3> core;    // the hull of these points, grown by a ball; empty: of no such shape
  double rounding = 0;       // m; the radius of that ball
  std::optional<Vec3> axis;  // unit, of the body; see find_axis

  bool is_plane() const { return std::holds_alternative<geometry::Plane>(shape); }
  bool is_sphere() const { return std::holds_alternative<geometry::Sphere>(shape); }
  bool is_ball() const { return is_sphere() && lever == 0; }  // about the centre of mass
  bool is_round() const {  // about its z axis, and without a core
    return std::holds_alternative<geometry::Cylinder>(shape) ||
           std::holds_alternative<geometry::Cone>(shape);
  }
};

Solid make_solid(const model::PlacedShape& placed);  // of anything but a mesh

// The axis of a solid of revolution, where it goes through the centre of mass and the body's
// inertia has it too: then turning about it changes neither what the solid fills nor how it
// tumbles.
std::optional<Vec3> find_axis(const model::Body& body, const Solid& solid);

// One solid, or one for every triangle of a mesh: what is judged of a mesh is that nothing reaches
// through its surface.
void append_solids(const model::PlacedShape& placed, std::vector<Solid>& solids);

// Calls visit(normal) for the outward normal of every flat face, in the shape's frame.
template <typename Visit>
void visit_faces(const Solid& solid, const Visit& visit) {
  if (solid.polytope)
    for (const Face& face : solid.polytope->faces) visit(face.normal);
  const bool is_cylinder = std::holds_alternative<geometry::Cylinder>(solid.shape);
  if (is_cylinder) visit(Vec3(Vec3::UnitZ()));
  if (is_cylinder || std::holds_alternative<geometry::Cone>(solid.shape))
    visit(Vec3(-Vec3::UnitZ()));
}

// The outward normal of the flat face nearest to the unit vector d, both in the shape's frame, or d
// itself where none is near: a search finds the direction of a face to its tolerance only.
Vec3 snap_to_face(const Solid& solid, const Vec3& d);

// The point of the solid farthest along the unit vector d, both in the shape's frame. Not for
// planes.
Vec3 support_point(const Solid& solid, const Vec3& d);

}  // namespace carom::audit
