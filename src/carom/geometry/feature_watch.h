// How long features that touch keep two shapes apart. Over a face each corner, cap, rim or surface
// of the other shape is a smooth gap; between two edges there is one. All have bounds on their
// second and third derivatives, so that what rests, also while it turns, is followed in large
// steps.
#pragma once

#include <vector>

#include "carom/geometry/time_of_contact.h"

namespace carom::geometry {

struct WatchedFlight {
  const MotionQuery& query;
  double start;       // of what is left of it
  double level;       // below which no gap may be already
  double resolution;  // how close to its level counts as there
};

// Down to which a gap is watched through a flight, from what it was at the start: one that was
// apart until it closes, one that was leaving until it is back where it was, one that rested until
// it has sunk by the gap tolerance.
double level_of(const math::Sample& start, const MotionQuery& query);

// The latest time up to which two edges at the nearest features keep both apart: as long as their
// common normal stays between the faces that meet at each (their arcs on the Gauss map cross) the
// gap of the edges is that of the shapes.
double watch_edges(const MovingShape& a, const MovingShape& b, const Distance& distance,
                   const WatchedFlight& flight);

// The latest time up to which some face of `owner` at `feature` keeps `other` above the level; the
// start if none does. `scratch` is memory to work in.
double watch_faces_of(const MovingShape& owner, const Feature& feature, const MovingShape& other,
                      const WatchedFlight& flight, std::vector<FeaturePair>& scratch);

}  // namespace carom::geometry
