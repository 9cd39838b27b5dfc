#include "carom/geometry/distance/touching.h"

#include <algorithm>

#include "carom/geometry/shapes/bounded_list.h"
#include "carom/geometry/shapes/support_patch.h"

namespace carom::geometry {

namespace {

constexpr double kNearSupport = 1e-4;  // of the size: how far behind the foremost vertex
constexpr std::size_t kMostVertices = 32;

using Vertices = BoundedList<int, kMostVertices>;
using Features = BoundedList<int, 4 * kMostVertices>;

// A polytope as the other sees it: rotations into a's frame, directions outward.
struct Side {
  const Polytope& polytope;
  Vec3 p;
  Mat3 R;

  Vec3 vertex(int i) const { return p + R * polytope.vertices[i]; }
  Vec3 direction(int edge) const { return R * polytope.edges[edge].direction; }
  Vec3 normal(int face) const { return R * polytope.faces[face].normal; }
  Vec3 own(const Vec3& d) const { return R.transpose() * d; }
};

int foremost(const Side& side, const Vec3& d, int from) {
  return climb(side.polytope, side.own(d), {FeatureKind::Vertex, from});
}

template <std::size_t N>
void push_new(BoundedList<int, N>& list, int value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push(value);
}

// The vertices within reach of the foremost one, found by walking; the set is connected.
Vertices find_foremost(const Side& side, const Vec3& d, int start, double reach) {
  const Vec3 own = side.own(d);
  const int top = foremost(side, d, start);
  const double least = own.dot(side.polytope.vertices[top]) - reach;
  Vertices found;
  found.push(top);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& next : side.polytope.neighbours_of(found[i])) {
      if (own.dot(side.polytope.vertices[next.vertex]) >= least) push_new(found, next.vertex);
    }
  }
  return found;
}

struct Around {  // edges and faces at some vertices
  Features edges, faces;
};

Around find_around(const Polytope& polytope, const Vertices& vertices) {
  Around found;
  for (const int vertex : vertices) {
    for (const auto& next : polytope.neighbours_of(vertex)) {
      push_new(found.edges, next.edge);
      push_new(found.faces, polytope.edges[next.edge].left);
      push_new(found.faces, polytope.edges[next.edge].right);
    }
  }
  return found;
}

struct Best {
  double value;
  Vec3 n;
  Feature a, b;

  void offer(const Best& other) {
    if (other.value > value) *this = other;
  }
};

class Refinement {
 public:
  Refinement(const Side& a, const Side& b, const Distance& distance)
      : a_(a),
        b_(b),
        start_a_(climb(a.polytope, a.own(-distance.normal), distance.feature_a)),
        start_b_(climb(b.polytope, b.own(distance.normal), distance.feature_b)),
        best_{distance.normal.dot(a.vertex(start_a_) - b.vertex(start_b_)), distance.normal,
              distance.feature_a, distance.feature_b} {}

  Best run(const Vec3& n, double reach) {
    const Around of_a = find_around(a_.polytope, find_foremost(a_, -n, start_a_, reach));
    const Around of_b = find_around(b_.polytope, find_foremost(b_, n, start_b_, reach));
    for (const int face : of_b.faces) try_face_of_b(face, n);
    for (const int face : of_a.faces) try_face_of_a(face, n);
    for (const int edge_a : of_a.edges) {
      for (const int edge_b : of_b.edges) try_edges(edge_a, edge_b, n);
    }
    return best_;
  }

 private:
  void try_face_of_b(int face, const Vec3& n) {
    const Vec3 normal = b_.normal(face);
    if (normal.dot(n) <= 0) return;
    const int low = foremost(a_, -normal, start_a_);
    const double value = normal.dot(a_.vertex(low) - b_.p) - b_.polytope.faces[face].offset;
    best_.offer({value, normal, {FeatureKind::Vertex, low}, {FeatureKind::Face, face}});
  }

  void try_face_of_a(int face, const Vec3& n) {
    const Vec3 normal = a_.normal(face);
    if (normal.dot(n) >= 0) return;
    const int low = foremost(b_, -normal, start_b_);
    const double value = normal.dot(b_.vertex(low) - a_.p) - a_.polytope.faces[face].offset;
    best_.offer({value, -normal, {FeatureKind::Face, face}, {FeatureKind::Vertex, low}});
  }

  // The arcs cross where the other's edge passes between the two faces of each.
  void try_edges(int i, int k, const Vec3& n) {
    const Polytope::Edge &edge_a = a_.polytope.edges[i], &edge_b = b_.polytope.edges[k];
    const Vec3 e_a = a_.direction(i), e_b = b_.direction(k);
    const Vec3 across = e_a.cross(e_b);
    const double sign = across.dot(n) < 0 ? -1 : 1;
    if (sign * e_b.dot(a_.normal(edge_a.left)) > 0 || sign * e_b.dot(a_.normal(edge_a.right)) < 0 ||
        sign * e_a.dot(b_.normal(edge_b.left)) > 0 || sign * e_a.dot(b_.normal(edge_b.right)) < 0) {
      return;
    }
    const double length = across.norm();
    if (length <= kParallel) return;
    const Vec3 normal = sign / length * across;
    const double value = normal.dot(a_.vertex(edge_a.from) - b_.vertex(edge_b.from));
    best_.offer({value, normal, {FeatureKind::Edge, i}, {FeatureKind::Edge, k}});
  }

  static constexpr double kParallel = 1e-9;

  const Side &a_, &b_;
  int start_a_, start_b_;
  Best best_;
};

}  // namespace

void refine_touching(const Polytope& a, const Polytope& b, const Pose& X_AB, Distance& distance) {
  const Side side_a{a, Vec3::Zero(), Mat3::Identity()};
  const Side side_b{b, X_AB.p, X_AB.q.toRotationMatrix()};
  const double size = std::max((a.vertices[0]).norm(), (b.vertices[0]).norm());
  const Best best = Refinement(side_a, side_b, distance).run(distance.normal, kNearSupport * size);
  const Vec3 middle = 0.5 * (distance.p_A + distance.p_B);
  distance.value = best.value;
  distance.normal = best.n;
  distance.p_A = middle + 0.5 * best.value * best.n;
  distance.p_B = middle - 0.5 * best.value * best.n;
  distance.feature_a = best.a;
  distance.feature_b = best.b;
}

}  // namespace carom::geometry
