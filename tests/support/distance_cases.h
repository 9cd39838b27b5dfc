// Random pairs of placed shapes for distance queries: every combination of shapes, sizes from 1e-3
// to 1e3, aspect ratios to 1e3, apart, touching to within anything down to round-off, parallel,
// nested and deep.
#pragma once

#include <array>
#include <cmath>

#include "carom/base/random.h"
#include "carom/geometry/distance/distance.h"
#include "carom/geometry/shapes/convex_hull.h"
#include "carom/math/rotation.h"
#include "reference/long_solid.h"

namespace carom::support {

inline constexpr std::array kShapeNames{"sphere",    "box",  "capsule",  "cylinder", "cone",
                                        "ellipsoid", "hull", "triangle", "plane"};
inline constexpr int kShapeKinds = static_cast<int>(kShapeNames.size());
inline constexpr int kPlaneKind = kShapeKinds - 1;

enum class Placement { Apart, Overlapping, Touching, Parallel, Nested };
inline constexpr int kPlacements = 5;

struct DistanceCase {
  int kind_a, kind_b;
  Placement placement;
  geometry::Convex a, b;
  Pose X_WA, X_WB;
};

class DistanceCases {
 public:
  explicit DistanceCases(std::uint64_t seed) : random_(seed) {}

  DistanceCase next() {
    DistanceCase c;
    c.kind_a = index(kShapeKinds);
    c.kind_b = index(c.kind_a == kPlaneKind ? kPlaneKind : kShapeKinds);
    c.placement = static_cast<Placement>(index(kPlacements));
    const double size_a = power(-3, 3);
    const double size_b =
        random_.uniform() < 0.3 ? power(-3, 3) : std::clamp(size_a * power(-1, 1), 1e-3, 1e3);
    const double slimness = random_.uniform() < 0.5 ? 1 : 3;
    c.a = geometry::make_convex(shape(c.kind_a, size_a, slimness));
    c.b = geometry::make_convex(shape(c.kind_b, size_b, slimness));
    place(c);
    return c;
  }

 private:
  int index(int count) { return static_cast<int>(random_.uniform() * count); }
  double power(double low, double high) { return std::pow(10, random_.uniform(low, high)); }
  double symmetric() { return random_.uniform(-1, 1); }

  Vec3 direction() {
    for (int i = 0; i < 1000; ++i) {
      const Vec3 v(symmetric(), symmetric(), symmetric());
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
    return Vec3::UnitX();
  }

  Quat attitude() {
    const Vec3 axis = direction();
    return math::quat_exp(random_.uniform(0, 2 * M_PI) * axis).normalized();
  }

  Quat right_angles() {
    const Vec3 axis = Vec3::Unit(index(3));
    return math::quat_exp(0.5 * M_PI * index(4) * axis).normalized();
  }

  // A factor down to 10^-slimness of the size.
  double thin(double slimness) { return random_.uniform() < 0.4 ? 1 : power(-slimness, 0); }

  geometry::Shape shape(int kind, double size, double slimness) {
    const double x = size * thin(slimness), y = size * thin(slimness), z = size * thin(slimness);
    switch (kind) {
      case 0:
        return geometry::Sphere{size};
      case 1:
        return geometry::Box{{x, y, z}};
      case 2:
        return geometry::Capsule{x, y};
      case 3:
        return geometry::Cylinder{x, y};
      case 4:
        return geometry::Cone{x, y};
      case 5:
        return geometry::Ellipsoid{{x, y, z}};
      case 6:
        return hull({x, y, z});
      case 7:
        return triangle({x, y, z});
      default:
        return geometry::Plane{direction(), size * symmetric()};
    }
  }

  // Points all around; a prism with many nearly coplanar sides; a cuboid whose faces carry points
  // that are flat only to round-off, or hardly more; a lens of many faces.
  std::vector<Vec3> hull_points() {
    std::vector<Vec3> points;
    const int kind = index(4), count = 4 + index(kind == 1 ? 40 : 12);
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * M_PI * i / count;
      Vec3 point = direction();
      if (kind == 1) point = {std::cos(angle), std::sin(angle), i % 2 ? 1.0 : -1.0};
      if (kind == 2) {
        const int axis = index(3);
        point = {symmetric(), symmetric(), symmetric()};
        point[axis] = std::copysign(1 - (index(2) == 0 ? 0 : 1e-12 * symmetric()), point[axis]);
      }
      if (kind == 3) point.z() = std::copysign(0.01 * (1 - point.x() * point.x()), point.z());
      points.push_back(point);
      if (kind == 1) points.emplace_back(point.x(), point.y(), -point.z());
    }
    return points;
  }

