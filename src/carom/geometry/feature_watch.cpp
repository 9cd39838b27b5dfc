#include "carom/geometry/feature_watch.h"

#include <algorithm>
#include <optional>

#include "carom/geometry/bounded_list.h"
#include "carom/geometry/gap_bounds.h"
#include "carom/math/first_descent.h"

namespace carom::geometry {

namespace {

constexpr double kArcTolerance = 1e-15;  // of products of unit vectors that should not be negative
constexpr double kCrossing = 1e-3;       // rad; edges closer to parallel have no normal to follow
constexpr int kMaxSteps = 256;  // of one gap; where it stops short the walk goes on from there

struct OwnFace {
  Vec3 n_B;
  double offset;
};

// The gaps of a shape over a face, in the frames of the bodies.
struct GapsOverFace {
  const Pose& X_AS;
  const OwnFace& face;
  const Convex& convex;
  std::vector<FeaturePair>& out;

  void add_point(const Vec3& p, double radius) const {
    out.emplace_back(PointPlane{X_AS * p, radius, face.n_B, face.offset});
  }
  void add_rim(double z, double radius) const {
    out.emplace_back(
        RimPlane{X_AS * Vec3(0, 0, z), X_AS.q * Vec3::UnitZ(), radius, face.n_B, face.offset});
  }
  void add_vertices() const {
    for (const Vec3& vertex : convex.polytope->vertices) add_point(vertex, 0);
  }

  void operator()(const Sphere& sphere) const { add_point(Vec3::Zero(), sphere.radius); }
  void operator()(const Capsule& capsule) const {
    for (const double end : {-0.5, 0.5}) {
      add_point(end * capsule.length * Vec3::UnitZ(), capsule.radius);
    }
  }
  void operator()(const Box&) const { add_vertices(); }
  void operator()(const Hull&) const { add_vertices(); }
  void operator()(const Cylinder& cylinder) const {
    for (const double end : {-0.5, 0.5}) add_rim(end * cylinder.length, cylinder.radius);
  }
  void operator()(const Cone& cone) const {
    add_rim(-0.5 * cone.length, cone.radius);
    add_point(0.5 * cone.length * Vec3::UnitZ(), 0);
  }
  void operator()(const Ellipsoid& ellipsoid) const {
    out.emplace_back(EllipsoidPlane{X_AS, ellipsoid.radii, face.n_B, face.offset});
  }
  void operator()(const Plane&) const {}
};

// Bodies whose gaps are watched, the first owning the first feature, from some time to the end.
struct TwoMotions {
  const RigidMotion &a, &b;
  BoundedBodies bounds;

