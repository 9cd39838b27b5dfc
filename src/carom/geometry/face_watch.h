// How long a face of one shape keeps another shape above it: each corner, cap, rim or surface of
// the other is a smooth gap over the face's plane, with bounds on its second and third derivative,
// so that what rests on the face, also while both turn, is followed in large steps.
#pragma once

#include <vector>

#include "carom/geometry/time_of_contact.h"

namespace carom::geometry {

struct WatchedFlight {
  double start, end;
  double level;       // the gap to stay above
  double resolution;  // how close to the level counts as there
};

// The latest time up to which some face of `owner` at `feature` keeps `other` above the level; the
// start if none does. `scratch` is memory to work in.
double watch_faces_of(const MovingShape& owner, const Feature& feature, const MovingShape& other,
                      const WatchedFlight& flight, std::vector<FeaturePair>& scratch);

}  // namespace carom::geometry
