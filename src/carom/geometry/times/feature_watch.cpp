#include "carom/geometry/times/feature_watch.h"

#include <algorithm>

namespace carom::geometry {

namespace {

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

OwnFace on_body(const Vec3& normal, double offset, const Pose& X_BS) {
  const Vec3 n_B = X_BS.q * normal;
  return {n_B, offset + n_B.dot(X_BS.p)};
}

}  // namespace

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
