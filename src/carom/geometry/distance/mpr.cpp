#include "carom/geometry/distance/mpr.h"

#include <algorithm>
#include <utility>

#include "carom/base/check.h"
#include "carom/geometry/distance/simplex.h"
#include "carom/geometry/shapes/rounded.h"

namespace carom::geometry {

namespace {

// The refinement for two support mappings, in a's frame, without the balls.
class PortalRefinement {
 public:
  PortalRefinement(const Support& a, const Support& b, const Pose& X_AB, double tolerance)
      : a_(a), b_(b), p_(X_AB.p), R_(X_AB.q.toRotationMatrix()), tolerance_(tolerance) {}

  Distance run();

 private:
  static constexpr int kCap = 500;
  static constexpr int kTurns = 10;

  // The point of a - b farthest along an outward direction.
  Simplex::Vertex support(const Vec3& outward);
  Vec3 interior_point();
  bool find_portal();    // false: apart
  bool refine_portal();  // false: apart
  void follow_nearest();
  void turn_ray();
  Distance overlapping(const Vec3& outward, const Simplex::Vertex& farthest);

  Support a_, b_;
  Vec3 p_;
  Mat3 R_;
  double tolerance_;
  Vec3 v0_ = Vec3::Zero();
  Simplex portal_;
  Distance found_;
  int iterations_ = 0;
};

Simplex::Vertex PortalRefinement::support(const Vec3& outward) {
  const Vec3 a = a_(outward), b = p_ + R_ * b_(R_.transpose() * -outward);
  return {a - b, a, b};
}

// The mean of support points all around.
Vec3 PortalRefinement::interior_point() {
  Vec3 sum = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    sum += support(Vec3::Unit(axis)).w + support(-Vec3::Unit(axis)).w;
  }
  return sum / 6;
}

bool PortalRefinement::find_portal() {
  auto& v = portal_.vertices;
  portal_.count = 1;
  v[0] = support(-v0_);
  if (v[0].w.dot(-v0_) <= 0) return false;
  Vec3 direction = v0_.cross(v[0].w);
  if (direction.norm() <= 1e-14 * v0_.norm() * v[0].w.norm()) {  // the origin is on the ray
    direction = math::make_tangents(v0_.normalized()).first;
  }
  portal_.count = 2;
  v[1] = support(direction);
  if (v[1].w.dot(direction) <= 0) return false;
  direction = (v[0].w - v0_).cross(v[1].w - v0_);
  if (direction.dot(v0_) > 0) {
    std::swap(v[0], v[1]);
    direction = -direction;
  }
  for (; iterations_ < kCap; ++iterations_) {
    portal_.count = 3;
    v[2] = support(direction);
    if (v[2].w.dot(direction) <= 0) return false;
    if (v[0].w.cross(v[2].w).dot(v0_) < 0) {
      v[1] = v[2];
    } else if (v[2].w.cross(v[1].w).dot(v0_) < 0) {
      v[0] = v[2];
    } else {
      return true;
    }
    direction = (v[0].w - v0_).cross(v[1].w - v0_);
  }
  return true;
}

bool PortalRefinement::refine_portal() {
  auto& v = portal_.vertices;
  for (;; ++iterations_) {
    Vec3 outward = (v[1].w - v[0].w).cross(v[2].w - v[0].w);
    if (outward.norm() == 0) outward = -v0_;
    outward.normalize();
    if (outward.dot(v[0].w - v0_) < 0) outward = -outward;
    const Simplex::Vertex next = support(outward);
    const double beyond = outward.dot(next.w);
    if (beyond < 0) return false;
    const bool closed = beyond - outward.dot(v[0].w) <= tolerance_ || portal_.has(next.w);
    if (closed || iterations_ >= kCap) {
      found_ = overlapping(outward, next);
      if (!closed) found_.status = DistanceStatus::IterationCap;
      return true;
    }
    const Vec3 side = next.w.cross(v0_);
    if (v[0].w.dot(side) > 0) {
      (v[1].w.dot(side) > 0 ? v[0] : v[2]) = next;
    } else {
      (v[2].w.dot(side) > 0 ? v[1] : v[0]) = next;
    }
  }
}

Distance PortalRefinement::overlapping(const Vec3& outward, const Simplex::Vertex& farthest) {
  Distance out;
  out.value = -outward.dot(farthest.w);
  out.normal = -outward;
  Simplex near = portal_;
  near.reduce();
  const Vec3 x = near.nearest_a(), y = near.nearest_b();
  const Vec3 error = 0.5 * (x - y - out.value * out.normal);
  out.p_A = x - error;
  out.p_B = y + error;
  return out;
}

// A ray along the normal found meets a surface at least as near, as long as it starts inside.
void PortalRefinement::turn_ray() {
  Distance best = found_;
  for (int turn = 0; turn < kTurns && best.status == DistanceStatus::Converged; ++turn) {
    v0_ = 1e-3 * -best.value * best.normal;
    if (best.value == 0 || !find_portal() || !refine_portal()) break;
    if (found_.value <= best.value + tolerance_) break;
    best = found_;
  }
  found_ = best;
}

void PortalRefinement::follow_nearest() {
  Vec3 v = portal_.reduce();
  double lower = -HUGE_VAL;
  for (; iterations_ < kCap && v.norm() > 0; ++iterations_) {
    const Vec3 n = v.normalized();
    const Simplex::Vertex next = support(-n);
    lower = std::max(lower, n.dot(next.w));
    if (v.norm() - lower <= tolerance_ || portal_.has(next.w) || portal_.count == 4) break;
    Simplex grown = portal_;
    grown.add(next.w, next.a, next.b);
    const Vec3 nearer = grown.reduce();
    if (nearer.norm() >= v.norm()) break;
    portal_ = grown;
    v = nearer;
  }
  const bool closed = v.norm() - std::max(lower, 0.0) <= tolerance_;
  found_.status = closed ? DistanceStatus::Converged : DistanceStatus::IterationCap;
  found_.value = v.norm();
  if (found_.value > 0) found_.normal = v / found_.value;
  found_.p_A = portal_.nearest_a();
  found_.p_B = portal_.nearest_b();
}

Distance PortalRefinement::run() {
  v0_ = interior_point();
  if (v0_.norm() <= tolerance_) v0_ = Vec3::Constant(tolerance_);
  const bool overlap = find_portal() && refine_portal();
  const Distance along_ray = found_;
  follow_nearest();
  // A difference without volume, of points, segments and triangles, has portals that mean nothing.
  if (overlap && found_.value <= tolerance_) {
    found_ = along_ray;
    turn_ray();
  }
  found_.iterations = iterations_;
  return found_;
}

}  // namespace

Distance compute_mpr(const Placed& a, const Placed& b, const MprOptions& options) {
  const auto is_plane = [](const Placed& placed) {
    return std::holds_alternative<Plane>(placed.convex.shape);
  };
  base::check(!is_plane(a) && !is_plane(b), "portals are refined between bounded shapes");
  const Rounded core_a = make_rounded(a.convex), core_b = make_rounded(b.convex);
  const Quat back = a.X_WS.q.conjugate();
  const Pose X_AB{back * (b.X_WS.p - a.X_WS.p), back * b.X_WS.q};
  const double size = std::max(a.convex.radius, b.convex.radius);
  Distance out =
      PortalRefinement(core_a.support, core_b.support, X_AB, options.tolerance * size).run();
  const double radius_a = core_a.radius + options.radius_a;
  const double radius_b = core_b.radius + options.radius_b;
  out.value -= radius_a + radius_b;
  out.p_A = a.X_WS * (out.p_A - radius_a * out.normal);
  out.p_B = a.X_WS * (out.p_B + radius_b * out.normal);
  out.normal = a.X_WS.q * out.normal;
  return out;
}

}  // namespace carom::geometry
