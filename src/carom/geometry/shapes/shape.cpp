#include "carom/geometry/shapes/shape.h"

#include <cmath>
#include <limits>

#include "carom/base/check.h"
#include "carom/geometry/shapes/mesh.h"

namespace carom::geometry {

namespace {

std::string_view name(const Sphere&) { return "sphere"; }
std::string_view name(const Box&) { return "box"; }
std::string_view name(const Capsule&) { return "capsule"; }
std::string_view name(const Cylinder&) { return "cylinder"; }
std::string_view name(const Cone&) { return "cone"; }
std::string_view name(const Ellipsoid&) { return "ellipsoid"; }
std::string_view name(const Plane&) { return "plane"; }
std::string_view name(const Hull&) { return "hull"; }
std::string_view name(const Mesh&) { return "mesh"; }

double radius(const Sphere& sphere) { return sphere.radius; }
double radius(const Box& box) { return box.half.norm(); }
double radius(const Capsule& capsule) { return capsule.radius + 0.5 * capsule.length; }
double radius(const Cylinder& c) { return std::hypot(c.radius, 0.5 * c.length); }
double radius(const Cone& cone) { return std::hypot(cone.radius, 0.5 * cone.length); }
double radius(const Ellipsoid& ellipsoid) { return ellipsoid.radii.maxCoeff(); }
double radius(const Plane&) { return std::numeric_limits<double>::infinity(); }
double farthest(const std::vector<Vec3>& points) {
  double largest = 0;
  for (const Vec3& point : points) largest = std::max(largest, point.norm());
  return largest;
}
double radius(const Hull& hull) { return farthest(hull.polyhedron->vertices); }
double radius(const Mesh& mesh) { return farthest(mesh.surface->vertices); }

bool find(const Sphere& sphere, RoundedPoints& out) {
  out.points.assign(1, Vec3::Zero());
  out.radius = sphere.radius;
  return true;
}
bool find(const Box& box, RoundedPoints& out) {
  out.points.clear();
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    out.points.push_back(sign.cwiseProduct(box.half));
  }
  out.radius = 0;
  return true;
}
bool find(const Capsule& capsule, RoundedPoints& out) {
  const Vec3 end = 0.5 * capsule.length * Vec3::UnitZ();
  out.points.assign({-end, end});
  out.radius = capsule.radius;
  return true;
}
bool find(const Hull& hull, RoundedPoints& out) {
  out.points = hull.polyhedron->vertices;
  out.radius = 0;
  return true;
}
bool find(const Cylinder&, RoundedPoints&) { return false; }
bool find(const Cone&, RoundedPoints&) { return false; }
bool find(const Ellipsoid&, RoundedPoints&) { return false; }
bool find(const Plane&, RoundedPoints&) { return false; }
bool find(const Mesh&, RoundedPoints&) { return false; }

ConvexShape convex(const Mesh&) {
  base::check(false, "a mesh is not convex");
  return Sphere{0};
}
template <typename Convex>
ConvexShape convex(const Convex& shape) {
  return shape;
}

}  // namespace

ConvexShape as_convex(const Shape& shape) {
  return std::visit([](const auto& s) { return convex(s); }, shape);
}

std::string_view name_of(const Shape& shape) {
  return std::visit([](const auto& s) { return name(s); }, shape);
}

double bounding_radius(const Shape& shape) {
  return std::visit([](const auto& s) { return radius(s); }, shape);
}

bool find_rounded_points(const Shape& shape, RoundedPoints& out) {
  return std::visit([&out](const auto& s) { return find(s, out); }, shape);
}

}  // namespace carom::geometry
