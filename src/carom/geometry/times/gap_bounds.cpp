#include "carom/geometry/times/gap_bounds.h"

#include <algorithm>
#include <cmath>

namespace carom::geometry {

namespace {

using math::SpinBounds;

// Bounds on the first three derivatives of a quantity.
struct Rates {
  double first = 0, second = 0, third = 0;
};

// Of a unit vector d that turns with a body: ḋ = ω×d, and |ω×d| grows at most by ω̇ and by ω|ω×d|.
Rates bound_direction(const SpinBounds& spin, double across_now, double duration) {
  const double growth = std::exp(std::min(spin.speed * duration, 30.0));
  const double first = std::min(spin.speed, (across_now + spin.acceleration * duration) * growth);
  const double second = spin.acceleration + spin.speed * first;
  return {first, second, spin.jerk + 2 * spin.acceleration * first + spin.speed * second};
}

Rates bound_direction(const BodyBounds& body, const Vec3& d, double duration) {
  return bound_direction(body.spin, body.V.w.cross(d).norm(), duration);
}

double bound_speed(const BodyBounds& body, double lever, double duration) {
  const double linear = std::max(body.V.v.norm(), (body.V.v + duration * body.a).norm());
  return linear + 0.5 * body.jerk * duration * duration + lever * body.spin.speed;
}

double turning_acceleration(const SpinBounds& spin) {
  return spin.speed * spin.speed + spin.acceleration;
}
double turning_jerk(const SpinBounds& spin) {
  return spin.jerk + 3 * spin.acceleration * spin.speed + spin.speed * spin.speed * spin.speed;
}

// A body against a plane that turns with another: what every feature on a plane needs.
struct OverPlane {
  Rates n;          // of the normal, world axes
  double across_a;  // |ω_a × n|

  OverPlane(const BodyBounds& a, const BodyBounds& b, const Vec3& normal, double duration)
      : n(bound_direction(b, normal, duration)),
        across_a(std::min(a.spin.speed,
                          a.V.w.cross(normal).norm() +
                              (a.spin.acceleration + a.spin.speed * n.first) * duration)) {}

  // Of n·(ω̇×r + ω×(ω×r)) per metre of r, and of its rate without the part from ṅ.
  double turning(const SpinBounds& spin) const { return across_a * spin.speed + spin.acceleration; }
  double turning_rate(const SpinBounds& spin) const {
    return spin.jerk + 3 * spin.acceleration * spin.speed + spin.speed * spin.speed * across_a;
  }
};

// g = n·u, u from b's centre of mass to the point: g̈ = n̈·u + 2ṅ·u̇ + n·ü, and so on.
GapBounds bound_point(const OverPlane& over, const BodyBounds& a, double lever, const BodyBounds& b,
                      const Vec3& normal, double duration) {
  const Vec3 acceleration = a.a - b.a;
  const double change = bound_change(a, b, duration);
  const double along = std::abs(normal.dot(acceleration)) +
                       over.n.first * duration * acceleration.norm() +
                       lever * over.turning(a.spin) + change;
  const double jerk_along = lever * over.turning_rate(a.spin) + (a.jerk + b.jerk);
  if (over.n.first == 0 && over.n.second == 0) return {along, jerk_along};
  const double speed = bound_speed(a, lever, duration) + bound_speed(b, 0, duration);
  const double reach = (a.X.p - b.X.p).norm() + lever + speed * duration;
  const double u_second = acceleration.norm() + lever * turning_acceleration(a.spin) + change;
  return {
      over.n.second * reach + 2 * over.n.first * speed + along,
      over.n.third * reach + 3 * over.n.second * speed + 3 * over.n.first * u_second + jerk_along};
}

GapBounds bounds_of(const PointPlane& pair, const BoundedBodies& on) {
  return bound_over_plane(on.a, pair.p_A.norm(), on.b, on.b.X.q * pair.n_B, on.duration);
}

// |m|⃛ is at most |m⃛| + 3 |ṁ| |m̈| / |m| + 3 |ṁ|³ / |m|².
GapBounds bound_length(const Rates& m, double least) {
  const double second = m.second + m.first * m.first / least;
  return {second, m.third + 3 * m.first / least * second};
}

// The distance is at least the sum of the radii until they touch.
GapBounds bounds_of(const BallBall& pair, const BoundedBodies& on) {
  const double lever_a = pair.p_A.norm();
  const double lever_b = pair.p_B.norm();
  const Vec3 v = on.a.V.v - on.b.V.v;
  const Vec3 dv = on.duration * (on.a.a - on.b.a);
  const double change = bound_change(on.a, on.b, on.duration);
  const double speed = std::max(v.norm(), (v + dv).norm()) + lever_a * on.a.spin.speed +
                       lever_b * on.b.spin.speed + 0.5 * change * on.duration;
  const double acceleration = (on.a.a - on.b.a).norm() + lever_a * turning_acceleration(on.a.spin) +
                              lever_b * turning_acceleration(on.b.spin) + change;
  const double jerk = lever_a * turning_jerk(on.a.spin) + lever_b * turning_jerk(on.b.spin) +
                      (on.a.jerk + on.b.jerk);
  return bound_length({speed, acceleration, jerk}, pair.radius_a + pair.radius_b);
}

// Of the vector d between a point of each body.
struct Between {
  double length;
  Rates d;

