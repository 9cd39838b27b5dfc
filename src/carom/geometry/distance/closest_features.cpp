#include "carom/geometry/distance/closest_features.h"

#include <algorithm>

namespace carom::geometry {

namespace {

constexpr int kStepCap = 64;
constexpr double kMove = 1e-13;     // of the size: less is no reason to move
constexpr double kProof = 1e-12;    // of the size
constexpr double kShallow = 1e-10;  // of the size: deeper is not for this routine
constexpr double kClear = 1e-6;     // of the size: nearer points do not tell their direction

enum class Move { Done, Walk, Fail };

// One of the two polytopes, with the other's vertices brought into its frame.
struct Side {
  const Polytope& polytope;
  const Polytope& other;
  Mat3 R;  // rotation from the other's frame
  Vec3 p;
  Feature feature;

  const Vec3& vertex(int i) const { return polytope.vertices[i]; }
  const Polytope::Edge& edge() const { return polytope.edges[feature.index]; }
  const Polytope::Face& face() const { return polytope.faces[feature.index]; }
  Vec3 of_other(const Vec3& x) const { return R * x + p; }
  Vec3 other_vertex(int i) const { return R * other.vertices[i] + p; }
  void set(FeatureKind kind, int index) { feature = {kind, index}; }
};

class Walk {
 public:
  explicit Walk(const PolytopePair& pair)
      : size_(pair.size),
        R_AB_(pair.X_AB.q.toRotationMatrix()),
        a_{pair.a, pair.b, R_AB_, pair.X_AB.p, {}},
        b_{pair.b, pair.a, R_AB_.transpose(), -(R_AB_.transpose() * pair.X_AB.p), {}} {}

  ClosestFeatures run(const Feature& start_a, const Feature& start_b, const Vec3& normal);

 private:
  void begin(Side& side, const Feature& start, const Vec3& outward) const;
  Move step();
  bool leave_vertex(Side& side, const Vec3& x) const;
  bool leave_edge(Side& side, const Vec3& x) const;
  Move vertex_vertex();
  Move vertex_edge(Side& v, Side& e);
  Move vertex_face(Side& v, Side& f);
  Vec3 out_of_edges(const Vec3& difference) const;
  Move edge_edge();
  Move edge_face(Side& e, Side& f);
  Move face_face();
  Move finish(const Vec3& x, const Vec3& y, const Vec3& n, double value);
  Move finish_by_points(const Vec3& x, const Vec3& y);

