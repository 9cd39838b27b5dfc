#include "carom/geometry/distance/shape_pairs.h"

#include <array>

#include "carom/base/check.h"

namespace carom::geometry {

namespace {

Vec3 on_body(const ShapeOnBody& at, const Vec3& point) { return at.X_BS * point; }

void append_points_on_plane(const ShapeOnBody& a, const ShapeOnBody& b,
                            std::vector<FeaturePair>& out) {
  const Plane& plane = std::get<Plane>(b.shape);
  const Vec3 n = b.X_BS.q * plane.normal;
  const double offset = n.dot(on_body(b, plane.offset * plane.normal));
  RoundedPoints corners;
  base::check(find_rounded_points(a.shape, corners), "the shape table names shapes with points");
  for (const Vec3& point : corners.points) {
    out.emplace_back(PointPlane{on_body(a, point), corners.radius, n, offset});
  }
}

void append_ball_on_ball(const ShapeOnBody& a, const ShapeOnBody& b,
                         std::vector<FeaturePair>& out) {
  out.emplace_back(BallBall{a.X_BS.p, b.X_BS.p, std::get<Sphere>(a.shape).radius,
                            std::get<Sphere>(b.shape).radius});
}

}  // namespace

// In the order of the variant `Shape`: sphere box capsule cylinder cone ellipsoid plane hull
// mesh.
PairMethod pair_method(const Shape& a, const Shape& b) {
  constexpr auto in = PairRoutine::Ignored;
  constexpr auto bb = PairRoutine::BallOnBall;
  constexpr auto pp = PairRoutine::PointsOnPlane;
  constexpr auto cc = PairRoutine::TwoConvex;
  constexpr auto mm = PairRoutine::OnMesh;
  constexpr std::size_t n = std::variant_size_v<Shape>;
  constexpr std::array<std::array<PairRoutine, n>, n> table = {{
      {bb, cc, cc, cc, cc, cc, pp, cc, mm},  // sphere
      {cc, cc, cc, cc, cc, cc, pp, cc, mm},  // box
      {cc, cc, cc, cc, cc, cc, pp, cc, mm},  // capsule
      {cc, cc, cc, cc, cc, cc, cc, cc, mm},  // cylinder
      {cc, cc, cc, cc, cc, cc, cc, cc, mm},  // cone
      {cc, cc, cc, cc, cc, cc, cc, cc, mm},  // ellipsoid
      {pp, pp, pp, cc, cc, cc, in, pp, in},  // plane
      {cc, cc, cc, cc, cc, cc, pp, cc, mm},  // hull
      {mm, mm, mm, mm, mm, mm, in, mm, in},  // mesh
  }};
  const bool swapped = std::holds_alternative<Plane>(a) || std::holds_alternative<Mesh>(a);
  return {table[a.index()][b.index()], swapped};
}

void append_feature_pairs(PairRoutine routine, const ShapeOnBody& a, const ShapeOnBody& b,
                          std::vector<FeaturePair>& out) {
  switch (routine) {
    case PairRoutine::Ignored:
    case PairRoutine::TwoConvex:
    case PairRoutine::OnMesh:
      return;
    case PairRoutine::PointsOnPlane:
      return append_points_on_plane(a, b, out);
    case PairRoutine::BallOnBall:
      return append_ball_on_ball(a, b, out);
  }
}

}  // namespace carom::geometry
