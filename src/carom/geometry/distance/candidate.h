// What the distance routines hand to each other.
#pragma once

#include "carom/geometry/distance/face_overlap.h"

namespace carom::geometry {

// One direction with its separation and the points that face each other along it.
struct Candidate {
  Vec3 n = Vec3::Zero();
  double separation = -HUGE_VAL;
  FaceOverlap facing;
  double gap = HUGE_VAL;  // upper minus lower bound on the distance; < 0: the slope that is left
  Feature feature_a, feature_b;
  bool proven = false;
};

// Two polytopes, the second one's place in the first one's frame, and the scale of tolerances.
struct PolytopePair {
  const Polytope& a;
  const Polytope& b;
  Pose X_AB;
  double size = 0;
};

}  // namespace carom::geometry
