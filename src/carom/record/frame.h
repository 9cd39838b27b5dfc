// What happened over an interval in which every body kept its own clock: where all of them were at
// its start, the collisions of pairs in the order of time, and where all of them are at its end.
// Between its collisions a body flies freely, so that its whole path follows from these; and an
// event costs the record as much as two bodies take, however many there are.
#pragma once

#include <span>

#include "carom/dynamics/state.h"
#include "carom/record/events.h"

namespace carom::record {

// Two bodies at one instant. A body that nothing pushes stays what it was.
struct Collision {
  ContactEvent event;          // an impact or a microcollision
  Vec3 couple = Vec3::Zero();  // rolling resistance: an angular impulse on a, opposed on b
  BodyState a, b;              // right after it
};

struct Frame {
  const State& start;
  std::span<const Collision> collisions;
  const State& end;

  double duration() const { return end.t - start.t; }
};

}  // namespace carom::record
