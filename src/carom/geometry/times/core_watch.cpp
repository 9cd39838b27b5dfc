#include "carom/geometry/times/core_watch.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/geometry/shapes/bounded_list.h"
#include "carom/math/first_descent.h"

namespace carom::geometry {

namespace {

constexpr double kArcTolerance = 1e-15;  // of products of unit vectors that should not be negative
constexpr double kCrossing = 1e-3;       // rad; edges closer to parallel have no normal to follow

struct TwoCores {
  const MovingShape &a, &b;
  const TwoMotions& motions;
  const TwoMotions& exchanged;  // b first
  const WatchedFlight& flight;

  const Polytope& core_a() const { return *a.convex.core; }
  const Polytope& core_b() const { return *b.convex.core; }
  double reach() const { return core_radius(a.convex) + core_radius(b.convex); }
  double remaining() const { return flight.query.duration - flight.start; }
  double after(double wait) const {
    return wait >= remaining() ? flight.query.duration : flight.start + wait;
  }
  TwoCores exchange() const { return {b, a, exchanged, motions, flight}; }
};

// A product of two unit vectors, one fixed on each body, that is to stay positive.
struct Arc {
  Vec3 on_a, on_b;
  double sign;
};

double watch_arc(const Arc& arc, const BodyBounds& a, const BodyBounds& b, double duration) {
  const Vec3 u = a.X.q * arc.on_a, w = b.X.q * arc.on_b;
  const double value = arc.sign * u.dot(w);
  if (value < -kArcTolerance) return 0;
  const double rate = arc.sign * u.cross(w).dot(a.V.w - b.V.w);
  const double spin = a.spin.speed + b.spin.speed;
  const double curvature = spin * spin + a.spin.acceleration + b.spin.acceleration;
  return std::min(duration, math::time_to_descend(std::max(0.0, value), rate, curvature));
}

// Until when the common normal of two edges stays between the faces that meet at each; an edge
// without faces has every normal across it.
double watch_arcs(const TwoCores& two, const Polytope::Edge& edge_a, const Polytope::Edge& edge_b,
                  double sign) {
  const Vec3 e_a = two.a.X_BS.q * edge_a.direction, e_b = two.b.X_BS.q * edge_b.direction;
  double wait = two.remaining();
  const auto watch = [&](const Arc& arc) {
    const BoundedBodies& on = two.motions.bounds;
    wait = std::min(wait, watch_arc(arc, on.a, on.b, two.remaining()));
  };
  if (const auto& faces = two.core_a().faces; !faces.empty()) {
    watch({two.a.X_BS.q * faces[edge_a.left].normal, e_b, -sign});
    watch({two.a.X_BS.q * faces[edge_a.right].normal, e_b, sign});
  }
  if (const auto& faces = two.core_b().faces; !faces.empty()) {
    watch({e_a, two.b.X_BS.q * faces[edge_b.left].normal, -sign});
    watch({e_a, two.b.X_BS.q * faces[edge_b.right].normal, sign});
  }
  return two.after(wait);
}

// The gap of two edges, from the points at which they pass each other; nothing if they are
// parallel.
std::optional<EdgeEdge> make_gap(const TwoCores& two, const Polytope::Edge& edge_a,
                                 const Polytope::Edge& edge_b, const Vec3& normal) {
  const Pose &X_WA = two.motions.bounds.a.X, &X_WB = two.motions.bounds.b.X;
  EdgeEdge gap{two.a.X_BS * two.core_a().vertices[edge_a.from],
               two.a.X_BS.q * edge_a.direction,
               two.b.X_BS * two.core_b().vertices[edge_b.from],
               two.b.X_BS.q * edge_b.direction,
               1,
               core_radius(two.a.convex),
               core_radius(two.b.convex)};
  const Vec3 e_a = X_WA.q * gap.e_A, e_b = X_WB.q * gap.e_B;
  const Vec3 across = e_a.cross(e_b);
  const double sine2 = across.squaredNorm();
  if (sine2 < kCrossing * kCrossing) return std::nullopt;
  const Vec3 d = X_WB * gap.p_B - X_WA * gap.p_A;
  gap.p_A += d.cross(e_b).dot(across) / sine2 * gap.e_A;
  gap.p_B += d.cross(e_a).dot(across) / sine2 * gap.e_B;
  gap.sign = across.dot(normal) < 0 ? -1 : 1;
  return gap;
}

double watch_edges(const TwoCores& two, int a, int b, const Vec3& normal) {
  const Polytope::Edge &edge_a = two.core_a().edges[a], &edge_b = two.core_b().edges[b];
  const auto gap = make_gap(two, edge_a, edge_b, normal);
  if (!gap) return two.flight.start;
  const double valid = watch_arcs(two, edge_a, edge_b, gap->sign);
  if (valid <= two.flight.start) return two.flight.start;
  return std::min(valid, watch_gap(*gap, two.motions, two.flight));
}

// Away from a vertex.
Vec3 outgoing(const Polytope& polytope, int vertex, int edge) {
  const Polytope::Edge& e = polytope.edges[edge];
  return e.from == vertex ? e.direction : Vec3(-e.direction);
}

// How far a ball's centre may be on the wrong side of a plane between two features: beyond it by x,
// the next feature is nearer by x²/2r.
double slack_of(const TwoCores& two) { return std::sqrt(two.reach() * two.flight.resolution); }

// A plane on b through p along which the features of b change, and on which side a's point stays.
double watch_side(const TwoCores& two, const Vec3& p_A, const Vec3& p_B, const Vec3& n_B) {
  return watch_condition(PointPlane{p_A, 0, n_B, n_B.dot(p_B)}, two.motions, slack_of(two),
                         two.flight);
}

// The gap of a ball of a over an edge of b, from the point of the edge that is nearest now.
BallEdge make_gap(const TwoCores& two, int vertex, const Polytope::Edge& edge) {
  const Pose &X_WA = two.motions.bounds.a.X, &X_WB = two.motions.bounds.b.X;
  BallEdge gap{two.a.X_BS * two.core_a().vertices[vertex], core_radius(two.a.convex),
               two.b.X_BS * two.core_b().vertices[edge.from], two.b.X_BS.q * edge.direction,
               core_radius(two.b.convex)};
  gap.p_B += gap.e_B.dot(X_WB.inverse() * (X_WA * gap.p_A) - gap.p_B) * gap.e_B;
  return gap;
}

// Until when the normal leans away from all edges that meet in the vertex: its cosines change no
// faster than the normal and the edges turn.
double watch_lean(const TwoCores& two, int vertex, const BallEdge& gap) {
  const BoundedBodies& on = two.motions.bounds;
  const Vec3 normal = contact_point(gap, on.a.X, on.b.X).normal;
  double least = HUGE_VAL;
  for (const auto& next : two.core_a().neighbours_of(vertex)) {
    const Vec3 u = on.a.X.q * (two.a.X_BS.q * outgoing(two.core_a(), vertex, next.edge));
    least = std::min(least, normal.dot(u));
  }
  if (!std::isfinite(least)) return two.flight.query.duration;
  return two.after(std::max(0.0, least) / (bound_normal_rate(gap, on) + on.a.spin.speed));
}

// The gap as long as it counts, which it does until `until` at the latest.
double watch_ball_edge(const TwoCores& two, const BallEdge& gap, const Polytope::Edge& edge,
                       double until) {
  const auto watch = [&](const Vec3& away_from_face) {
    if (until <= two.flight.start) return;
    until = std::min(until, watch_side(two, gap.p_A, gap.p_B, two.b.X_BS.q * away_from_face));
  };
  if (const auto& faces = two.core_b().faces; !faces.empty()) {
    watch(edge.direction.cross(faces[edge.left].normal));
    watch(faces[edge.right].normal.cross(edge.direction));
  }
  if (until <= two.flight.start) return two.flight.start;
  return std::min(until, watch_gap(gap, two.motions, two.flight));
}

double watch_ball_edge(const TwoCores& two, int vertex, int b) {
  const Polytope::Edge& edge = two.core_b().edges[b];
  const BallEdge gap = make_gap(two, vertex, edge);
  return watch_ball_edge(two, gap, edge, watch_lean(two, vertex, gap));
}

// A side of a, without faces, along an edge of b: both its ends are balls over that edge, and
// between them it is nearer by no more than w²/8r, w being how far the ends are apart across the
// edge.
double watch_along(const TwoCores& two, int a, int b) {
  const Polytope::Edge &side = two.core_a().edges[a], &edge = two.core_b().edges[b];
  const BoundedBodies& on = two.motions.bounds;
  const Vec3 e_a = on.a.X.q * (two.a.X_BS.q * side.direction);
  const Vec3 e_b = on.b.X.q * (two.b.X_BS.q * edge.direction);
  const double length = (two.core_a().vertices[side.to] - two.core_a().vertices[side.from]).norm();
  const double room = slack_of(two) / length - e_a.cross(e_b).norm();
  if (!(room > 0)) return two.flight.start;
  const double rate =
      bound_turn_rate(on.a, e_a, on.duration) + bound_turn_rate(on.b, e_b, on.duration);
  double until = two.after(room / std::max(rate, 1e-300));
  for (const int end : {side.from, side.to}) {
    until = watch_ball_edge(two, make_gap(two, end, edge), edge, until);
  }
  return until;
}

// Until when a point of a stays before the vertex of b, not beside one of its edges.
double watch_before(const TwoCores& two, const Vec3& p_A, int vertex) {
  const Vec3 p_B = two.b.X_BS * two.core_b().vertices[vertex];
  double until = two.flight.query.duration;
  for (const auto& next : two.core_b().neighbours_of(vertex)) {
    const Vec3 away = two.b.X_BS.q * -outgoing(two.core_b(), vertex, next.edge);
    until = std::min(until, watch_side(two, p_A, p_B, away));
    if (until <= two.flight.start) break;
  }
  return until;
}

double watch_balls(const TwoCores& two, int a, int b) {
  const Vec3 p_A = two.a.X_BS * two.core_a().vertices[a];
  const Vec3 p_B = two.b.X_BS * two.core_b().vertices[b];
  double until = watch_before(two, p_A, b);
  if (until > two.flight.start) until = std::min(until, watch_before(two.exchange(), p_B, a));
  if (until <= two.flight.start) return two.flight.start;
  const BallBall gap{p_A, p_B, core_radius(two.a.convex), core_radius(two.b.convex)};
  return std::min(until, watch_gap(gap, two.motions, two.flight));
}

using Indices = BoundedList<int, 32>;

Indices first_few(std::size_t count) {
  Indices found;
  for (int i = 0; i < static_cast<int>(count); ++i) found.push(i);
  return found;
}

// The edges of a feature, or those that meet in it; of a core without faces all.
Indices edges_at(const Polytope& core, const Feature& feature) {
  if (core.faces.empty()) return first_few(core.edges.size());
  Indices found;
  switch (feature.kind) {
    case FeatureKind::Edge:
      found.push(feature.index);
      break;
    case FeatureKind::Face:
      for (const int edge : core.edges_of(feature.index)) found.push(edge);
      break;
    case FeatureKind::Vertex:
      for (const auto& next : core.neighbours_of(feature.index)) found.push(next.edge);
      break;
    case FeatureKind::Surface:
      break;
  }
  return found;
}

// The vertex that a feature is, or the ends of an edge; of a core without faces all.
Indices vertices_at(const Polytope& core, const Feature& feature) {
  if (core.faces.empty()) return first_few(core.vertices.size());
  Indices found;
  if (feature.kind == FeatureKind::Vertex) found.push(feature.index);
  if (feature.kind == FeatureKind::Edge) {
    found.push(core.edges[feature.index].from);
    found.push(core.edges[feature.index].to);
  }
  return found;
}

// The latest of all pairs, until one is good for the whole flight.
template <typename Watch>
void watch_all(const Indices& of_a, const Indices& of_b, double end, double& latest,
               const Watch& watch) {
  for (const int a : of_a) {
    for (const int b : of_b) {
      if (latest >= end) return;
      latest = std::max(latest, watch(a, b));
    }
  }
}

}  // namespace

double watch_cores(const MovingShape& a, const MovingShape& b, const Distance& distance,
                   const WatchedFlight& flight) {
  if (!a.convex.core || !b.convex.core) return flight.start;
  const TwoMotions motions(a, b, flight), exchanged(b, a, flight);
  const TwoCores two{a, b, motions, exchanged, flight};
  const Indices edges_a = edges_at(*a.convex.core, distance.feature_a);
  const Indices edges_b = edges_at(*b.convex.core, distance.feature_b);
  const double end = flight.query.duration;
  double latest = flight.start;
  watch_all(edges_a, edges_b, end, latest,
            [&](int i, int k) { return watch_edges(two, i, k, distance.normal); });
  if (two.reach() <= 0) return latest;
  const Indices vertices_a = vertices_at(*a.convex.core, distance.feature_a);
  const Indices vertices_b = vertices_at(*b.convex.core, distance.feature_b);
  if (a.convex.core->faces.empty()) {
    watch_all(edges_a, edges_b, end, latest, [&](int i, int k) { return watch_along(two, i, k); });
  } else {
    watch_all(edges_b, edges_a, end, latest,
              [&](int i, int k) { return watch_along(two.exchange(), i, k); });
  }
  watch_all(vertices_a, edges_b, end, latest,
            [&](int i, int k) { return watch_ball_edge(two, i, k); });
  watch_all(vertices_b, edges_a, end, latest,
            [&](int i, int k) { return watch_ball_edge(two.exchange(), i, k); });
  watch_all(vertices_a, vertices_b, end, latest,
            [&](int i, int k) { return watch_balls(two, i, k); });
  return latest;
}

}  // namespace carom::geometry
