// The box around everything a moving body may touch during a flight (Mirtich & Canny, §3.2): around
// its centre at the start, at the end and at the apex of its parabola in each direction, grown by
// the body's reach, which is the farthest any of its points lies from that centre however it spins.
// A path that is no parabola has its control points boxed instead, which hold it but not tightly.
#pragma once

#include "carom/geometry/broad_phase/box3.h"
#include "carom/math/rigid_motion.h"

namespace carom::geometry {

Box3 swept_box(const RigidMotion& motion, double reach, double duration);

}  // namespace carom::geometry
