#include "carom/audit/overlap.h"

namespace carom::audit {

namespace {

// Height of the solid along d above its own origin; both in world axes.
double height(const PlacedSolid& s, const Vec3& d) {
  const Vec3 d_S = s.X_WS.q.conjugate() * d;
  return d_S.dot(support_point(s.solid, d_S));
}

Overlap sink_into_plane(const PlacedSolid& s, const PlacedSolid& ground) {
  const auto& plane = std::get<geometry::Plane>(ground.solid.shape);
  const Vec3 n = ground.X_WS.q * plane.normal;
  return {plane.offset + height(s, -n) - n.dot(s.X_WS.p - ground.X_WS.p), -n};
}

Overlap find_sphere_overlap(const PlacedSolid& a, const PlacedSolid& b) {
  const Vec3 apart = b.X_WS.p - a.X_WS.p;
  const double distance = apart.norm();
  const double depth = a.solid.radius + b.solid.radius - distance;
  return {depth, distance > 0 ? Vec3(apart / distance) : Vec3(Vec3::UnitZ())};
}

// All pairs of edges are gone through; beyond this many a search from support points is faster.
bool have_few_edges(const Solid& a, const Solid& b) {
  constexpr std::size_t kManyPairs = 1'000'000;
  return a.polytope && b.polytope &&
         a.polytope->edges.size() * b.polytope->edges.size() <= kManyPairs;
}

}  // namespace

double compute_overlap_along(const PlacedSolid& a, const PlacedSolid& b, const Vec3& d) {
  if (b.solid.is_plane()) return sink_into_plane(a, b).depth;
  if (a.solid.is_plane()) return sink_into_plane(b, a).depth;
  return height(a, d) + height(b, -d) - d.dot(b.X_WS.p - a.X_WS.p);
}

Overlap OverlapFinder::find(const PlacedSolid& a, const PlacedSolid& b) {
  if (b.solid.is_plane()) return sink_into_plane(a, b);
  if (a.solid.is_plane()) {
    const Overlap swapped = sink_into_plane(b, a);
    return {swapped.depth, -swapped.direction};
  }
  if (a.solid.is_sphere() && b.solid.is_sphere()) return find_sphere_overlap(a, b);
  const Pose X_AB = a.X_WS.inverse() * b.X_WS;
  Overlap overlap = have_few_edges(a.solid, b.solid)
                        ? separating_axes_.find(*a.solid.polytope, *b.solid.polytope, X_AB)
                        : expanding_polytope_.find(a.solid, b.solid, X_AB);
  overlap.direction = a.X_WS.q * overlap.direction;
  return overlap;
}

}  // namespace carom::audit
