#include "carom/geometry/separation.h"

#include <algorithm>
#include <cmath>

#include "carom/math/first_descent.h"

namespace carom::geometry {

namespace {

constexpr int kMaxProbes = 40;
constexpr double kCloseEnough = 0.05;  // relative: the caller asks again from there

double core_height(const Sphere&, const Convex&, const Vec3&) { return 0; }
double core_height(const Box& box, const Convex&, const Vec3& d) {
  return d.cwiseAbs().dot(box.half);
}
double core_height(const Capsule& capsule, const Convex&, const Vec3& d) {
  return 0.5 * capsule.length * std::abs(d.z());
}
double core_height(const Cylinder& c, const Convex&, const Vec3& d) {
  return c.radius * std::hypot(d.x(), d.y()) + 0.5 * c.length * std::abs(d.z());
}
double core_height(const Cone& cone, const Convex&, const Vec3& d) {
  const double half = 0.5 * cone.length * d.z();
  return std::max(half, cone.radius * std::hypot(d.x(), d.y()) - half);
}
double core_height(const Ellipsoid& e, const Convex&, const Vec3& d) {
  return e.radii.cwiseProduct(d).norm();
}
double core_height(const Plane& plane, const Convex&, const Vec3&) { return plane.offset; }

// Uphill from vertex to vertex, which on a convex surface ends at the top.
double core_height(const Hull&, const Convex& convex, const Vec3& d) {
  const Polytope& polytope = *convex.polytope;
  int at = 0;
  double height = d.dot(polytope.vertices[0]);
  for (bool climbing = true; climbing;) {
    climbing = false;
    for (const auto& [vertex, edge] : polytope.neighbours_of(at)) {
      const double higher = d.dot(polytope.vertices[vertex]);
      if (higher <= height) continue;
      height = higher;
      at = vertex;
      climbing = true;
    }
  }
  return height;
}

double core_radius(const Convex& convex) {
  if (std::holds_alternative<Sphere>(convex.shape)) return 0;
  if (const Capsule* capsule = std::get_if<Capsule>(&convex.shape)) return 0.5 * capsule->length;
  return convex.radius;
}

double margin_of(const Convex& convex) {
  if (const Sphere* sphere = std::get_if<Sphere>(&convex.shape)) return sphere->radius;
  if (const Capsule* capsule = std::get_if<Capsule>(&convex.shape)) return capsule->radius;
  return 0;
}

// Where a concave function that starts at or above zero falls below it, from below: a chord lies
// under the function, so its root comes too early if anything. Probes lie where a parabola through
// the same two values would end.
template <typename Function>
double last_positive(const Function& f, double limit) {
  double low = 0, f_low = std::max(0.0, f(0));
  double high = limit, f_high = f(high);
  if (f_high >= 0) return limit;
  double safe = 0;
  for (int i = 0; i < kMaxProbes && high - safe > kCloseEnough * high; ++i) {
    const double part = f_low / (f_low - f_high);
    safe = std::max(safe, low + part * (high - low));
    const double probe = low + std::clamp(std::sqrt(part), 0.1, 0.9) * (high - low);
    const double f_probe = f(probe);
    (f_probe >= 0 ? low : high) = probe;
    (f_probe >= 0 ? f_low : f_high) = f_probe;
  }
  return std::max(safe, low);
}

// With d at rest, d·r of a point of a changes by τ d·(ω×r) = τ r·(d×ω).
double wait_with_standing(const FlyingShape& a, const FlyingShape& b, const Vec3& n, double level,
                          double duration) {
  const BodyBounds &A = a.body, &B = b.body;
  const double start = n.dot(A.X.p - B.X.p) - a.margin - b.margin - level;
  const double rate = n.dot(A.V.v - B.V.v);
  const double curvature = bound_turning(A, a.lever, n, duration) +
                           bound_turning(B, b.lever, n, duration) +
                           std::max(0.0, -n.dot(A.a - B.a));
  const Vec3 turn_a = n.cross(A.V.w), turn_b = n.cross(B.V.w);
  return last_positive(
      [&](double t) {
        return start + t * (rate - 0.5 * curvature * t) - a.height(-(n + t * turn_a)) -
               b.height(n + t * turn_b);
      },
      duration);
}

// With ḋ = ω_b×d, d·r of a point of a changes by τ r·((ω_b - ω_a)×d), and b's height stays.
double wait_with_turning(const FlyingShape& a, const FlyingShape& b, const Vec3& n, double level,
                         double duration) {
  const BodyBounds &A = a.body, &B = b.body;
  const Vec3 apart = A.X.p - B.X.p;
  const double start = n.dot(apart) - b.height(n) - a.margin - b.margin - level;
  const double rate = B.V.w.cross(n).dot(apart) + n.dot(A.V.v - B.V.v);
  const double curvature = bound_over_plane(A, a.lever, B, n, duration).curvature;
  const Vec3 turn = (B.V.w - A.V.w).cross(n);
  return last_positive(
      [&](double t) {
        return start + t * (rate - 0.5 * curvature * t) - a.height(-(n + t * turn));
      },
      duration);
}

double wait_of_balls(const FlyingShape& a, const FlyingShape& b, double level, double duration) {
  const BodyBounds &A = a.body, &B = b.body;
  const Vec3 apart = A.X.p - B.X.p;
  const double distance = apart.norm();
  const double height = distance - a.lever - b.lever - a.margin - b.margin - level;
  if (!(height > 0)) return 0;
  const Vec3 n = apart / distance;
  const double wait =
      math::time_to_descend(height, n.dot(A.V.v - B.V.v), std::max(0.0, -n.dot(A.a - B.a)));
  return std::min(wait, duration);
}

// A plane's own direction is the only one it has, so it counts as turning.
bool turns(const FlyingShape& shape) { return shape.is_plane() || shape.body.spin.speed > 0; }

}  // namespace

double FlyingShape::height(const Vec3& d) const {
  const Vec3 d_S = q_WS.conjugate() * d;
  const double core =
      std::visit([&](const auto& shape) { return core_height(shape, convex, d_S); }, convex.shape);
  return d.dot(center) + core;
}

FlyingShape make_flying_shape(const Convex& convex, const Pose& X_BS, const BodyBounds& body) {
  return {convex,
          body,
          body.X.q * X_BS.p,
          body.X.q * X_BS.q,
          X_BS.p.norm() + core_radius(convex),
          margin_of(convex)};
}

double wait_apart(const FlyingShape& a, const FlyingShape& b, const Vec3& n, double level,
                  double duration) {
  double longest = 0;
  if (!a.is_plane() && !b.is_plane()) {
    longest = wait_of_balls(a, b, level, duration);
    if (longest < duration) {
      longest = std::max(longest, wait_with_standing(a, b, n, level, duration));
    }
  }
  if (longest < duration && !a.is_plane() && turns(b)) {
    longest = std::max(longest, wait_with_turning(a, b, n, level, duration));
  }
  if (longest < duration && !b.is_plane() && turns(a)) {
    longest = std::max(longest, wait_with_turning(b, a, -n, level, duration));
  }
  return longest;
}

}  // namespace carom::geometry
