// Minkowski Portal Refinement (Snethen 2008), extended to shapes that are apart as in Neumayr &
// Otter, §2.3: a signed distance from support mappings alone, fit to be a zero-crossing function.
//
// A ball of radius r_A rolls over a, one of radius r_B over b: edges and vertices become round, so
// the normal is unique and turns continuously with the motion. The routine works on the shapes
// inside the balls. While these are apart, that is for |δ| < r_A + r_B, δ is the distance of the
// rounded shapes to the tolerance; when they overlap too, δ is the depth along a normal found by
// casting rays, hardly ever less than the true depth and often more.
//
// Special situations: centres that coincide (the ray starts beside them), an origin on the first
// ray (its direction is the normal), a portal without area (its edges carry the nearest point). The
// refinement ends when the next support point is no farther than the tolerance beyond the portal,
// above which the paper's rule stops too, or apart, when lower and upper bound of the distance are
// that close; the portal then follows the nearest point instead of the ray.
//
// The method elastic measures by it with "distance": "mpr" (methods/elastic/pair_measure.h); by
// default, and in all other methods, distances are those of distance.h.
#pragma once

#include "carom/geometry/distance/distance.h"
#include "carom/geometry/distance/simplex.h"
#include "carom/geometry/shapes/support.h"

namespace carom::geometry {

struct MprOptions {
  double radius_a = 0, radius_b = 0;  // m; of the balls that smooth the shapes
  double tolerance = 1e-9;            // of the larger shape's size
};

// In the world. Spheres and capsules are round by themselves; planes are no matter of this routine.
[[nodiscard]] Distance compute_mpr(const Placed& a, const Placed& b, const MprOptions& options);

// The refinement for two support mappings, in a's frame, without the balls.
template <typename SupportA, typename SupportB>
class PortalRefinement {
 public:
  PortalRefinement(const SupportA& a, const SupportB& b, const Pose& X_AB, double tolerance)
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

  SupportA a_;
  SupportB b_;
  Vec3 p_;
  Mat3 R_;
  double tolerance_;
  Vec3 v0_ = Vec3::Zero();
  Simplex portal_;
  Distance found_;
  int iterations_ = 0;
};

}  // namespace carom::geometry

#include "carom/geometry/distance/mpr_impl.h"
