#include "carom/geometry/separating_axes.h"

namespace carom::geometry {

namespace {

class AxisSearch {
 public:
  explicit AxisSearch(const PolytopePair& pair)
      : a_(pair.a), b_(pair.b), R_(pair.X_AB.q.toRotationMatrix()), p_(pair.X_AB.p) {}

  Vec3 run() {
    for (const Polytope::Face& face : a_.faces) offer(-face.normal);
    for (const Polytope::Face& face : b_.faces) offer(R_ * face.normal);
    for (const Polytope::Edge& edge : b_.edges) try_edges(edge);
    return best_axis_;
  }

 private:
  void offer(const Vec3& n) {
    const Vec3 m = R_.transpose() * n;
    at_a_ = climb(a_, -n, at_a_);
    at_b_ = climb(b_, m, at_b_);
    const double value = n.dot(a_.vertices[at_a_] - p_) - m.dot(b_.vertices[at_b_]);
    if (value <= best_) return;
    best_ = value;
    best_axis_ = n;
  }

  // The edge is farthest along n, at right angles to it, if both faces fall away from there.
  static bool is_farthest(const Polytope& polytope, const Polytope::Edge& edge, const Vec3& n) {
    if (edge.left < 0) return true;
    const Vec3 across = n.cross(edge.direction);
    return polytope.faces[edge.left].normal.dot(across) >= 0 &&
           polytope.faces[edge.right].normal.dot(across) <= 0;
  }

  void try_edges(const Polytope::Edge& of_b) {
    const Vec3 direction = R_ * of_b.direction;
    const Vec3 from = R_ * b_.vertices[of_b.from] + p_;
    for (const Polytope::Edge& of_a : a_.edges) {
      const Vec3 axis = of_a.direction.cross(direction);
      const double square = axis.squaredNorm();
      if (square < 1e-20) continue;
      const double reach = axis.dot(a_.vertices[of_a.from] - from);
      for (const double sign : {1.0, -1.0}) {
        if (sign * reach <= best_ * std::sqrt(square)) continue;
        const Vec3 n = sign * axis;
        if (!is_farthest(a_, of_a, -n) || !is_farthest(b_, of_b, R_.transpose() * n)) continue;
        offer(n / std::sqrt(square));
      }
    }
  }

  const Polytope& a_;
  const Polytope& b_;
  Mat3 R_;
  Vec3 p_;
  int at_a_ = 0, at_b_ = 0;
  double best_ = -HUGE_VAL;
  Vec3 best_axis_ = Vec3::UnitX();
};

}  // namespace

Vec3 find_shallowest_axis(const PolytopePair& pair) { return AxisSearch(pair).run(); }

}  // namespace carom::geometry
