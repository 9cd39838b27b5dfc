#include "carom/audit/separating_axes.h"

#include <algorithm>

namespace carom::audit {

namespace {

double height(const std::vector<Vec3>& vertices, const Vec3& d) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : vertices) highest = std::max(highest, d.dot(v));
  return highest;
}

Vec3 middle(const std::vector<Vec3>& vertices) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : vertices) sum += v;
  return sum / static_cast<double>(vertices.size());
}

// Do the arcs between the normals of edge a and between the negated normals of edge b cross?
bool arcs_cross(const Edge& a, const Edge& b) {
  const double b_from = -b.normal_a.dot(a.direction), b_to = -b.normal_b.dot(a.direction);
  const double a_from = a.normal_a.dot(b.direction), a_to = a.normal_b.dot(b.direction);
  return b_from * b_to < 0 && a_from * a_to < 0 && b_from * a_to > 0;
}

}  // namespace

// Along a face's normal a solid reaches as far as the face, along one between those of an edge's
// faces as far as the edge; and the other one, against it, at least as far as a point inside. Where
// that much is no less than the least overlap so far nothing needs to be measured: most faces and
// edges are turned away from the other solid.
Overlap SeparatingAxes::find(const Polytope& a, const Polytope& b, const Pose& X_AB) {
  place(b, X_AB);
  const Vec3 in_a = middle(a.vertices), in_b = middle(b_.vertices);
  Overlap best;
  for (const Face& face : a.faces)
    if (face.offset - face.normal.dot(in_b) < best.depth &&
        face.offset + height(b_.vertices, -face.normal) < best.depth)
      try_axis(a, face.normal, best);
  for (const Face& face : b_.faces)
    if (face.offset - face.normal.dot(in_a) < best.depth &&
        face.offset + height(a.vertices, -face.normal) < best.depth)
      try_axis(a, -face.normal, best);
  if (best.depth < 0) return best;
  list_facing(a.edges, in_b, best.depth, facing_a_);
  list_facing(b_.edges, in_a, best.depth, facing_b_);
  for (const Edge* edge_a : facing_a_)
    for (const Edge* edge_b : facing_b_) try_edges(a, *edge_a, *edge_b, best);
  return best;
}

void SeparatingAxes::list_facing(const std::vector<Edge>& edges, const Vec3& point, double depth,
                                 std::vector<const Edge*>& out) {
  out.clear();
  for (const Edge& edge : edges) {
    const Vec3 above = edge.point - point;
    if (std::min(edge.normal_a.dot(above), edge.normal_b.dot(above)) < depth) out.push_back(&edge);
  }
}

void SeparatingAxes::try_edges(const Polytope& a, const Edge& edge_a, const Edge& edge_b,
                               Overlap& best) const {
  constexpr double kParallel = 1e-12;  // sine; neglects a facet this thin, relative to the edges
  if (!arcs_cross(edge_a, edge_b)) return;
  const Vec3 d = edge_a.direction.cross(edge_b.direction);
  const double sine = d.norm();
  if (sine < kParallel) return;
  const double outward = d.dot(edge_a.normal_a + edge_a.normal_b) > 0 ? 1 : -1;
  const Vec3 axis = outward / sine * d;
  if (axis.dot(edge_a.point - edge_b.point) < best.depth) try_axis(a, axis, best);
}

void SeparatingAxes::place(const Polytope& b, const Pose& X_AB) {
  const Mat3 R = X_AB.q.toRotationMatrix();
  b_.vertices.clear();
  b_.faces.clear();
  b_.edges.clear();
  for (const Vec3& v : b.vertices) b_.vertices.push_back(X_AB.p + R * v);
  for (const Face& f : b.faces) {
    const Vec3 normal = R * f.normal;
    b_.faces.push_back({normal, f.offset + normal.dot(X_AB.p)});
  }
  for (const Edge& e : b.edges) {
    b_.edges.push_back({X_AB.p + R * e.point, R * e.direction, R * e.normal_a, R * e.normal_b});
  }
}

void SeparatingAxes::try_axis(const Polytope& a, const Vec3& d, Overlap& best) const {
  const double depth = height(a.vertices, d) + height(b_.vertices, -d);
  if (depth < best.depth) best = {depth, d};
}

}  // namespace carom::audit
