// The members of PortalRefinement; included by mpr.h alone.
#pragma once

#include <utility>

namespace carom::geometry {

template <typename A, typename B>
Simplex::Vertex PortalRefinement<A, B>::support(const Vec3& outward) {
  const Vec3 a = a_(outward), b = p_ + R_ * b_(R_.transpose() * -outward);
  return {a - b, a, b};
}

// The mean of support points all around.
template <typename A, typename B>
Vec3 PortalRefinement<A, B>::interior_point() {
  Vec3 sum = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    sum += support(Vec3::Unit(axis)).w + support(-Vec3::Unit(axis)).w;
  }
  return sum / 6;
}

template <typename A, typename B>
bool PortalRefinement<A, B>::find_portal() {
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

template <typename A, typename B>
bool PortalRefinement<A, B>::refine_portal() {
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

template <typename A, typename B>
Distance PortalRefinement<A, B>::overlapping(const Vec3& outward, const Simplex::Vertex& farthest) {
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
template <typename A, typename B>
void PortalRefinement<A, B>::turn_ray() {
  Distance best = found_;
  for (int turn = 0; turn < kTurns && best.status == DistanceStatus::Converged; ++turn) {
    v0_ = 1e-3 * -best.value * best.normal;
    if (best.value == 0 || !find_portal() || !refine_portal()) break;
    if (found_.value <= best.value + tolerance_) break;
    best = found_;
  }
  found_ = best;
}

template <typename A, typename B>
void PortalRefinement<A, B>::follow_nearest() {
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

template <typename A, typename B>
Distance PortalRefinement<A, B>::run() {
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

}  // namespace carom::geometry
