// How deep two convex polytopes overlap, by the separating axis theorem: the least overlap over the
// face normals of both and over the cross products of those pairs of edges whose arcs on the Gauss
// sphere cross, which are all the facets of the Minkowski difference (Gregorius, GDC 2013). Exact
// to round-off when they overlap; when they are apart the result is a lower bound of the distance.
#pragma once

#include <limits>

#include "carom/audit/solid.h"

namespace carom::audit {

struct Overlap {
  double depth = std::numeric_limits<double>::infinity();  // m; negative: apart by at least that
  Vec3 direction = Vec3::UnitZ();                          // unit, from a towards b
};

class SeparatingAxes {
 public:
  Overlap find(const Polytope& a, const Polytope& b, const Pose& X_AB);  // direction in a's frame

 private:
  void place(const Polytope& b, const Pose& X_AB);
  static void list_facing(const std::vector<Edge>& edges, const Vec3& point, double depth,
                          std::vector<const Edge*>& out);
  void try_edges(const Polytope& a, const Edge& edge_a, const Edge& edge_b, Overlap& best) const;
  void try_axis(const Polytope& a, const Vec3& d, Overlap& best) const;

  Polytope b_;                                    // in a's frame; kept for its memory
  std::vector<const Edge*> facing_a_, facing_b_;  // edges that may tell
};

}  // namespace carom::audit
