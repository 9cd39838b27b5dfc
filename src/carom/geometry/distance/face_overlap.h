// Common points of two flat convex sets seen along a normal: where the support points of two shapes
// in opposite directions face each other.
#pragma once

#include "carom/geometry/shapes/support.h"

namespace carom::geometry {

struct FaceOverlap {
  Vec3 x, y;                // a point of each
  double apart = HUGE_VAL;  // between them at right angles to the normal; 0 where the sets overlap
};

// Both sets in one frame.
FaceOverlap find_face_overlap(const SupportFace& a, const SupportFace& b, const Pose& X_AB,
                              const Vec3& n);

}  // namespace carom::geometry
