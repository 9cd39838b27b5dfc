// The shapes of bodies, as values. A shape stands in its own frame, centred as its field says;
// where it sits on a body is PlacedShape's business. Shapes know no mass and no time.
#pragma once

#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/math/pose.h"

namespace carom::geometry {

struct Sphere {
  double radius;
};
struct Box {
  Vec3 half;  // half edge lengths; centred
};
struct Capsule {
  double radius, length;  // length between the centres of the caps, along z; centred
};
struct Cylinder {
  double radius, length;  // along z; centred
};
struct Cone {
  double radius, length;  // along z; base at z = -length/2, apex at +length/2
};
struct Ellipsoid {
  Vec3 radii;
};
struct Plane {
  Vec3 normal;    // unit, outward
  double offset;  // solid where normal·x < offset
};

// A convex polyhedron: vertices, and facets as loops of vertices, counter-clockwise from outside.
struct Polyhedron {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> facets;
};
struct Hull {
  std::shared_ptr<const Polyhedron> polyhedron;
};

using ConvexShape = std::variant<Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, Plane, Hull>;

// A surface of triangles (mesh.h), for bodies that are fixed or driven; it need not be closed.
struct TriangleMesh;
struct Mesh {
  std::shared_ptr<const TriangleMesh> surface;
};

using Shape = std::variant<Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, Plane, Hull, Mesh>;

ConvexShape as_convex(const Shape& shape);  // not for meshes

// The name used in scene files.
std::string_view name_of(const Shape& shape);

// Radius of the smallest origin-centred ball around the shape; infinite for a plane.
double bounding_radius(const Shape& shape);

// Some shapes are a finite set of points, each the centre of a ball of one radius (0 for sharp
// ones): sphere, capsule, box, hull. Others have none and return false.
struct RoundedPoints {
  std::vector<Vec3> points;
  double radius = 0;
};
bool find_rounded_points(const Shape& shape, RoundedPoints& out);

}  // namespace carom::geometry
