#include "carom/geometry/distance/point_distance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::geometry {

namespace {

constexpr int kRootCap = 100;

// A body of revolution about z: the point in its half-plane, and the way back.
struct Profile {
  double r, z;
  Vec3 radial;

  explicit Profile(const Vec3& point) : r(std::hypot(point.x(), point.y())), z(point.z()) {
    radial = r > 0 ? Vec3(point.x() / r, point.y() / r, 0) : Vec3(Vec3::UnitX());
  }
  Vec3 normal(double along_r, double along_z) const {
    return along_r * radial + along_z * Vec3::UnitZ();
  }
};

// The vertex with these signs, and the edge or face of a box that the coordinates beyond it name.
Feature box_feature(const Polytope& polytope, const Vec3& point,
                    const std::array<bool, 3>& beyond) {
  const int count =
      static_cast<int>(beyond[0]) + static_cast<int>(beyond[1]) + static_cast<int>(beyond[2]);
  int vertex = 0, free_axis = 0, face = 0;
  for (int i = 0; i < 3; ++i) {
    if (point[i] > 0) vertex |= 1 << i;
    if (beyond[i]) {
      face = 2 * i + (point[i] > 0 ? 1 : 0);
    } else {
      free_axis = i;
    }
  }
  if (count == 3) return {FeatureKind::Vertex, vertex};
  if (count == 1) return {FeatureKind::Face, face};
  for (const Polytope::Neighbour& neighbour : polytope.neighbours_of(vertex)) {
    if (neighbour.vertex == (vertex ^ (1 << free_axis))) return {FeatureKind::Edge, neighbour.edge};
  }
  return {FeatureKind::Vertex, vertex};
}

}  // namespace

PointDistance compute_point_distance(const Box& box, const Convex& convex, const Vec3& point) {
  const Vec3 over = point.cwiseAbs() - box.half;
  const Vec3 outside = over.cwiseMax(0.0);
  const double distance = outside.norm();
  std::array<bool, 3> beyond{over.x() > 0, over.y() > 0, over.z() > 0};
  PointDistance out;
  if (distance > 0) {
    out.value = distance;
    for (int i = 0; i < 3; ++i) out.normal[i] = std::copysign(outside[i] / distance, point[i]);
  } else {
    int axis = 0;
    out.value = over.maxCoeff(&axis);
    out.normal = std::copysign(1.0, point[axis]) * Vec3::Unit(axis);
    beyond = {axis == 0, axis == 1, axis == 2};
  }
  out.feature = box_feature(*convex.polytope, point, beyond);
  return out;
}

PointDistance compute_point_distance(const Capsule& capsule, const Vec3& point) {
  const double half = 0.5 * capsule.length;
  const Vec3 from(point.x(), point.y(), point.z() - std::clamp(point.z(), -half, half));
  const double distance = from.norm();
  return {
      distance - capsule.radius, distance > 0 ? Vec3(from / distance) : Vec3(Vec3::UnitX()), {}};
}

PointDistance compute_point_distance(const Cylinder& cylinder, const Vec3& point) {
  const Profile at(point);
  const double end = std::copysign(1.0, at.z);
  const double over_side = at.r - cylinder.radius;
  const double over_end = std::abs(at.z) - 0.5 * cylinder.length;
  if (over_side > 0 && over_end > 0) {
    const double distance = std::hypot(over_side, over_end);
    return {distance, at.normal(over_side / distance, end * over_end / distance), {}};
  }
  if (over_side > over_end) return {over_side, at.normal(1, 0), {}};
  return {over_end, at.normal(0, end), {}};
}

PointDistance compute_point_distance(const Cone& cone, const Vec3& point) {
  const Profile at(point);
  const double slant = std::hypot(cone.radius, cone.length);
  const double cosine = cone.length / slant, sine = cone.radius / slant;  // of the side's normal
  const double from_rim = at.r - cone.radius, over_base = -at.z - 0.5 * cone.length;
  const double up = -over_base;
  const double over_side = cosine * from_rim + sine * up;
  const double along_side = cosine * up - sine * from_rim;
  const auto to_corner = [&](double r, double z) -> PointDistance {
    const double distance = std::hypot(r, z);
    return {distance, at.normal(r / distance, z / distance), {}};
  };
  if (over_base > 0 && from_rim > 0) return to_corner(from_rim, up);
  if (over_base > 0 || (over_side <= 0 && over_base >= over_side)) {
    return {over_base, at.normal(0, -1), {}};
  }
  if (over_side > 0 && along_side < 0 && from_rim > 0) return to_corner(from_rim, up);
  if (over_side > 0 && along_side > slant) return to_corner(at.r, up - cone.length);
  return {over_side, at.normal(cosine, sine), {}};
}

namespace {

// The nearest point of an ellipsoid is x_i = e_i² y_i / (e_i² + t). With t counted from its pole
// at the smallest axis (g_i = e_i² - e_min², s = t + e_min²) no difference is lost, inside or out.
class SecularEquation {
 public:
  SecularEquation(const Vec3& e, const Vec3& y) : e_(e), y_(y) {
    smallest_ = e.minCoeff(&least_);
    for (int i = 0; i < 3; ++i) g_[i] = (e[i] - smallest_) * (e[i] + smallest_);
  }

  Vec3 solve() const {
    if (const Vec3 on_pole = at_pole(); on_pole.allFinite()) return on_pole;
    // Below the root: there one term alone reaches 1.
    double s = 0;
    for (int i = 0; i < 3; ++i) s = std::max(s, e_[i] * std::abs(y_[i]) - g_[i]);
    for (int i = 0; i < kRootCap; ++i) {
      const double next = newton(s);
      if (!(next > s)) break;
      s = next;
    }
    return point_at(s);
  }

 private:
  // On the plane of the two longer axes the root may be the pole itself: the nearest points are
  // then two, above and below.
  Vec3 at_pole() const {
    Vec3 x = Vec3::Zero();
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      if (y_[i] == 0) continue;
      if (g_[i] == 0) return Vec3::Constant(NAN);
      x[i] = e_[i] * e_[i] * y_[i] / g_[i];
      sum += (x[i] / e_[i]) * (x[i] / e_[i]);
    }
    if (sum >= 1) return Vec3::Constant(NAN);
    x[least_] = smallest_ * std::sqrt(1 - sum);
    return x;
  }

  // Newton's step for 1/|u| = 1 with u_i = e_i y_i / (s + g_i): nearly linear in s.
  double newton(double s) const {
    double square = 0, slope = 0;
    for (int i = 0; i < 3; ++i) {
      if (y_[i] == 0) continue;
      const double u = e_[i] * y_[i] / (s + g_[i]);
      square += u * u;
      slope += u * u / (s + g_[i]);
    }
    return s + (std::sqrt(square) - 1) * square / slope;
  }

  Vec3 point_at(double s) const {
    Vec3 x;
    for (int i = 0; i < 3; ++i) x[i] = y_[i] == 0 ? 0 : e_[i] * e_[i] * y_[i] / (s + g_[i]);
    return x;
  }

  Vec3 e_, y_, g_;
  double smallest_;
  int least_ = 0;
};

}  // namespace

PointDistance compute_point_distance(const Ellipsoid& ellipsoid, const Vec3& point) {
  const Vec3& e = ellipsoid.radii;
  const Vec3 x = SecularEquation(e, point).solve();
  const Vec3 normal = x.cwiseQuotient(e).cwiseQuotient(e).normalized();
  return {normal.dot(point) - e.cwiseProduct(normal).norm(), normal, {}};
}

}  // namespace carom::geometry
