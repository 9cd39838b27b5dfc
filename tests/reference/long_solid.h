// Convex solids in long double, written out again from their definitions: support points, how far
// a point lies outside, and the normals at which the support function has kinks.
#pragma once

#include <cmath>
#include <vector>

#include "carom/geometry/shapes/shape.h"

namespace carom::reference {

using Long = long double;
using Long3 = Eigen::Matrix<Long, 3, 1>;
using LongMat = Eigen::Matrix<Long, 3, 3>;

// The normals n with n·axis = level: those of an edge, or of the side of a cylinder or cone.
struct NormalCircle {
  Long3 axis;
  Long level = 0;
};

class LongSolid {
 public:
  LongSolid(const geometry::ConvexShape& shape, const Pose& pose) : shape_(shape) {
    const Eigen::Quaternion<Long> q = pose.q.cast<Long>().normalized();
    R_ = q.toRotationMatrix();
    p_ = pose.p.cast<Long>();
    std::visit([this](const auto& s) { prepare(s); }, shape);
  }

  Long3 support(const Long3& n) const {
    const Long3 m = R_.transpose() * n;
    return p_ + R_ * std::visit([&](const auto& s) { return support_of(s, m); }, shape_);
  }
  // Distance of a point that is outside, 0 inside; for ellipsoids and corners of hulls to first
  // order.
  Long outside(const Long3& point) const {
    const Long3 x = R_.transpose() * (point - p_);
    return std::visit([&](const auto& s) { return outside_of(s, x); }, shape_);
  }
  const std::vector<Long3>& face_normals() const { return faces_; }  // world
  const std::vector<NormalCircle>& circles() const { return circles_; }
  const Long3& origin() const { return p_; }
  bool is_polytope() const { return polytope_; }

 private:
  void add_face(const Long3& normal) { faces_.push_back(R_ * normal); }
  void add_circle(const Long3& axis, Long level) { circles_.push_back({R_ * axis, level}); }
  static Long3 z(Long value) { return {0, 0, value}; }

  void prepare(const geometry::Sphere&) { polytope_ = true; }
  void prepare(const geometry::Capsule&) {
    polytope_ = true;
    add_circle(z(1), 0);
  }
  void prepare(const geometry::Ellipsoid&) {}
  void prepare(const geometry::Plane& plane) { add_face(plane.normal.cast<Long>().normalized()); }
  void prepare(const geometry::Box&) {
    polytope_ = true;
    for (int i = 0; i < 3; ++i) {
      add_face(Long3::Unit(i));
      add_face(-Long3::Unit(i));
      add_circle(Long3::Unit(i), 0);
    }
  }
  void prepare(const geometry::Cylinder&) {
    add_face(z(1));
    add_face(z(-1));
    add_circle(z(1), 0);
  }
  void prepare(const geometry::Cone& cone) {
    add_face(z(-1));
    const Long r = cone.radius, l = cone.length;
    add_circle(z(1), r / std::sqrt(r * r + l * l));
  }
  void prepare(const geometry::Hull& hull) {
    polytope_ = true;
    const auto& vertices = hull.polyhedron->vertices;
    for (const auto& loop : hull.polyhedron->facets) {
      Long3 area = Long3::Zero();
      const Long3 origin = vertices[loop[0]].cast<Long>();
      for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
        area += (vertices[loop[i]].cast<Long>() - origin)
                    .cross(vertices[loop[i + 1]].cast<Long>() - origin);
      }
      const Long3 normal = area.normalized();
      add_face(normal);
      Long offset = -INFINITY;
      for (const Vec3& v : vertices) offset = std::max(offset, normal.dot(v.cast<Long>()));
      planes_.push_back({normal, offset});
      for (std::size_t i = 0; i < loop.size(); ++i) {
        const int from = loop[i], to = loop[(i + 1) % loop.size()];
        if (from < to) add_circle((vertices[to] - vertices[from]).cast<Long>().normalized(), 0);
      }
    }
  }