  double size_;
  Mat3 R_AB_;
  Side a_, b_;
  ClosestFeatures out_;
};

// A valid feature of this side: the hinted one, or the vertex farthest along `outward`.
void Walk::begin(Side& side, const Feature& start, const Vec3& outward) const {
  const Polytope& polytope = side.polytope;
  const auto has = [&](std::size_t count) {
    return start.index >= 0 && static_cast<std::size_t>(start.index) < count;
  };
  const bool valid = (start.kind == FeatureKind::Vertex && has(polytope.vertices.size())) ||
                     (start.kind == FeatureKind::Edge && has(polytope.edges.size())) ||
                     (start.kind == FeatureKind::Face && has(polytope.faces.size()));
  side.feature = valid ? start : Feature{FeatureKind::Vertex, climb(polytope, outward, 0)};
}

Move Walk::step() {
  const FeatureKind a = a_.feature.kind, b = b_.feature.kind;
  if (a == FeatureKind::Vertex) {
    if (b == FeatureKind::Vertex) return vertex_vertex();
    return b == FeatureKind::Edge ? vertex_edge(a_, b_) : vertex_face(a_, b_);
  }
  if (a == FeatureKind::Edge) {
    if (b == FeatureKind::Vertex) return vertex_edge(b_, a_);
    return b == FeatureKind::Edge ? edge_edge() : edge_face(a_, b_);
  }
  if (b == FeatureKind::Vertex) return vertex_face(b_, a_);
  return b == FeatureKind::Edge ? edge_face(b_, a_) : face_face();
}

// x, in the side's frame, is nearer to an edge of the side's vertex than to the vertex.
bool Walk::leave_vertex(Side& side, const Vec3& x) const {
  const Vec3 from = x - side.vertex(side.feature.index);
  int best = -1;
  double most = kMove * size_;
  for (const Polytope::Neighbour& neighbour : side.polytope.neighbours_of(side.feature.index)) {
    const Polytope::Edge& edge = side.polytope.edges[neighbour.edge];
    const double along = (edge.from == side.feature.index ? 1 : -1) * edge.direction.dot(from);
    if (along <= most) continue;
    most = along;
    best = neighbour.edge;
  }
  if (best < 0) return false;
  side.set(FeatureKind::Edge, best);
  return true;
}

// x, in the side's frame, is nearer to a face of the side's edge than to the edge.
bool Walk::leave_edge(Side& side, const Vec3& x) const {
  const Polytope::Edge& edge = side.edge();
  if (edge.left < 0) return false;
  const Vec3 across = edge.direction.cross(x - side.vertex(edge.from));
  const double into_left = side.polytope.faces[edge.left].normal.dot(across);
  const double into_right = -side.polytope.faces[edge.right].normal.dot(across);
  if (std::max(into_left, into_right) <= kMove * size_) return false;
  // Of a flat triangle both sides are entered at once: the one that sees x.
  const double height =
      side.polytope.faces[edge.left].normal.dot(x) - side.polytope.faces[edge.left].offset;
  const bool left = into_left == into_right ? height >= 0 : into_left > into_right;
  side.set(FeatureKind::Face, left ? edge.left : edge.right);
  return true;
}

Move Walk::vertex_vertex() {
  const Vec3 y_A = a_.other_vertex(b_.feature.index);
  if (leave_vertex(a_, y_A)) return Move::Walk;
  if (leave_vertex(b_, b_.other_vertex(a_.feature.index))) return Move::Walk;
  return finish_by_points(a_.vertex(a_.feature.index), y_A);
}

Move Walk::vertex_edge(Side& v, Side& e) {
  const Polytope::Edge edge = e.edge();
  const Vec3 x = e.other_vertex(v.feature.index);
  const Vec3 from = x - e.vertex(edge.from);
  const double along = edge.direction.dot(from);
  if (along <= 0) {
    e.set(FeatureKind::Vertex, edge.from);
    return vertex_vertex();
  }
  if (edge.direction.dot(x - e.vertex(edge.to)) >= 0) {
    e.set(FeatureKind::Vertex, edge.to);
    return vertex_vertex();
  }
  if (leave_edge(e, x)) return Move::Walk;
  const Vec3 foot = e.vertex(edge.from) + along * edge.direction;
  if (leave_vertex(v, v.of_other(foot))) return Move::Walk;
  if (&v == &a_) return finish_by_points(v.vertex(v.feature.index), v.of_other(foot));
  return finish_by_points(foot, x);
}

Move Walk::vertex_face(Side& v, Side& f) {
  const Polytope::Face& face = f.face();
  const int face_index = f.feature.index;
  const Vec3 x = f.other_vertex(v.feature.index);
  const auto corners = f.polytope.corners_of(face_index);
  const auto edges = f.polytope.edges_of(face_index);
  double most = kMove * size_;
  int outside = -1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Polytope::Edge& edge = f.polytope.edges[edges[i]];
    const double sign = edge.from == corners[i] ? 1 : -1;
    const double beyond = sign * edge.direction.cross(face.normal).dot(x - f.vertex(corners[i]));
    if (beyond <= most) continue;
    most = beyond;
    outside = edges[i];
  }
  if (outside >= 0) {
    f.set(FeatureKind::Edge, outside);
    return Move::Walk;
  }
  const double height = face.normal.dot(x) - face.offset;
  if (height < -kShallow * size_) {
    if (f.polytope.faces.size() != 2) return Move::Fail;
    f.set(FeatureKind::Face, 1 - face_index);  // the back of a triangle
    return Move::Walk;
  }
  const Vec3 down = -(v.R * face.normal);
  double steepest = kMove * size_;
  int descending = -1;
  const Vec3& at = v.vertex(v.feature.index);
  for (const Polytope::Neighbour& neighbour : v.polytope.neighbours_of(v.feature.index)) {
    const double drop = down.dot(v.vertex(neighbour.vertex) - at);
    if (drop <= steepest) continue;
    steepest = drop;
    descending = neighbour.edge;
  }
  if (descending >= 0) {
    v.set(FeatureKind::Edge, descending);
    return edge_face(v, f);
  }
  const Vec3 foot = x - height * face.normal;
  if (&v == &a_) return finish(at, v.of_other(foot), v.R * face.normal, height);
  return finish(foot, x, -face.normal, height);
}

// From b's edge to a's: their difference or, where they nearly touch, out of their faces.
Vec3 Walk::out_of_edges(const Vec3& difference) const {
  if (difference.squaredNorm() > kClear * kClear * size_ * size_) return difference;
  Vec3 out = Vec3::Zero();
  const Polytope::Edge &ea = a_.edge(), &eb = b_.edge();
  if (eb.left >= 0) {
    out += a_.R * (b_.polytope.faces[eb.left].normal + b_.polytope.faces[eb.right].normal);
  }
  if (ea.left >= 0) {
    out -= a_.polytope.faces[ea.left].normal + a_.polytope.faces[ea.right].normal;
  }
  return out.squaredNorm() > 1e-6 ? out : difference;
}

Move Walk::edge_edge() {
  const Polytope::Edge ea = a_.edge(), eb = b_.edge();
  const Vec3& pa = a_.vertex(ea.from);
  const Vec3 pb = a_.other_vertex(eb.from), v = a_.R * eb.direction;
  const double la = ea.direction.dot(a_.vertex(ea.to) - pa);
  const double lb = eb.direction.dot(b_.vertex(eb.to) - b_.vertex(eb.from));
  const Vec3 r = pa - pb;
  const double b = ea.direction.dot(v), c = ea.direction.dot(r), f = v.dot(r);
  const Vec3 normal = ea.direction.cross(v);
  const double sine2 = normal.squaredNorm();
  double s = sine2 > 1e-20 ? std::clamp((b * f - c) / sine2, 0.0, la) : 0.5 * la;
  const double t = std::clamp(b * s + f, 0.0, lb);
  s = std::clamp(b * t - c, 0.0, la);
  if (s <= 0 || s >= la) a_.set(FeatureKind::Vertex, s <= 0 ? ea.from : ea.to);
  if (t <= 0 || t >= lb) b_.set(FeatureKind::Vertex, t <= 0 ? eb.from : eb.to);
  if (a_.feature.kind == FeatureKind::Vertex || b_.feature.kind == FeatureKind::Vertex) {
    return step();
  }
  const Vec3 x = pa + s * ea.direction, y = pb + t * v;
  if (leave_edge(a_, y) || leave_edge(b_, b_.of_other(x))) return Move::Walk;
  if (sine2 < 1e-12) return finish_by_points(x, y);
  Vec3 n = normal / std::sqrt(sine2);
  if (n.dot(out_of_edges(x - y)) < 0) n = -n;
  return finish(x, y, n, n.dot(r));
}

// Cuts the edge down to what lies over the face and follows its lower end.
Move Walk::edge_face(Side& e, Side& f) {
  const Polytope::Edge edge = e.edge();
  const Polytope::Face& face = f.face();
  const Vec3 p = f.other_vertex(edge.from), q = f.other_vertex(edge.to);
  const auto corners = f.polytope.corners_of(f.feature.index);
  const auto edges = f.polytope.edges_of(f.feature.index);
  double low = 0, high = 1;
  int cut_low = -1, cut_high = -1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Polytope::Edge& side = f.polytope.edges[edges[i]];
    const double sign = side.from == corners[i] ? 1 : -1;
    const Vec3 out = sign * side.direction.cross(face.normal);
    const double at_p = out.dot(p - f.vertex(corners[i])), at_q = out.dot(q - f.vertex(corners[i]));
    if (at_p <= 0 && at_q <= 0) continue;
    if (at_p > 0 && at_q > 0) {
      f.set(FeatureKind::Edge, edges[i]);
      return Move::Walk;
    }
    const double cut = at_p / (at_p - at_q);
    if (at_p > 0 && cut > low) {
      low = cut;
      cut_low = edges[i];
    } else if (at_q > 0 && cut < high) {
      high = cut;
      cut_high = edges[i];
    }
    if (low > high) {
      f.set(FeatureKind::Edge, edges[i]);
      return Move::Walk;
    }
  }
  const double at_low = face.normal.dot(p + low * (q - p)) - face.offset;
  const double at_high = face.normal.dot(p + high * (q - p)) - face.offset;
  if (std::min(at_low, at_high) < -kShallow * size_ && f.polytope.faces.size() != 2) {
    return Move::Fail;
  }
  if (at_low * at_high < 0 && std::min(std::abs(at_low), std::abs(at_high)) > kShallow * size_) {
    return Move::Fail;
  }
  const bool take_low = std::abs(at_low) <= std::abs(at_high);
  const int cut = take_low ? cut_low : cut_high;
  if (cut >= 0) {
    f.set(FeatureKind::Edge, cut);
  } else {
    e.set(FeatureKind::Vertex, take_low ? edge.from : edge.to);
  }
  return Move::Walk;
}

