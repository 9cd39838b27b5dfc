#include "carom/audit/expanding_polytope.h"

#include <algorithm>

namespace carom::audit {

namespace {

bool has_few_faces(const Solid& solid) {
  constexpr std::size_t kFew = 12;
  return !solid.polytope || solid.polytope->faces.size() <= kFew;
}

}  // namespace

Vec3 ExpandingPolytope::Pair::support(const Vec3& d) const {
  const Vec3 d_B = R_AB.transpose() * -d;
  return support_point(a, d) - (X_AB.p + R_AB * support_point(b, d_B));
}

// Round-off may tear a surface of slivers, as of faces that are parallel to its last digits;
// another tetrahedron leads to other slivers, and the least of what is found so is still an
// overlap.
Overlap ExpandingPolytope::find(const Solid& a, const Solid& b, const Pose& X_AB) {
  constexpr int kTries = 8;
  const Pair pair{a, b, X_AB, X_AB.q.toRotationMatrix()};
  Overlap best = try_faces(pair);
  for (int i = 0; i < kTries; ++i) {
    start(pair, math::quat_exp(i * Vec3(0.3, 0.7, 1.1)) * Vec3::UnitX());
    if (grow(pair, best)) break;
  }
  return best;
}

// A search comes to the normal of a flat face only in the limit.
Overlap ExpandingPolytope::try_faces(const Pair& pair) {
  Overlap best;
  const auto consider = [&](const Vec3& d) {
    const double depth = d.dot(pair.support(d));
    if (depth < best.depth) best = {depth, d};
  };
  if (has_few_faces(pair.a)) visit_faces(pair.a, consider);
  if (has_few_faces(pair.b))
    visit_faces(pair.b, [&](const Vec3& normal) { consider(-(pair.R_AB * normal)); });
  return best;
}

bool ExpandingPolytope::grow(const Pair& pair, Overlap& best) {
  constexpr int kMaxPoints = 300;
  const double size = pair.a.radius + pair.b.radius;
  for (int i = 0; i < kMaxPoints; ++i) {
    const Facet facet = lowest();
    const Vec3 p = pair.support(facet.normal);
    const double depth = facet.normal.dot(p);
    if (depth < best.depth) best = {depth, facet.normal};
    const bool converged = best.depth - facet.offset <= 1e-12 * size;
    const bool clearly_apart = best.depth < 0 && best.depth < 0.5 * facet.offset;
    if (converged || clearly_apart) return true;
    expand(p, 3e-13 * size);
    if (facets_.size() > 2 * points_.size()) return false;  // Euler: the surface is torn
  }
  return true;
}

// A tetrahedron: every solid has a width in each direction, so each new direction, square to what
// is there, finds a point off it on one side or the other.
void ExpandingPolytope::start(const Pair& pair, const Vec3& first) {
  const auto farther = [&](const Vec3& d) {
    const Vec3 up = pair.support(d), down = pair.support(-d);
    const double middle = d.dot(points_[0]);
    return d.dot(up) - middle >= middle - d.dot(down) ? up : down;
  };
  points_.clear();
  facets_.clear();
  points_.push_back(pair.support(first));
  points_.push_back(pair.support(-first));
  const Vec3 along = (points_[1] - points_[0]).normalized();
  points_.push_back(farther(math::make_tangents(along).first));
  const Vec3 normal = along.cross(points_[2] - points_[0]).normalized();
  points_.push_back(farther(normal));
  if (normal.dot(points_[3] - points_[0]) > 0) std::swap(points_[1], points_[2]);
  add_facet(0, 1, 2);
  add_facet(0, 3, 1);
  add_facet(1, 3, 2);
  add_facet(2, 3, 0);
}

void ExpandingPolytope::add_facet(int i, int j, int k) {
  const Vec3& p = points_[i];
  const Vec3 area = (points_[j] - p).cross(points_[k] - p);
  const double size = area.norm();
  // A sliver has no normal to search along: it closes the surface and is never chosen or seen.
  if (size == 0) {
    facets_.push_back({{i, j, k}, Vec3::Zero(), std::numeric_limits<double>::infinity()});
    return;
  }
  const Vec3 normal = area / size;
  facets_.push_back({{i, j, k}, normal, normal.dot(p)});
}

const ExpandingPolytope::Facet& ExpandingPolytope::lowest() const {
  return *std::min_element(facets_.begin(), facets_.end(),
                           [](const Facet& a, const Facet& b) { return a.offset < b.offset; });
}

// Removes the facets that see p and closes the hole with triangles from its rim to p.
void ExpandingPolytope::expand(const Vec3& p, double round_off) {
  const int apex = static_cast<int>(points_.size());
  points_.push_back(p);
  border_.clear();
  const auto sees = [&](const Facet& f) { return f.normal.dot(p) > f.offset + round_off; };
  for (const Facet& f : facets_) {
    if (!sees(f)) continue;
    for (int i = 0; i < 3; ++i) border_.push_back({f.corners[i], f.corners[(i + 1) % 3]});
  }
  std::erase_if(facets_, sees);
  for (const auto& [from, to] : border_) {
    const bool inner = std::any_of(border_.begin(), border_.end(), [from, to](const auto& edge) {
      return edge[0] == to && edge[1] == from;
    });
    if (!inner) add_facet(from, to, apex);
  }
}

}  // namespace carom::audit
