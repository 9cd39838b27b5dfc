// How long faces that touch keep two shapes apart: over a face each corner, cap, rim or surface of
// the other shape is a smooth gap with bounds on its second and third derivatives, so that what
// rests, also while it turns, is followed in large steps.
#pragma once

#include "carom/geometry/times/gap_watch.h"

namespace carom::geometry {

// The latest time up to which some face of `owner` at `feature` keeps `other` above the level; the
// start if none does. `scratch` is memory to work in.
double watch_faces_of(const MovingShape& owner, const Feature& feature, const MovingShape& other,
                      const WatchedFlight& flight, std::vector<FeaturePair>& scratch);

}  // namespace carom::geometry