  geometry::Shape hull(const Vec3& size) {
    std::vector<Vec3> points = hull_points();
    for (Vec3& point : points) point = point.cwiseProduct(size);
    const geometry::HullResult result = geometry::make_convex_hull(points);
    return result.polyhedron ? geometry::Shape(geometry::Hull{result.polyhedron})
                             : geometry::Shape(geometry::Box{size});
  }

  geometry::Shape triangle(const Vec3& size) {
    auto polyhedron = std::make_shared<geometry::Polyhedron>();
    const double lean = symmetric();
    polyhedron->vertices = {{-size.x(), 0, 0}, {size.x(), 0, 0}, {lean * size.x(), size.y(), 0}};
    polyhedron->facets = {{0, 1, 2}, {0, 2, 1}};
    return geometry::Hull{polyhedron};
  }

  // Where a's support point against n, and b's along it, come to lie on each other but for a gap.
  void touch(DistanceCase& c, const Vec3& n, double gap) {
    c.X_WB.p = Vec3::Zero();
    const reference::LongSolid a(c.a.shape, c.X_WA), b(c.b.shape, c.X_WB);
    const reference::Long3 m = n.cast<reference::Long>();
    c.X_WB.p = (a.support(-m) - b.support(m) - gap * m).cast<double>();
  }

  // Normal to a face or an edge of one of the two, or any.
  Vec3 telling_direction(const DistanceCase& c) {
    const reference::LongSolid a(c.a.shape, c.X_WA), b(c.b.shape, c.X_WB);
    const auto& faces = index(2) == 0 ? a.face_normals() : b.face_normals();
    const auto& circles = index(2) == 0 ? a.circles() : b.circles();
    if (!faces.empty() && index(2) == 0) {
      return (index(2) == 0 ? 1 : -1) * faces[index(static_cast<int>(faces.size()))].cast<double>();
    }
    if (circles.empty() || index(2) == 0) return direction();
    const auto& circle = circles[index(static_cast<int>(circles.size()))];
    const Vec3 axis = circle.axis.cast<double>();
    const double level = static_cast<double>(circle.level);
    return level * axis + std::sqrt(1 - level * level) * axis.cross(direction()).normalized();
  }

  double small_gap(double size) {
    const double kind = random_.uniform();
    if (kind < 0.2) return 0;
    return (kind < 0.6 ? 1 : -1) * size * power(-16, -2);
  }

  void place(DistanceCase& c) {
    const double size_a = std::isfinite(c.a.radius) ? c.a.radius : 0;
    const double size_b = std::isfinite(c.b.radius) ? c.b.radius : 0;
    const double reach = size_a + size_b;
    c.X_WA = {Vec3::Zero(), attitude()};
    c.X_WB = {Vec3::Zero(), attitude()};
    switch (c.placement) {
      case Placement::Apart:
        c.X_WB.p = reach * random_.uniform(0.5, 4) * direction();
        break;
      case Placement::Overlapping:
        c.X_WB.p = reach * random_.uniform(0, 1) * direction();
        break;
      case Placement::Touching:
        touch(c, telling_direction(c), small_gap(std::max(size_a, size_b)));
        break;
      case Placement::Parallel:
        c.X_WB.q = (c.X_WA.q * right_angles() * right_angles()).normalized();
        touch(c, telling_direction(c), small_gap(std::max(size_a, size_b)));
        c.X_WB.p +=
            random_.uniform() * std::min(size_a, size_b) * (c.X_WA.q * Vec3::Unit(index(3)));
        break;
      case Placement::Nested:
        if (index(2) == 0) c.X_WB.q = (c.X_WA.q * right_angles()).normalized();
        c.X_WB.p = index(2) == 0 ? Vec3(Vec3::Zero()) : Vec3(0.1 * size_a * direction());
        break;
    }
    // Away from the origin, exactly as far for both where that can be.
    const Vec3 shift = index(2) == 0 ? Vec3(Vec3::Zero()) : Vec3(reach * direction());
    c.X_WA.p += shift;
    c.X_WB.p += shift;
  }

  base::Random random_;
};

}  // namespace carom::support
