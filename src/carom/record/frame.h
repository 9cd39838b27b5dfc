// What happened over an interval in which every body kept its own clock: where all of them were at
// its start, what happened to some of them at a time, and where all of them are at its end. Between
// that a body flies freely, so that its whole path follows from these; and what happens to a few
// costs the record as much as these few take, however many bodies there are.
//
// That is collisions of pairs, each at one instant, or segments: times in which bodies that touch
// push each other. A frame has either, not both. The segments of one body do not overlap and come
// in order; very often one starts when, to the last bit, the one before has ended. A frame with
// segments ends at the first output time in it, and every contact that then lasts has a segment
// that ends there too.
#pragma once

#include <span>

#include "carom/dynamics/state.h"
#include "carom/math/rigid_motion.h"
#include "carom/record/events.h"
#include "carom/record/forces.h"

namespace carom::record {

// Two bodies at one instant. A body that nothing pushes stays what it was.
struct Collision {
  ContactEvent event;          // an impact or a microcollision
  Vec3 couple = Vec3::Zero();  // rolling resistance: an angular impulse on a, opposed on b
  BodyState a, b;              // right after it
};

// Some bodies under forces of their own for a while: a step of those that push each other.
struct ClusterSegment {
  double t0 = 0, t1 = 0;                 // t1 > t0
  std::span<const BodyId> bodies;        // dynamic ones
  std::span<const RigidMotion> motions;  // theirs, from t0 on, valid to t1
  std::span<const BodyState> ends;       // theirs at t1, as the method has them
  Forces forces;                         // on and between the bodies, with their effects

  double duration() const { return t1 - t0; }
};

struct Frame {
  const State& start;
  std::span<const Collision> collisions;
  const State& end;
  std::span<const ClusterSegment> segments{};  // in the order in which they end
  std::span<const ContactEvent> events{};      // contacts that began or ended, in the order of time

  double duration() const { return end.t - start.t; }
};

}  // namespace carom::record
