#include "carom/geometry/distance/segment_distance.h"

#include <algorithm>
#include <cmath>

namespace carom::geometry {

namespace {

// Between shorter differences than this, in parts of the size, the directions decide.
constexpr double kCrossing = 1e-9;

Vec3 nearest_on(const CentredSegment& segment, const Vec3& point) {
  const double along = segment.direction.dot(point - segment.centre);
  return segment.centre + std::clamp(along, -segment.half, segment.half) * segment.direction;
}

struct Points {
  Vec3 x, y;
};

Points nearer(const Points& first, const Points& second) {
  return (second.x - second.y).squaredNorm() < (first.x - first.y).squaredNorm() ? second : first;
}

// Where the lines are nearest, if that lies on both segments; else one of the ends is.
Points find_points(const CentredSegment& a, const CentredSegment& b, const Vec3& normal) {
  const Vec3 r = a.centre - b.centre;
  Points best{a.centre, nearest_on(b, a.centre)};
  const double square = normal.squaredNorm();
  if (square > 0) {
    const double s = b.direction.cross(r).dot(normal) / square;
    const double t = a.direction.cross(r).dot(normal) / square;
    if (std::abs(s) <= a.half && std::abs(t) <= b.half) {
      best = nearer(best, {a.centre + s * a.direction, b.centre + t * b.direction});
    }
  }
  for (const double end : {-1.0, 1.0}) {
    const Vec3 x = a.centre + end * a.half * a.direction;
    const Vec3 y = b.centre + end * b.half * b.direction;
    best = nearer(best, {x, nearest_on(b, x)});
    best = nearer(best, {nearest_on(a, y), y});
  }
  return best;
}

}  // namespace

SegmentDistance compute_segment_distance(const CentredSegment& a, const CentredSegment& b) {
  const Vec3 across = a.direction.cross(b.direction);
  const Points points = find_points(a, b, across);
  const Vec3 step = points.x - points.y;
  const double distance = step.norm();
  if (distance > kCrossing * (a.half + b.half)) {
    return {distance, points.x, points.y, step / distance};
  }
  Vec3 normal = across.squaredNorm() > 1e-20 ? Vec3(across.normalized())
                                             : math::make_tangents(a.direction).first;
  if (normal.dot(step) < 0) normal = -normal;
  const double value = normal.dot(step);
  const Vec3 error = 0.5 * (step - value * normal);
  return {value, points.x - error, points.y + error, normal};
}

}  // namespace carom::geometry
