#include "carom/geometry/feature_pair.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/check.h"

namespace carom::geometry {

namespace {

using math::Sample;
using math::SpinBounds;

struct Levers {  // of a point-plane pair at one instant, world axes
  Vec3 r_a, n, from_b;
};

Levers levers(const PointPlane& pair, const Pose& X_WA, const Pose& X_WB) {
  const Vec3 r_a = X_WA.q * pair.p_A;
  return {r_a, X_WB.q * pair.n_B, X_WA.p + r_a - X_WB.p};
}

ContactPoint contact_point_of(const PointPlane& pair, const Pose& X_WA, const Pose& X_WB) {
  const Levers at = levers(pair, X_WA, X_WB);
  const double gap = at.n.dot(at.from_b) - pair.offset - pair.radius;
  return {X_WA.p + at.r_a - (pair.radius + 0.5 * gap) * at.n, at.n, gap};
}

ContactPoint contact_point_of(const BallBall& pair, const Pose& X_WA, const Pose& X_WB) {
  const Vec3 a = X_WA * pair.p_A;
  const Vec3 b = X_WB * pair.p_B;
  const double distance = (a - b).norm();
  const Vec3 n = distance > 0 ? Vec3((a - b) / distance) : Vec3(Vec3::UnitZ());
  const double gap = distance - pair.radius_a - pair.radius_b;
  return {a - (pair.radius_a + 0.5 * gap) * n, n, gap};
}

// Acceleration of a point of a body: ẍ + ω̇ × r + ω × (ω × r).
Vec3 acceleration_at(const Twist& A, const Twist& V, const Vec3& lever) {
  return A.at(lever) + V.w.cross(V.w.cross(lever));
}

// gap = n·u - offset - radius with u = p_a - x_b and n turning with b: ṅ = ω_b × n. Then
// d²(n·u)/dt² = n̈·u + 2 ṅ·u̇ + n·ü.
Sample gap_of(const PointPlane& pair, const PairKinematics& k) {
  const Levers at = levers(pair, k.X_WA, k.X_WB);
  const Vec3 n_rate = k.V_B.w.cross(at.n);
  const Vec3 n_acceleration = k.A_B.w.cross(at.n) + k.V_B.w.cross(n_rate);
  const Vec3 u_rate = k.V_A.at(at.r_a) - k.V_B.v;
  const Vec3 u_acceleration = acceleration_at(k.A_A, k.V_A, at.r_a) - k.A_B.v;
  return {at.n.dot(at.from_b) - pair.offset - pair.radius, n_rate.dot(at.from_b) + at.n.dot(u_rate),
          n_acceleration.dot(at.from_b) + 2 * n_rate.dot(u_rate) + at.n.dot(u_acceleration)};
}

// d|d|/dt = n·ḋ and d²|d|/dt² = n·d̈ + |ḋ_t|²/|d|.
Sample gap_of(const BallBall& pair, const PairKinematics& k) {
  const Vec3 r_a = k.X_WA.q * pair.p_A;
  const Vec3 r_b = k.X_WB.q * pair.p_B;
  const Vec3 d = k.X_WA.p + r_a - k.X_WB.p - r_b;
  const double distance = d.norm();
  const double gap = distance - pair.radius_a - pair.radius_b;
  if (distance <= 0) return {gap, 0, 0};
  const Vec3 n = d / distance;
  const Vec3 d_rate = k.V_A.at(r_a) - k.V_B.at(r_b);
  const Vec3 across = d_rate - n.dot(d_rate) * n;
  const Vec3 d_acceleration =
      acceleration_at(k.A_A, k.V_A, r_a) - acceleration_at(k.A_B, k.V_B, r_b);
  return {gap, n.dot(d_rate), n.dot(d_acceleration) + across.squaredNorm() / distance};
}

// |n·r̈| of a point at distance `lever` on a turning body: with r̈ = ω̇×r + ω×(ω×r) and
// n·(ω×(ω×r)) = (n×ω)·(ω×r), spin about the normal itself costs nothing.
double turning_curvature(const RigidMotion& motion, double lever, const Vec3& n, double duration) {
  if (lever <= 0) return 0;
  const SpinBounds spin = math::spin_bounds(motion.rotation, duration);
  const double across = math::angular_velocity_at(motion.rotation, 0).cross(n).norm();
  const double across_max = std::min(spin.speed, across + spin.acceleration * duration);
  return lever * (across_max * spin.speed + spin.acceleration);
}

double greatest_speed(const RigidMotion& motion, double lever, double duration) {
  const double linear = std::max(motion.v0.norm(), velocity_at(motion, duration).norm());
  return linear + lever * math::spin_bounds(motion.rotation, duration).speed;
}

// Bounds on the derivatives of a lever's direction: |r̈| and |r⃛| per metre.
double turning_acceleration(const SpinBounds& spin) {
  return spin.speed * spin.speed + spin.acceleration;
}
double turning_jerk(const SpinBounds& spin) {
  return spin.jerk + 3 * spin.acceleration * spin.speed + spin.speed * spin.speed * spin.speed;
}

GapBounds bounds_of(const PointPlane& pair, const RigidMotion& a, const RigidMotion& b,
                    double duration) {
  const double lever = pair.p_A.norm();
  const SpinBounds plane = math::spin_bounds(b.rotation, duration);
  const SpinBounds spin = math::spin_bounds(a.rotation, duration);
  if (plane.speed == 0 && plane.acceleration == 0) {
    const Vec3 n = math::attitude_at(b.rotation, 0) * pair.n_B;
    return {std::abs(n.dot(a.a - b.a)) + turning_curvature(a, lever, n, duration),
            lever * turning_jerk(spin)};
  }
  // The plane turns: n̈ acts on the distance from b, ṅ on the velocity of the point.
  const double speed = greatest_speed(a, lever, duration) + greatest_speed(b, 0, duration);
  const double reach = (a.x0 - b.x0).norm() + lever + speed * duration;
  return {turning_acceleration(plane) * reach + 2 * plane.speed * speed + (a.a - b.a).norm() +
          lever * turning_acceleration(spin)};
}

// |d|⃛ is at most |d⃛| + 3 |ḋ| |d̈| / |d| + 3 |ḋ|³ / |d|², and |d| is at least the sum of the radii
// until they touch.
GapBounds bounds_of(const BallBall& pair, const RigidMotion& a, const RigidMotion& b,
                    double duration) {
  const double lever_a = pair.p_A.norm();
  const double lever_b = pair.p_B.norm();
  const SpinBounds spin_a = math::spin_bounds(a.rotation, duration);
  const SpinBounds spin_b = math::spin_bounds(b.rotation, duration);
  const double distance = pair.radius_a + pair.radius_b;
  const double speed =
      std::max((a.v0 - b.v0).norm(), (velocity_at(a, duration) - velocity_at(b, duration)).norm()) +
      lever_a * spin_a.speed + lever_b * spin_b.speed;
  const double acceleration = (a.a - b.a).norm() + lever_a * turning_acceleration(spin_a) +
                              lever_b * turning_acceleration(spin_b);
  const double jerk = lever_a * turning_jerk(spin_a) + lever_b * turning_jerk(spin_b);
  return {acceleration + speed * speed / distance,
          jerk + 3 * speed / distance * (acceleration + speed * speed / distance)};
}

struct TurningMatters {
  bool a, b;
};
TurningMatters turning_matters(const PointPlane& pair) { return {!pair.p_A.isZero(0), true}; }
TurningMatters turning_matters(const BallBall& pair) {
  return {!pair.p_A.isZero(0), !pair.p_B.isZero(0)};
}

void place(const RigidMotion& motion, double s, bool turning, Pose& X, Twist& V, Twist& A) {
  X.p = position_at(motion, s);
  V.v = velocity_at(motion, s);
  A.v = motion.a;
  if (!turning) return;
  const math::RotationState rotation = math::rotation_at(motion.rotation, s);
  X.q = rotation.q;
  V.w = rotation.w;
  A.w = rotation.w_rate;
}

Vec3 on_body(const ShapeOnBody& at, const Vec3& point) { return at.X_BS * point; }

void append_points_on_plane(const ShapeOnBody& a, const ShapeOnBody& b,
                            std::vector<FeaturePair>& out) {
  const Plane& plane = std::get<Plane>(b.shape);
  const Vec3 n = b.X_BS.q * plane.normal;
  const double offset = n.dot(on_body(b, plane.offset * plane.normal));
  RoundedPoints corners;
  base::check(find_rounded_points(a.shape, corners), "the shape table names shapes with points");
  for (const Vec3& point : corners.points) {
    out.emplace_back(PointPlane{on_body(a, point), corners.radius, n, offset});
  }
}

void append_ball_on_ball(const ShapeOnBody& a, const ShapeOnBody& b,
                         std::vector<FeaturePair>& out) {
  out.emplace_back(BallBall{a.X_BS.p, b.X_BS.p, std::get<Sphere>(a.shape).radius,
                            std::get<Sphere>(b.shape).radius});
}

}  // namespace

PairKinematics kinematics_at(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b,
                             double s) {
  const auto [turns_a, turns_b] =
      std::visit([](const auto& p) { return turning_matters(p); }, pair);
  PairKinematics at;
  place(a, s, turns_a, at.X_WA, at.V_A, at.A_A);
  place(b, s, turns_b, at.X_WB, at.V_B, at.A_B);
  return at;
}

ContactPoint contact_point(const FeaturePair& pair, const Pose& X_WA, const Pose& X_WB) {
  return std::visit([&](const auto& p) { return contact_point_of(p, X_WA, X_WB); }, pair);
}

math::Sample compute_gap(const FeaturePair& pair, const PairKinematics& at) {
  return std::visit([&](const auto& p) { return gap_of(p, at); }, pair);
}

GapBounds bound_gap(const FeaturePair& pair, const RigidMotion& a, const RigidMotion& b,
                    double duration) {
  return std::visit([&](const auto& p) { return bounds_of(p, a, b, duration); }, pair);
}

// The table of shape pairs, in the order of the variant `Shape`:
// sphere box capsule cylinder cone ellipsoid plane hull.
PairMethod pair_method(const Shape& a, const Shape& b) {
  constexpr auto no = PairRoutine::Unsupported;
  constexpr auto pp = PairRoutine::PointsOnPlane;
  constexpr auto bb = PairRoutine::BallOnBall;
  constexpr std::size_t n = std::variant_size_v<Shape>;
  constexpr std::array<std::array<PairRoutine, n>, n> table = {{
      {bb, no, no, no, no, no, pp, no},                    // sphere
      {no, no, no, no, no, no, pp, no},                    // box
      {no, no, no, no, no, no, pp, no},                    // capsule
      {no, no, no, no, no, no, no, no},                    // cylinder
      {no, no, no, no, no, no, no, no},                    // cone
      {no, no, no, no, no, no, no, no},                    // ellipsoid
      {pp, pp, pp, no, no, no, PairRoutine::Ignored, pp},  // plane
      {no, no, no, no, no, no, pp, no},                    // hull
  }};
  const bool swapped = std::holds_alternative<Plane>(a);
  return {table[a.index()][b.index()], swapped};
}

void append_feature_pairs(PairRoutine routine, const ShapeOnBody& a, const ShapeOnBody& b,
                          std::vector<FeaturePair>& out) {
  switch (routine) {
    case PairRoutine::Unsupported:
    case PairRoutine::Ignored:
      return;
    case PairRoutine::PointsOnPlane:
      return append_points_on_plane(a, b, out);
    case PairRoutine::BallOnBall:
      return append_ball_on_ball(a, b, out);
  }
}

}  // namespace carom::geometry