  TwoMotions(const MovingShape& first, const MovingShape& second, const WatchedFlight& flight)
      : a(first.motion),
        b(second.motion),
        bounds(bound_bodies(a, b, {flight.start, flight.query.duration})) {}
};

// Until when the gap stays above its level, at the least; the start if it is too low already.
double watch_gap(const FeaturePair& pair, const TwoMotions& motions, const WatchedFlight& flight) {
  const auto gap = [&](double s) {
    return compute_gap(pair, kinematics_at(pair, motions.a, motions.b, s));
  };
  const double end = flight.query.duration;
  const math::Sample begin = gap(0);
  const math::Sample here = flight.start > 0 ? gap(flight.start) : begin;
  const double level = std::max(flight.level, level_of(begin, flight.query));
  if (here.value < level - flight.resolution) return flight.start;
  const GapBounds bounds = bound_gap(pair, motions.bounds);
  if (!std::isfinite(bounds.curvature)) return flight.start;
  const math::Descent found = math::find_first_descent(gap, here,
                                                       {.start = flight.start,
                                                        .end = end,
                                                        .level = level,
                                                        .curvature = bounds.curvature,
                                                        .jerk = bounds.jerk,
                                                        .resolution = flight.resolution,
                                                        .max_iterations = kMaxSteps});
  return found.status == math::DescentStatus::NotInInterval ? end : found.s;
}

double watch_face(const OwnFace& face, const TwoMotions& motions, const MovingShape& other,
                  const WatchedFlight& flight, std::vector<FeaturePair>& gaps) {
  gaps.clear();
  std::visit(GapsOverFace{other.X_BS, face, other.convex, gaps}, other.convex.shape);
  double until = flight.query.duration;
  for (const FeaturePair& gap : gaps) {
    until = std::min(until, watch_gap(gap, motions, flight));
    if (until <= flight.start) break;
  }
  return until;
}

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

// Until when the common normal of two edges stays between the faces that meet at each.
double watch_arcs(const MovingShape& a, const MovingShape& b, const BoundedBodies& bounds,
                  const Polytope::Edge& edge_a, const Polytope::Edge& edge_b, double sign,
                  const WatchedFlight& flight) {
  const Interval rest{flight.start, flight.query.duration};
  const auto normal_a = [&](int face) -> Vec3 {
    return a.X_BS.q * a.convex.polytope->faces[face].normal;
  };
  const auto normal_b = [&](int face) -> Vec3 {
    return b.X_BS.q * b.convex.polytope->faces[face].normal;
  };
  const Vec3 e_a = a.X_BS.q * edge_a.direction, e_b = b.X_BS.q * edge_b.direction;
  const double remaining = rest.end - rest.start;
  double wait = remaining;
  for (const Arc& arc :
       {Arc{normal_a(edge_a.left), e_b, -sign}, Arc{normal_a(edge_a.right), e_b, sign},
        Arc{e_a, normal_b(edge_b.left), -sign}, Arc{e_a, normal_b(edge_b.right), sign}}) {
    wait = std::min(wait, watch_arc(arc, bounds.a, bounds.b, remaining));
  }
  return wait >= remaining ? rest.end : rest.start + wait;
}

using EdgeList = BoundedList<int, 32>;

// The edges of a feature, or those that meet in it.
EdgeList edges_at(const Polytope& polytope, const Feature& feature) {
  EdgeList found;
  switch (feature.kind) {
    case FeatureKind::Edge:
      found.push(feature.index);
      break;
    case FeatureKind::Face:
      for (const int edge : polytope.edges_of(feature.index)) found.push(edge);
      break;
    case FeatureKind::Vertex:
      for (const auto& next : polytope.neighbours_of(feature.index)) found.push(next.edge);
      break;
    case FeatureKind::Surface:
      break;
  }
  return found;
}

struct TwoEdges {
  int a, b;
  Vec3 normal;  // from b to a, about
};

// The gap of two edges, from the points at which they pass each other; nothing if they are
// parallel.
std::optional<EdgeEdge> make_gap(const MovingShape& a, const MovingShape& b, const TwoEdges& two,
                                 double s) {
  const Polytope &of_a = *a.convex.polytope, &of_b = *b.convex.polytope;
  const Pose X_WA = pose_at(a.motion, s), X_WB = pose_at(b.motion, s);
  EdgeEdge gap{
      a.X_BS * of_a.vertices[of_a.edges[two.a].from], a.X_BS.q * of_a.edges[two.a].direction,
      b.X_BS * of_b.vertices[of_b.edges[two.b].from], b.X_BS.q * of_b.edges[two.b].direction, 1};
  const Vec3 e_a = X_WA.q * gap.e_A, e_b = X_WB.q * gap.e_B;
  const Vec3 across = e_a.cross(e_b);
  const double sine2 = across.squaredNorm();
  if (sine2 < kCrossing * kCrossing) return std::nullopt;
  const Vec3 d = X_WB * gap.p_B - X_WA * gap.p_A;
  gap.p_A += d.cross(e_b).dot(across) / sine2 * gap.e_A;
  gap.p_B += d.cross(e_a).dot(across) / sine2 * gap.e_B;
  gap.sign = across.dot(two.normal) < 0 ? -1 : 1;
  return gap;
}

double watch_two_edges(const MovingShape& a, const MovingShape& b, const TwoMotions& motions,
                       const TwoEdges& two, const WatchedFlight& flight) {
  const auto gap = make_gap(a, b, two, flight.start);
  if (!gap) return flight.start;
  const double valid = watch_arcs(a, b, motions.bounds, a.convex.polytope->edges[two.a],
                                  b.convex.polytope->edges[two.b], gap->sign, flight);
  if (valid <= flight.start) return flight.start;
  return std::min(valid, watch_gap(*gap, motions, flight));
}

OwnFace on_body(const Vec3& normal, double offset, const Pose& X_BS) {
  const Vec3 n_B = X_BS.q * normal;
  return {n_B, offset + n_B.dot(X_BS.p)};
}

}  // namespace

double level_of(const math::Sample& start, const MotionQuery& query) {
  if (start.value > query.gap_tolerance) return 0;
  const double here = std::min(start.value, 0.0);
  return start.rate > query.velocity_tolerance ? here : here - query.gap_tolerance;
}

double watch_edges(const MovingShape& a, const MovingShape& b, const Distance& distance,
                   const WatchedFlight& flight) {
  if (!a.convex.polytope || !b.convex.polytope) return flight.start;
  const EdgeList edges_a = edges_at(*a.convex.polytope, distance.feature_a);
  const EdgeList edges_b = edges_at(*b.convex.polytope, distance.feature_b);
  const TwoMotions motions(a, b, flight);
  double latest = flight.start;
  for (const int edge_a : edges_a) {
    for (const int edge_b : edges_b) {
      latest = std::max(latest,
                        watch_two_edges(a, b, motions, {edge_a, edge_b, distance.normal}, flight));
    }
  }
  return latest;
}

double watch_faces_of(const MovingShape& owner, const Feature& feature, const MovingShape& other,
                      const WatchedFlight& flight, std::vector<FeaturePair>& scratch) {
  const TwoMotions motions(other, owner, flight);
  double latest = flight.start;
  const auto watch = [&](const Vec3& normal, double offset) {
    if (latest >= flight.query.duration) return;
    const OwnFace face = on_body(normal, offset, owner.X_BS);
    latest = std::max(latest, watch_face(face, motions, other, flight, scratch));
  };
  if (const Plane* plane = std::get_if<Plane>(&owner.convex.shape)) {
    watch(plane->normal, plane->offset);
  }
  const bool over_plane = std::holds_alternative<Plane>(other.convex.shape);  // has no lowest point
  if (!owner.convex.polytope || over_plane) return latest;
  const Polytope& polytope = *owner.convex.polytope;
  const auto watch_own = [&](int face) {
    watch(polytope.faces[face].normal, polytope.faces[face].offset);
  };
  switch (feature.kind) {
    case FeatureKind::Face:
      watch_own(feature.index);
      break;
    case FeatureKind::Edge:
      watch_own(polytope.edges[feature.index].left);
      watch_own(polytope.edges[feature.index].right);
      break;
    case FeatureKind::Vertex:
      for (const auto& [vertex, edge] : polytope.neighbours_of(feature.index)) {
        watch_own(polytope.edges[edge].left);
        watch_own(polytope.edges[edge].right);
      }
      break;
    case FeatureKind::Surface:
      break;
  }
  return latest;
}

}  // namespace carom::geometry