// Parallel faces start here only from a hint.
Move Walk::face_face() {
  const Vec3 down = -(a_.R * b_.face().normal);
  a_.set(FeatureKind::Vertex,
         climb(a_.polytope, down, a_.polytope.corners_of(a_.feature.index)[0]));
  return Move::Walk;
}

Move Walk::finish_by_points(const Vec3& x, const Vec3& y) {
  const double distance = (x - y).norm();
  if (distance < kClear * size_) return Move::Fail;
  return finish(x, y, (x - y) / distance, distance);
}

int any_vertex(const Side& side) {
  if (side.feature.kind == FeatureKind::Vertex) return side.feature.index;
  if (side.feature.kind == FeatureKind::Edge) return side.edge().from;
  return side.polytope.corners_of(side.feature.index)[0];
}

// Accepts the pair if no vertex of either lies beyond the planes through x and y.
Move Walk::finish(const Vec3& x, const Vec3& y, const Vec3& n, double value) {
  const Vec3 n_B = R_AB_.transpose() * n;
  const double a = n.dot(a_.vertex(climb(a_.polytope, -n, any_vertex(a_))));
  const double b = n_B.dot(b_.vertex(climb(b_.polytope, n_B, any_vertex(b_))) - b_.p);
  const double gap = value - (a - b);
  if (gap > kProof * size_ || value < -kShallow * size_) return Move::Fail;
  Candidate& best = out_.best;
  best.n = n;
  best.separation = value;
  const Vec3 error = x - y - value * n;
  best.facing = {x - 0.5 * error, y + 0.5 * error, error.norm()};
  best.gap = gap;
  best.feature_a = a_.feature;
  best.feature_b = b_.feature;
  best.proven = true;
  return Move::Done;
}

ClosestFeatures Walk::run(const Feature& start_a, const Feature& start_b, const Vec3& normal) {
  const Vec3 n = normal.squaredNorm() > 0.25 ? normal : Vec3(-a_.p);
  begin(a_, start_a, -n);
  begin(b_, start_b, R_AB_.transpose() * n);
  for (; out_.steps < kStepCap; ++out_.steps) {
    const Move move = step();
    if (move == Move::Walk) continue;
    out_.found = move == Move::Done;
    break;
  }
  return out_;
}

}  // namespace

ClosestFeatures find_closest_features(const PolytopePair& pair, const Feature& start_a,
                                      const Feature& start_b, const Vec3& normal) {
  return Walk(pair).run(start_a, start_b, normal);
}

}  // namespace carom::geometry
