// How long a look at a pair promises that it stays apart.
#pragma once

#include "carom/geometry/times/separation.h"
#include "carom/geometry/times/time_of_contact.h"

namespace carom::support {

// A lower bound on the time until a and b touch, `duration` if they do not within it.
inline double time_to_contact_at_least(const geometry::MovingShape& a,
                                       const geometry::MovingShape& b, double duration,
                                       geometry::DistanceHint& hint) {
  const geometry::BodyBounds A = geometry::bound_motion(a.motion, {0, duration});
  const geometry::BodyBounds B = geometry::bound_motion(b.motion, {0, duration});
  const geometry::Distance distance =
      compute_distance({a.convex, A.X * a.X_BS}, {b.convex, B.X * b.X_BS}, hint);
  return wait_apart(make_flying_shape(a.convex, a.X_BS, A), make_flying_shape(b.convex, b.X_BS, B),
                    {distance.normal, distance.value}, 0, duration);
}

}  // namespace carom::support
