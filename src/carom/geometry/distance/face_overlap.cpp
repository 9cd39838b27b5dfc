#include "carom/geometry/distance/face_overlap.h"

#include "carom/geometry/distance/simplex.h"

namespace carom::geometry {

namespace {

// Facets with many corners need about as many steps as the logarithm of their number.
constexpr int kStepCap = 64;

struct View {
  const SupportFace& set;
  const Pose& pose;

  // Discs count as their centres.
  Vec3 farthest(const Vec3& direction) const {
    const Vec3 m = pose.q.conjugate() * direction;
    if (set.kind == SupportFace::Kind::Segment)
      return pose * (set.q.dot(m) > set.p.dot(m) ? set.q : set.p);
    if (set.kind != SupportFace::Kind::Polygon) return pose * set.p;
    double height = -HUGE_VAL;
    Vec3 best = set.p;
    for (const int corner : set.polytope->corners_of(set.feature.index)) {
      const Vec3& vertex = set.polytope->vertices[static_cast<std::size_t>(corner)];
      if (vertex.dot(m) <= height) continue;
      height = vertex.dot(m);
      best = vertex;
    }
    return pose * best;
  }
  double radius() const { return set.kind == SupportFace::Kind::Disc ? set.radius : 0; }
};

Vec3 across(const Vec3& v, const Vec3& n) { return v - n * n.dot(v); }

// Nearest points of the sets without the discs' radii: Gilbert, Johnson and Keerthi in the plane.
FaceOverlap find_nearest(const View& a, const View& b, const Vec3& n) {
  Simplex simplex;
  const Vec3 a0 = a.farthest(Vec3::Zero()), b0 = b.farthest(Vec3::Zero());
  simplex.add(across(a0 - b0, n), a0, b0);
  Vec3 v = simplex.reduce();
  for (int step = 0; step < kStepCap && v.squaredNorm() > 0; ++step) {
    const Vec3 x = a.farthest(-v), y = b.farthest(v);
    const Vec3 w = across(x - y, n);
    if (v.dot(v - w) <= 1e-15 * v.squaredNorm() || simplex.has(w)) break;
    Simplex grown = simplex;
    grown.add(w, x, y);
    const Vec3 next = grown.reduce();
    if (next.squaredNorm() >= v.squaredNorm()) break;
    simplex = grown;
    v = next;
  }
  return {simplex.nearest_a(), simplex.nearest_b(), v.norm()};
}

}  // namespace

FaceOverlap find_face_overlap(const SupportFace& a, const SupportFace& b, const Pose& X_AB,
                              const Vec3& n) {
  const Pose identity;
  const View in_a{a, identity}, in_b{b, X_AB};
  FaceOverlap facing = find_nearest(in_a, in_b, n);
  const double reach = in_a.radius() + in_b.radius();
  if (reach == 0) return facing;
  const Vec3 step = across(facing.y - facing.x, n);
  const double part = facing.apart <= reach ? 1 / reach : 1 / facing.apart;
  facing.x += in_a.radius() * part * step;
  facing.y -= in_b.radius() * part * step;
  facing.apart = std::max(0.0, facing.apart - reach);
  return facing;
}

}  // namespace carom::geometry
