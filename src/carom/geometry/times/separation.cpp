#include "carom/geometry/times/separation.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/shapes/rounded.h"
#include "carom/math/first_descent.h"

namespace carom::geometry {

namespace {

constexpr int kMaxProbes = 40;
constexpr double kCloseEnough = 0.05;  // relative: the caller asks again from there

struct Core {
  double radius;  // of a ball about the shape's origin around the core
  double margin;
};

Core core_of(const Convex& convex) {
  if (const Sphere* sphere = std::get_if<Sphere>(&convex.shape)) return {0, sphere->radius};
  if (const Capsule* capsule = std::get_if<Capsule>(&convex.shape)) {
    return {0.5 * capsule->length, capsule->radius};
  }
  return {convex.radius, 0};
}

// Where a concave function that is not negative at 0 falls below zero, from below, if that is after
// `from`, else `from`: a chord lies under the function, so its root comes too early if anything.
// Probes lie where a parabola through the same two values would end.
template <typename Function>
double last_positive(const Function& f, double from, double limit) {
  double low = from, f_low = f(from);
  if (from > 0 && f_low < 0) return from;
  f_low = std::max(0.0, f_low);
  double high = limit, f_high = f(high);
  if (f_high >= 0) return limit;
  double safe = from;
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

// By how much the least of d·r over the core changes when d becomes d + τ ḋ. Written with
// differences of support points, it is exact as long as the lowest point stays the same, however
// small τ is. In the shape's own axes.
class LowestPoint {
 public:
  LowestPoint(const FlyingShape& shape, const Vec3& d, const Vec3& d_rate)
      : shape_(shape),
        d_(shape.q_WS.conjugate() * d),
        d_rate_(shape.q_WS.conjugate() * d_rate),
        shift_(d_rate.dot(shape.center)),
        start_(shape.support(-d_)),
        stands_(d_rate.isZero(0)) {}
  double change(double t) const {
    if (stands_) return 0;
    const Vec3 lowest = shape_.support(-(d_ + t * d_rate_));
    return d_.dot(lowest - start_) + t * (shift_ + d_rate_.dot(lowest));
  }

 private:
  const FlyingShape& shape_;
  Vec3 d_, d_rate_;
  double shift_;
  Vec3 start_;
  bool stands_;
};

// How fast the centres can accelerate towards each other along n.
double bound_closing(const BodyBounds& a, const BodyBounds& b, const Vec3& n, double duration) {
  return std::max(0.0, bound_change(a, b, duration) - n.dot(a.a - b.a));
}

// All waits are those that are longer than `from`, else `from`; `above` is the gap over the level.

// With d at rest, d·r of a point changes by τ d·(ω×r) = τ r·(d×ω).
double wait_with_standing(const FlyingShape& a, const FlyingShape& b, const GapNow& above,
                          double from, double duration) {
  const Vec3& n = above.n;
  const BodyBounds &A = a.body, &B = b.body;
  const double rate = n.dot(A.V.v - B.V.v);
  const double curvature = bound_turning(A, a.lever, n, duration) +
                           bound_turning(B, b.lever, n, duration) +
                           bound_closing(A, B, n, duration);
  const LowestPoint of_a(a, n, n.cross(A.V.w)), of_b(b, -n, -n.cross(B.V.w));
  return last_positive(
      [&](double t) {
        return above.value + t * (rate - 0.5 * curvature * t) + of_a.change(t) + of_b.change(t);
      },
      from, duration);
}

// With ḋ = ω_b×d, d·r of a point of a changes by τ r·((ω_b - ω_a)×d), and b's points stay.
double wait_with_turning(const FlyingShape& a, const FlyingShape& b, const GapNow& above,
                         double from, double duration) {
  const Vec3& n = above.n;
  const BodyBounds &A = a.body, &B = b.body;
  const double rate = B.V.w.cross(n).dot(A.X.p - B.X.p) + n.dot(A.V.v - B.V.v);
  const double curvature = bound_over_plane(A, a.lever, B, n, duration).curvature;
  const LowestPoint of_a(a, n, (B.V.w - A.V.w).cross(n));
  return last_positive(
      [&](double t) { return above.value + t * (rate - 0.5 * curvature * t) + of_a.change(t); },
      from, duration);
}

double wait_of_balls(const FlyingShape& a, const FlyingShape& b, double level, double duration) {
  const BodyBounds &A = a.body, &B = b.body;
  const Vec3 apart = A.X.p - B.X.p;
  const double distance = apart.norm();
  const double height = distance - a.lever - b.lever - a.margin - b.margin - level;
  if (!(height > 0)) return 0;
  const Vec3 n = apart / distance;
  const double wait =
      math::time_to_descend(height, n.dot(A.V.v - B.V.v), bound_closing(A, B, n, duration));
  return std::min(wait, duration);
}

// A plane's own direction is the only one it has, so it counts as turning.
bool turns(const FlyingShape& shape) { return shape.is_plane() || shape.body.spin.speed > 0; }

}  // namespace

Vec3 FlyingShape::support(const Vec3& d_S) const {
  if (const Plane* plane = std::get_if<Plane>(&convex.shape)) return plane->offset * plane->normal;
  return make_rounded(convex).support(d_S);
}

FlyingShape make_flying_shape(const Convex& convex, const Pose& X_BS, const BodyBounds& body) {
  const Core core = core_of(convex);
  return {convex,     body, body.X.q * X_BS.p, body.X.q * X_BS.q, X_BS.p.norm() + core.radius,
          core.margin};
}

double wait_apart(const FlyingShape& a, const FlyingShape& b, const GapNow& gap, double level,
                  double duration) {
  const GapNow above{gap.n, std::max(0.0, gap.value - level)};
  const GapNow seen_from_b{-gap.n, above.value};
  double longest = 0;
  if (!a.is_plane() && !b.is_plane()) {
    longest = wait_of_balls(a, b, level, duration);
    if (longest < duration) longest = wait_with_standing(a, b, above, longest, duration);
  }
  if (longest < duration && !a.is_plane() && turns(b))
    longest = wait_with_turning(a, b, above, longest, duration);
  if (longest < duration && !b.is_plane() && turns(a))
    longest = wait_with_turning(b, a, seen_from_b, longest, duration);
  return longest;
}

}  // namespace carom::geometry