  static Long3 rim(const Long3& m, Long r, Long height) {
    const Long across = std::hypot(m.x(), m.y());
    if (across == 0) return {r, 0, height};
    return {r * m.x() / across, r * m.y() / across, height};
  }
  Long3 support_of(const geometry::Sphere& s, const Long3& m) const {
    return Long(s.radius) * m.normalized();
  }
  Long3 support_of(const geometry::Box& s, const Long3& m) const {
    Long3 out;
    for (int i = 0; i < 3; ++i) out[i] = std::copysign(Long(s.half[i]), m[i]);
    return out;
  }
  Long3 support_of(const geometry::Capsule& s, const Long3& m) const {
    return Long(s.radius) * m.normalized() + z(std::copysign(Long(s.length) / 2, m.z()));
  }
  Long3 support_of(const geometry::Cylinder& s, const Long3& m) const {
    return rim(m, s.radius, std::copysign(Long(s.length) / 2, m.z()));
  }
  Long3 support_of(const geometry::Cone& s, const Long3& m) const {
    const Long3 apex = z(Long(s.length) / 2), base = rim(m, s.radius, -Long(s.length) / 2);
    return apex.dot(m) > base.dot(m) ? apex : base;
  }
  Long3 support_of(const geometry::Ellipsoid& s, const Long3& m) const {
    const Long3 r = s.radii.cast<Long>();
    const Long3 scaled = r.cwiseProduct(m);
    return r.cwiseProduct(scaled) / scaled.norm();
  }
  Long3 support_of(const geometry::Plane& s, const Long3&) const {
    return s.normal.cast<Long>() * Long(s.offset);  // meaningful along the normal alone
  }
  Long3 support_of(const geometry::Hull& s, const Long3& m) const {
    const Vec3* best = nullptr;
    Long height = -INFINITY;
    for (const Vec3& v : s.polyhedron->vertices) {
      const Long other = v.x() * m.x() + v.y() * m.y() + v.z() * m.z();
      if (other <= height) continue;
      height = other;
      best = &v;
    }
    return best->cast<Long>();
  }

  static Long positive(Long value) { return std::max<Long>(value, 0); }
  Long outside_of(const geometry::Sphere& s, const Long3& x) const {
    return positive(x.norm() - s.radius);
  }
  Long outside_of(const geometry::Box& s, const Long3& x) const {
    return (x.cwiseAbs() - s.half.cast<Long>()).cwiseMax(Long(0)).norm();
  }
  Long outside_of(const geometry::Capsule& s, const Long3& x) const {
    const Long along = positive(std::abs(x.z()) - Long(s.length) / 2);
    return positive(std::hypot(x.x(), x.y(), along) - s.radius);
  }
  Long outside_of(const geometry::Cylinder& s, const Long3& x) const {
    return std::hypot(positive(std::hypot(x.x(), x.y()) - s.radius),
                      positive(std::abs(x.z()) - Long(s.length) / 2));
  }
  Long outside_of(const geometry::Cone& s, const Long3& x) const {
    // The profile in the half-plane (r, height over the base): a triangle with corners (0, 0),
    // (R, 0), (0, L).
    const Long r = std::hypot(x.x(), x.y()), h = x.z() + Long(s.length) / 2;
    const Long R = s.radius, L = s.length, slant = std::hypot(R, L);
    if (h <= 0) return std::hypot(positive(r - R), h);
    const Long beyond = (L * (r - R) + R * h) / slant;
    if (beyond <= 0) return 0;
    const Long along = (-R * (r - R) + L * h) / slant;
    if (along < 0) return std::hypot(r - R, h);
    return along > slant ? std::hypot(r, h - L) : beyond;
  }
  Long outside_of(const geometry::Ellipsoid& s, const Long3& x) const {
    const Long3 scaled = x.cwiseQuotient(s.radii.cast<Long>());
    const Long g = scaled.norm();
    return g <= 1 ? 0 : (g - 1) * g / scaled.cwiseQuotient(s.radii.cast<Long>()).norm();
  }
  Long outside_of(const geometry::Plane& s, const Long3& x) const {
    return positive(s.normal.cast<Long>().dot(x) - s.offset);
  }
  Long outside_of(const geometry::Hull&, const Long3& x) const {
    Long most = 0;
    for (const auto& [normal, offset] : planes_) most = std::max(most, normal.dot(x) - offset);
    return most;
  }

  struct FacePlane {
    Long3 normal;
    Long offset;
  };
  geometry::ConvexShape shape_;
  Long3 p_;
  LongMat R_;
  std::vector<Long3> faces_;
  std::vector<FacePlane> planes_;
  std::vector<NormalCircle> circles_;
  bool polytope_ = false;
};

// min over a of n·a - max over b of n·b, for unit n.
inline Long separation(const LongSolid& a, const LongSolid& b, const Long3& n) {
  return n.dot(a.support(-n) - b.support(n));
}

}  // namespace carom::reference
