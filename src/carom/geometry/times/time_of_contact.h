// Every time at which two convex shapes in flight come into contact, up to their first impact.
//
// The search walks forward in time from one side, so that nothing is missed; but where bounds make
// it creep and the shapes hardly move in what is left of the flight it looks at the distance a few
// times instead, and says so. At each stop it asks
// for the signed distance and for the longest wait that some separating direction guarantees. A
// direction d keeps the shapes apart at least by
//
//     min over x in a of d·x  -  max over y in b of d·y,
//
// and each point's part of this has a known rate and a bounded second derivative, so the shapes
// cannot meet before
//
//     d·(c_a - c_b) + τ ġ - K τ²/2 - h_a(-(d + τ ḋ_a)) - h_b(d + τ ḋ_b)
//
// falls to the level; h are the support functions and ḋ_a, ḋ_b the rates of d as the bodies see it.
// This is concave in τ, holds from touch, and converges quadratically to an impact (Mirtich &
// Canny, §3.1, with directions and derivatives in the place of speeds). The direction may stand
// still or turn with either body; for faces that touch, each corner's gap is followed with bounds
// on its third derivative, so that what rests is passed over in large steps.
//
// A pair that rests on itself at the start is watched for sinking by the gap tolerance: an impact
// elsewhere on the same pair (Drumwright, §III) shows as that. One that leaves is watched for
// coming back to where it was.
#pragma once

#include <vector>

#include "carom/geometry/regions/contact_region.h"

namespace carom::geometry {

// A shape on a body in flight.
struct MovingShape {
  const Convex& convex;
  const Pose& X_BS;
  const RigidMotion& motion;
};

struct TouchTime {
  double s = 0;     // seconds after the start, on the apart side
  double rate = 0;  // d gap/dt then; negative is an impact
  ContactPoint at;  // normal from b to a
  std::int64_t feature = 0;
};

struct MotionQuery {
  double duration = 0;
  double gap_tolerance = 0;       // m; nearer is touching
  double velocity_tolerance = 0;  // m/s; what approaches slower is resting
  double leaving = 0;             // m/s; and what opens faster is not
};

enum class TouchStatus { Complete, IterationCap };

// What a pair keeps from query to query: a hint, and memory to work in.
struct TouchSearch {
  DistanceHint hint;
  std::vector<RegionPoint> region;
  std::vector<TouchTime> touching, arrived;
  std::vector<FeaturePair> over_face;
  // m; of the last search, how far points may have come together and parted again between two looks
  // at the distance; 0 where it was proven that no contact is missed.
  double unproven = 0;
};

// Appends to `out`, in order of time. Touches without impact are reported and passed.
[[nodiscard]] TouchStatus find_times_of_contact(const MovingShape& a, const MovingShape& b,
                                                const MotionQuery& query, TouchSearch& search,
                                                std::vector<TouchTime>& out);

}  // namespace carom::geometry