  Between(const BoundedBodies& on, const Vec3& r_a, const Vec3& r_b) {
    const double lever_a = r_a.norm(), lever_b = r_b.norm(), T = on.duration;
    d.third = lever_a * turning_jerk(on.a.spin) + lever_b * turning_jerk(on.b.spin) +
              (on.a.jerk + on.b.jerk);
    d.second = (on.a.a - on.b.a).norm() + lever_a * turning_acceleration(on.a.spin) +
               lever_b * turning_acceleration(on.b.spin) + bound_change(on.a, on.b, T);
    d.first = (on.a.V.at(r_a) - on.b.V.at(r_b)).norm() + d.second * T;
    length = (on.a.X.p + r_a - on.b.X.p - r_b).norm() + d.first * T;
  }
};

// Of m = d × e, whose length is the distance from a line.
struct AcrossLine {
  Rates e, m;

  AcrossLine(const BallEdge& pair, const BoundedBodies& on) {
    const Vec3 r_a = on.a.X.q * pair.p_A, r_b = on.b.X.q * pair.p_B, along = on.b.X.q * pair.e_B;
    const Between between(on, r_a, r_b);
    const Rates& d = between.d;
    e = bound_direction(on.b, along, on.duration);
    const double now = (on.a.V.at(r_a) - on.b.V.at(r_b)).cross(along).norm();
    m = {now + (d.second + d.first * e.first) * on.duration + between.length * e.first,
         d.second + 2 * d.first * e.first + between.length * e.second,
         d.third + 3 * d.second * e.first + 3 * d.first * e.second + between.length * e.third};
  }
};

GapBounds bounds_of(const BallEdge& pair, const BoundedBodies& on) {
  return bound_length(AcrossLine(pair, on).m, pair.radius_a + pair.radius_b);
}

// The sine w of the angle between normal and axis, from its cosine c: w² = 1 - c², differentiated
// three times. Nothing is known where the axis may come close to the normal.
Rates bound_sine(double c, const Rates& rates, double duration) {
  const double most = std::abs(c) + rates.first * duration;
  if (most > 0.99) return {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  const double least = std::sqrt(1 - most * most);
  const double first = most * rates.first / least;
  const double second = (rates.first * rates.first + most * rates.second + first * first) / least;
  return {first, second,
          (3 * rates.first * rates.second + most * rates.third + 3 * first * second) / least};
}

GapBounds bounds_of(const RimPlane& pair, const BoundedBodies& on) {
  const Vec3 n = on.b.X.q * pair.n_B;
  const Vec3 axis = on.a.X.q * pair.e_A;
  const OverPlane over(on.a, on.b, n, on.duration);
  const Rates turn = bound_direction(on.a, axis, on.duration);
  const Rates cosine{
      over.n.first + turn.first, over.n.second + 2 * over.n.first * turn.first + turn.second,
      over.n.third + 3 * over.n.second * turn.first + 3 * over.n.first * turn.second + turn.third};
  const Rates sine = bound_sine(n.dot(axis), cosine, on.duration);
  const GapBounds center = bound_point(over, on.a, pair.c_A.norm(), on.b, n, on.duration);
  return {center.curvature + pair.radius * sine.second, center.jerk + pair.radius * sine.third};
}

// The height of an ellipsoid's centre above its lowest point is f = |D u| with u the normal in its
// frame: f f̈ + ḟ² = |Du̇|² + Du·Dü, and once more.
GapBounds bounds_of(const EllipsoidPlane& pair, const BoundedBodies& on) {
  const Vec3 normal = on.b.X.q * pair.n_B;
  const OverPlane over(on.a, on.b, normal, on.duration);
  const SpinBounds& spin = on.a.spin;
  const Rates& n = over.n;
  const double most = pair.radii.maxCoeff(), least = pair.radii.minCoeff();
  const Rates Du{most * (n.first + over.across_a),
                 most * (n.second + 2 * spin.speed * n.first + over.turning(spin)),
                 most * (n.third + 3 * spin.speed * n.second +
                         3 * turning_acceleration(spin) * n.first + over.turning_rate(spin))};
  const double second = Du.first * Du.first / least + Du.second;
  const double third = 3 * Du.first * (second + Du.second) / least + Du.third;
  const GapBounds center = bound_point(over, on.a, pair.X_AS.p.norm(), on.b, normal, on.duration);
  return {center.curvature + second, center.jerk + third};
}

// Of the unit normal n = m/|m| of two edges, m = e_a × e_b, by differentiating s n = m; nothing is
// known where the edges may become parallel.
Rates bound_normal(double sine, const Rates& e_a, const Rates& e_b, double duration) {
  const double m1 = e_a.first + e_b.first;
  const double m2 = e_a.second + 2 * e_a.first * e_b.first + e_b.second;
  const double m3 = e_a.third + 3 * e_a.second * e_b.first + 3 * e_a.first * e_b.second + e_b.third;
  const double s = sine - m1 * duration;
  if (!(s > 0)) return {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  const double s2 = m2 + m1 * m1 / s;
  const double s3 = m3 + 3 * m1 * m2 / s + 3 * m1 * m1 * m1 / (s * s);
  const double first = m1 / s;
  const double second = (m2 + 2 * first * m1 + s2) / s;
  return {first, second, (m3 + 3 * second * m1 + 3 * first * s2 + s3) / s};
}

// What a point within `lever` adds to n·d̈ and its rate, n turning at most at n_rate.
GapBounds bound_end(const BodyBounds& body, double lever, const Vec3& n, double n_rate,
                    double duration) {
  const SpinBounds& spin = body.spin;
  const double across = std::min(
      spin.speed, body.V.w.cross(n).norm() + (spin.acceleration + spin.speed * n_rate) * duration);
  return {
      lever * (across * spin.speed + spin.acceleration),
      lever * (spin.jerk + 3 * spin.acceleration * spin.speed + spin.speed * spin.speed * across)};
}

// g = n·d with d between a point of each edge: small where those points are the touching ones.
GapBounds bounds_of(const EdgeEdge& pair, const BoundedBodies& on) {
  const Vec3 e_a = on.a.X.q * pair.e_A, e_b = on.b.X.q * pair.e_B;
  const Vec3 r_a = on.a.X.q * pair.p_A, r_b = on.b.X.q * pair.p_B;
  const double sine = e_a.cross(e_b).norm(), T = on.duration;
  const Rates n =
      bound_normal(sine, bound_direction(on.a, e_a, T), bound_direction(on.b, e_b, T), T);
  if (!std::isfinite(n.third)) return {};
  const Vec3 normal = e_a.cross(e_b) / sine;
  const Vec3 acceleration = on.a.a - on.b.a;
  const GapBounds a = bound_end(on.a, r_a.norm(), normal, n.first, T);
  const GapBounds b = bound_end(on.b, r_b.norm(), normal, n.first, T);
  const double change = bound_change(on.a, on.b, T);
  const Between between(on, r_a, r_b);
  const Rates& d = between.d;
  return {n.second * between.length + 2 * n.first * d.first + std::abs(normal.dot(acceleration)) +
              n.first * T * acceleration.norm() + a.curvature + b.curvature + change,
          n.third * between.length + 3 * n.second * d.first + 3 * n.first * d.second + a.jerk +
              b.jerk + (on.a.jerk + on.b.jerk)};
}

// θ̈ = (α_a - α_b)·z + (ω_a - ω_b)·ż, and once more.
GapBounds bounds_of(const HingeStop& pair, const BoundedBodies& on) {
  const SpinBounds &a = on.a.spin, &b = on.b.spin;
  const Rates z = bound_direction(on.a, on.a.X.q * (pair.X_AJ.q * Vec3::UnitZ()), on.duration);
  const double spin = a.speed + b.speed, acceleration = a.acceleration + b.acceleration;
  return {pair.lever * (acceleration + spin * z.first),
          pair.lever * (a.jerk + b.jerk + 2 * acceleration * z.first + spin * z.second)};
}

// Of d²/2L: (|ḋ|² + d·d̈)/L, and once more.
GapBounds bounds_of(const Tether& pair, const BoundedBodies& on) {
  const Between between(on, on.a.X.q * pair.p_A, on.b.X.q * pair.p_B);
  const Rates& d = between.d;
  return {(d.first * d.first + between.length * d.second) / pair.length,
          (3 * d.first * d.second + between.length * d.third) / pair.length};
}

GapBounds bounds_of(const Nearest&, const BoundedBodies&) { return {}; }

}  // namespace

BodyBounds bound_motion(const RigidMotion& motion, const Interval& interval) {
  const math::RotationState rotation = math::rotation_at(motion.rotation, interval.start);
  const math::VectorSample center = center_at(motion, interval.start);
  return {{center.value, rotation.q},
          {center.rate, rotation.w},
          center.acceleration,
          math::spin_bounds(motion.rotation, interval.end),
          jerk_bound(motion, interval.end)};
}

GapBounds bound_over_plane(const BodyBounds& a, double lever, const BodyBounds& b, const Vec3& n,
                           double duration) {
  return bound_point(OverPlane(a, b, n, duration), a, lever, b, n, duration);
}

double bound_turning(const BodyBounds& body, double lever, const Vec3& n, double duration) {
  const double across =
      std::min(body.spin.speed, body.V.w.cross(n).norm() + body.spin.acceleration * duration);
  return lever * (across * body.spin.speed + body.spin.acceleration);
}

double bound_turn_rate(const BodyBounds& body, const Vec3& d, double duration) {
  return bound_direction(body, d, duration).first;
}

double bound_normal_rate(const BallEdge& pair, const BoundedBodies& on) {
  const AcrossLine across(pair, on);
  return across.e.first + across.m.first / (pair.radius_a + pair.radius_b);
}

BoundedBodies bound_bodies(const RigidMotion& a, const RigidMotion& b, const Interval& interval) {
  return {bound_motion(a, interval), bound_motion(b, interval), interval.end - interval.start};
}

GapBounds bound_gap(const FeaturePair& pair, const BoundedBodies& on) {
  return std::visit([&](const auto& p) { return bounds_of(p, on); }, pair);
}

}  // namespace carom::geometry
