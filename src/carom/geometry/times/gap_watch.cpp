#include "carom/geometry/times/gap_watch.h"

#include <algorithm>

#include "carom/math/first_descent.h"

namespace carom::geometry {

namespace {

constexpr int kMaxSteps = 256;  // of one gap; where it stops short the walk goes on from there

struct Floor {
  double level, resolution;  // how close to the level counts as there
};

template <typename Gap>
double watch(const Gap& gap, const math::Sample& here, const GapBounds& bounds, const Floor& floor,
             const WatchedFlight& flight) {
  const double end = flight.query.duration;
  if (here.value < floor.level - floor.resolution) return flight.start;
  if (!std::isfinite(bounds.curvature)) return flight.start;
  const math::Descent found = math::find_first_descent(gap, here,
                                                       {.start = flight.start,
                                                        .end = end,
                                                        .level = floor.level,
                                                        .curvature = bounds.curvature,
                                                        .jerk = bounds.jerk,
                                                        .resolution = floor.resolution,
                                                        .max_iterations = kMaxSteps});
  return found.status == math::DescentStatus::NotInInterval ? end : found.s;
}

}  // namespace

double level_of(const math::Sample& start, const MotionQuery& query) {
  if (start.value > query.gap_tolerance) return 0;
  const double here = std::min(start.value, 0.0);
  return start.rate > query.leaving ? here : here - query.gap_tolerance;
}

double watch_gap(const FeaturePair& pair, const TwoMotions& motions, const WatchedFlight& flight) {
  const auto gap = [&](double s) {
    return compute_gap(pair, kinematics_at(pair, motions.a, motions.b, s));
  };
  const math::Sample begin = gap(0);
  const math::Sample here = flight.start > 0 ? gap(flight.start) : begin;
  const double level = std::max(flight.level, level_of(begin, flight.query));
  return watch(gap, here, bound_gap(pair, motions.bounds), {level, flight.resolution}, flight);
}

double watch_condition(const FeaturePair& pair, const TwoMotions& motions, double slack,
                       const WatchedFlight& flight) {
  const auto gap = [&](double s) {
    return compute_gap(pair, kinematics_at(pair, motions.a, motions.b, s));
  };
  return watch(gap, gap(flight.start), bound_gap(pair, motions.bounds), {-slack, 0.1 * slack},
               flight);
}

}  // namespace carom::geometry
