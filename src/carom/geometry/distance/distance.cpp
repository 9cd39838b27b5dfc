#include "carom/geometry/distance/distance.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "carom/base/check.h"
#include "carom/geometry/distance/closest_features.h"
#include "carom/geometry/distance/convex_pair.h"
#include "carom/geometry/distance/point_distance.h"
#include "carom/geometry/distance/segment_distance.h"
#include "carom/geometry/distance/touching.h"
#include "carom/geometry/shapes/rounded.h"

namespace carom::geometry {

namespace {

enum class Routine {
  None,      // two half-spaces
  Balls,     // two centres
  Point,     // the distance of the ball's centre, closed form; the first shape is the ball
  Segments,  // the distance of the axes
  Plane,     // the lowest point over the half-space; the first shape is the half-space
  Features,  // closest features of polytopes, points and segments, with radii around them
  Convex,    // any support mappings
};

struct Cell {
  Routine routine;
  bool exchanged = false;  // the second shape takes the first one's part
};

// Rows and columns in the order of Shape; X marks exchanged ones.
constexpr Cell kNone{Routine::None}, kBalls{Routine::Balls}, kPoint{Routine::Point},
    kPointX{Routine::Point, true}, kSegm{Routine::Segments}, kPlane{Routine::Plane},
    kPlaneX{Routine::Plane, true}, kFeat{Routine::Features}, kConv{Routine::Convex};
constexpr std::array<std::array<Cell, 8>, 8> kTable{{
    // sphere  box     capsule cylinder cone   ellipsoid plane  hull
    {{kBalls, kPoint, kPoint, kPoint, kPoint, kPoint, kPlaneX, kFeat}},  // sphere
    {{kPointX, kFeat, kFeat, kConv, kConv, kConv, kPlaneX, kFeat}},      // box
    {{kPointX, kFeat, kSegm, kConv, kConv, kConv, kPlaneX, kFeat}},      // capsule
    {{kPointX, kConv, kConv, kConv, kConv, kConv, kPlaneX, kConv}},      // cylinder
    {{kPointX, kConv, kConv, kConv, kConv, kConv, kPlaneX, kConv}},      // cone
    {{kPointX, kConv, kConv, kConv, kConv, kConv, kPlaneX, kConv}},      // ellipsoid
    {{kPlane, kPlane, kPlane, kPlane, kPlane, kPlane, kNone, kPlane}},   // plane
    {{kFeat, kFeat, kFeat, kConv, kConv, kConv, kPlaneX, kFeat}},        // hull
}};

// What a query knows beside the shapes themselves.
struct Query {
  const Convex& a;
  const Convex& b;
  Pose X_AB;
  Feature feature_a, feature_b;  // at which the last query ended
  Vec3 normal;
  double size;
};

Query exchange(const Query& query) {
  return {query.b,         query.a,         query.X_AB.inverse(),
          query.feature_b, query.feature_a, query.X_AB.q.conjugate() * -query.normal,
          query.size};
}

// In b's frame, from a query that was exchanged, to a's.
Distance exchange_back(const Distance& found, const Pose& X_AB) {
  Distance out = found;
  out.p_A = X_AB * found.p_B;
  out.p_B = X_AB * found.p_A;
  out.normal = X_AB.q * -found.normal;
  std::swap(out.feature_a, out.feature_b);
  return out;
}

Distance around(const CoreDistance& core, double radius_a, double radius_b) {
  const Candidate& best = core.best;
  Distance out;
  out.status = core.status;
  out.value = best.separation - radius_a - radius_b;
  out.p_A = best.facing.x - radius_a * best.n;
  out.p_B = best.facing.y + radius_b * best.n;
  out.normal = best.n;
  out.feature_a = best.feature_a;
  out.feature_b = best.feature_b;
  out.iterations = core.iterations;
  return out;
}

Distance solve_balls(const Sphere& a, const Sphere& b, const Query& query) {
  const double apart = query.X_AB.p.norm();
  Distance out;
  out.value = apart - a.radius - b.radius;
  out.normal = apart > 0 ? Vec3(-query.X_AB.p / apart) : Vec3(Vec3::UnitX());
  out.p_A = -a.radius * out.normal;
  out.p_B = query.X_AB.p + b.radius * out.normal;
  return out;
}

PointDistance from_centre(const Box& box, const Convex& convex, const Vec3& centre) {
  return compute_point_distance(box, convex, centre);
}
template <typename Shape>
PointDistance from_centre(const Shape& shape, const Convex&, const Vec3& centre) {
  return compute_point_distance(shape, centre);
}

template <typename Shape>
Distance solve_point(const Sphere& ball, const Shape& shape, const Query& query) {
  const Vec3 centre = query.X_AB.q.conjugate() * -query.X_AB.p;
  const PointDistance found = from_centre(shape, query.b, centre);
  Distance out;
  out.value = found.value - ball.radius;
  out.normal = query.X_AB.q * found.normal;
  out.p_A = -ball.radius * out.normal;
  out.p_B = -found.value * out.normal;
  out.feature_b = found.feature;
  return out;
}

Distance solve_segments(const Capsule& a, const Capsule& b, const Query& query) {
  const Vec3 axis_b = query.X_AB.q * Vec3::UnitZ();
  const SegmentDistance found = compute_segment_distance(
      {Vec3::Zero(), Vec3::UnitZ(), 0.5 * a.length}, {query.X_AB.p, axis_b, 0.5 * b.length});
  Distance out;
  out.value = found.value - a.radius - b.radius;
  out.normal = found.normal;
  out.p_A = found.x - a.radius * found.normal;
  out.p_B = found.y + b.radius * found.normal;
  return out;
}

Distance solve_plane(const Plane& plane, const Query& query) {
  Rounded core = make_rounded(query.b);
  const Vec3 down = query.X_AB.q.conjugate() * -plane.normal;
  const Vec3 low = query.X_AB * core.support(down) - core.radius * plane.normal;
  Distance out;
  out.value = plane.normal.dot(low) - plane.offset;
  out.normal = -plane.normal;
  out.p_A = low - out.value * plane.normal;
  out.p_B = low;
  out.feature_b = core.support.find_set(down).feature;
  return out;
}

Distance solve_convex(const Query& query) {
  const Rounded core_a = make_rounded(query.a), core_b = make_rounded(query.b);
  ConvexPair pair(core_a.support, core_b.support, query.X_AB, query.size);
  return around(pair.compute(query.normal), core_a.radius, core_b.radius);
}

Distance solve_features(const Query& query) {
  const PolytopePair pair{*query.a.core, *query.b.core, query.X_AB, query.size};
  const ClosestFeatures walked =
      find_closest_features(pair, query.feature_a, query.feature_b, query.normal);
  CoreDistance core{DistanceStatus::Converged, walked.best, walked.steps};
  if (!walked.found) {
    core = ConvexPair(Support(PolytopeSupport{&pair.a}), Support(PolytopeSupport{&pair.b}),
                      pair.X_AB, pair.size)
               .compute(query.normal);
  }
  Distance out = around(core, core_radius(query.a), core_radius(query.b));
  if (query.a.polytope && query.b.polytope && std::abs(out.value) < kAlmostTouching * query.size) {
    refine_touching(*query.a.polytope, *query.b.polytope, query.X_AB, out);
  }
  return out;
}

template <Routine Chosen, typename ShapeA, typename ShapeB>
Distance solve(const ShapeA& a, const ShapeB& b, const Query& query) {
  if constexpr (Chosen == Routine::Balls) {
    return solve_balls(a, b, query);
  } else if constexpr (Chosen == Routine::Point) {
    return solve_point(a, b, query);
  } else if constexpr (Chosen == Routine::Segments) {
    return solve_segments(a, b, query);
  } else if constexpr (Chosen == Routine::Plane) {
    return solve_plane(a, query);
  } else if constexpr (Chosen == Routine::Features) {
    return solve_features(query);
  } else if constexpr (Chosen == Routine::Convex) {
    return solve_convex(query);
  } else {
    base::check(false, "a distance is asked of two shapes of which one is bounded");
    return {};
  }
}

template <typename Alternative, std::size_t Index = 0>
constexpr std::size_t position() {
  if constexpr (std::is_same_v<Alternative, std::variant_alternative_t<Index, Shape>>) {
    return Index;
  } else {
    return position<Alternative, Index + 1>();
  }
}

// In a's frame.
Distance dispatch(const Query& query) {
  return std::visit(
      [&query]<typename ShapeA, typename ShapeB>(const ShapeA& a, const ShapeB& b) {
        constexpr Cell cell = kTable[position<ShapeA>()][position<ShapeB>()];
        if constexpr (cell.exchanged) {
          return exchange_back(solve<cell.routine>(b, a, exchange(query)), query.X_AB);
        } else {
          return solve<cell.routine>(a, b, query);
        }
      },
      query.a.shape, query.b.shape);
}

}  // namespace

Distance compute_distance(const Placed& a, const Placed& b, DistanceHint& hint) {
  const Quat back = a.X_WS.q.conjugate();
  const Query query{a.convex,
                    b.convex,
                    {back * (b.X_WS.p - a.X_WS.p), back * b.X_WS.q},
                    hint.feature_a,
                    hint.feature_b,
                    back * hint.normal,
                    std::max(a.convex.radius, b.convex.radius)};
  Distance distance = dispatch(query);
  distance.p_A = a.X_WS * distance.p_A;
  distance.p_B = a.X_WS * distance.p_B;
  distance.normal = a.X_WS.q * distance.normal;
  hint = {distance.feature_a, distance.feature_b, distance.normal};
  return distance;
}

}  // namespace carom::geometry
