#include "carom/geometry/distance/separating_axes.h"

#include <array>

#include "carom/geometry/shapes/support.h"

namespace carom::geometry {

namespace {

// Polytope `a` carries the arcs; all directions are outward from it, in its frame.
class AxisSearch {
 public:
  explicit AxisSearch(const PolytopePair& pair)
      : a_(pair.a), b_(pair.b), R_(pair.X_AB.q.toRotationMatrix()), p_(pair.X_AB.p) {}

  ShallowestAxis run() {
    for (const Polytope::Face& face : a_.faces) offer(face.normal);
    for (const Polytope::Face& face : b_.faces) offer(-(R_ * face.normal));
    for (const Polytope::Edge& edge : a_.edges) follow_normals(edge);
    return best_;
  }

 private:
  // Separation if b is to leave a along the outward direction.
  void offer(const Vec3& outward) {
    const Vec3 m = R_.transpose() * -outward;
    at_a_ = climb(a_, outward, at_a_);
    at_b_ = climb(b_, m, at_b_);
    const double value = -outward.dot(a_.vertices[at_a_] - p_) - m.dot(b_.vertices[at_b_]);
    if (value > best_.separation) best_ = {-outward, value};
  }

  // The normals of an edge run from those of its left to those of its right face; a flat piece's
  // turn through its own plane, and a segment's all around.
  void follow_normals(const Polytope::Edge& edge) {
    if (edge.left < 0) {
      const math::Tangents t = math::make_tangents(edge.direction);
      const std::array<Vec3, 4> around{t.first, t.second, -t.first, -t.second};
      for (std::size_t i = 0; i < 4; ++i) {
        offer(around[i]);  // crossings at the very ends of an arc are not seen from it
        follow_arc(edge, around[i], around[(i + 1) % 4]);
      }
      return;
    }
    const Vec3& left = a_.faces[edge.left].normal;
    const Vec3& right = a_.faces[edge.right].normal;
    if (left.dot(right) > -0.5) {
      follow_arc(edge, left, right);
      return;
    }
    const Vec3 between = (edge.direction.cross(left) - edge.direction.cross(right)).normalized();
    offer(between);
    follow_arc(edge, left, between);
    follow_arc(edge, between, right);
  }

  // From one vertex of b to the next, as the direction turns: each change is an edge of b whose arc
  // is crossed.
  void follow_arc(const Polytope::Edge& of_a, const Vec3& first, const Vec3& last) {
    const Vec3 start = R_.transpose() * -first, turn = R_.transpose() * (first - last);
    at_b_ = climb(b_, start, at_b_);
    double t = 0;
    for (std::size_t step = 0; step < b_.edges.size(); ++step) {
      double next_t = 1;
      const Polytope::Neighbour* next = nullptr;
      for (const Polytope::Neighbour& neighbour : b_.neighbours_of(at_b_)) {
        const Vec3 along = b_.vertices[neighbour.vertex] - b_.vertices[at_b_];
        const double rate = turn.dot(along);
        if (rate <= 0) continue;
        const double crossing = std::max(t, -start.dot(along) / rate);
        if (crossing >= next_t) continue;
        next_t = crossing;
        next = &neighbour;
      }
      if (!next) return;
      try_edges(of_a, b_.edges[next->edge], first + next_t * (last - first));
      at_b_ = next->vertex;
      t = next_t;
    }
  }

  // `near` tells which of the two common normals is meant.
  void try_edges(const Polytope::Edge& of_a, const Polytope::Edge& of_b, const Vec3& near) {
    const Vec3 axis = of_a.direction.cross(R_ * of_b.direction);
    const double length = axis.norm();
    if (length < 1e-10) return;
    const Vec3 outward = axis.dot(near) < 0 ? Vec3(-axis / length) : Vec3(axis / length);
    const Vec3 from = R_ * b_.vertices[of_b.from] + p_;
    if (outward.dot(from - a_.vertices[of_a.from]) > best_.separation) offer(outward);
  }

  const Polytope& a_;
  const Polytope& b_;
  Mat3 R_;
  Vec3 p_;
  int at_a_ = 0, at_b_ = 0;
  ShallowestAxis best_;
};

}  // namespace

ShallowestAxis find_shallowest_axis(const PolytopePair& pair) {
  if (pair.a.edges.size() <= pair.b.edges.size()) return AxisSearch(pair).run();
  ShallowestAxis found = AxisSearch({pair.b, pair.a, pair.X_AB.inverse(), pair.size}).run();
  found.n = pair.X_AB.q * -found.n;
  return found;
}

}  // namespace carom::geometry
