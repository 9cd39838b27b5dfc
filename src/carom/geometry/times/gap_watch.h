// Until when one smooth gap between two bodies in flight stays above its level, at the least.
#pragma once

#include <vector>

#include "carom/geometry/times/gap_bounds.h"
#include "carom/geometry/times/time_of_contact.h"

namespace carom::geometry {

struct WatchedFlight {
  const MotionQuery& query;
  double start;       // s; what comes before is not looked at
  double level;       // m; the lower limit of the gap
  double resolution;  // m; a gap this close to its level has reached it
};

// Down to which a gap is watched through a flight, from what it was at the start: one that was
// apart until it closes, one that was leaving until it is back where it was, one that rested until
// it has sunk by the gap tolerance.
double level_of(const math::Sample& start, const MotionQuery& query);

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
double watch_gap(const FeaturePair& pair, const TwoMotions& motions, const WatchedFlight& flight);

// Until when a gap that gates other gaps stays above -slack.
double watch_condition(const FeaturePair& pair, const TwoMotions& motions, double slack,
                       const WatchedFlight& flight);

}  // namespace carom::geometry
