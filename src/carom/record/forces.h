// Forces at contacts and joints over an interval of time, and what they did.
#pragma once

#include <cstdint>
#include <span>

#include "carom/base/ids.h"
#include "carom/dynamics/wrench.h"

namespace carom::record {

// A contact or joint force; it acts on a and is opposed on b.
struct CarriedForce {
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();  // a couple beside the force: joints and rolling resistance
  std::int32_t joint = -1;     // the joint's number in the scene; -1 for a contact
  bool motor = false;          // a joint's, whose work comes from outside
};

// The effect of a force over a time.
struct ForceEffect {
  Vec3 impulse = Vec3::Zero(), moment = Vec3::Zero();  // N s; about the world's origin
  double work_a = 0, work_b = 0;                       // J; along each body's path
};

// Wrenches of a program, one per body of the flight or of the segment: a force at the centre of
// mass and a torque about it; empty where it does nothing. Constant, or at the start, the middle
// and the end of the time. (Forces of the scene are not recorded: they follow from the motion.)
struct ProgramWrenches {
  std::span<const dynamics::Wrench> start, middle{}, end{};
};

// Forces that act during a flight: constant; or, where they vary, those at its start, its middle
// and its end, the same contacts in the same order.
struct Forces {
  std::span<const CarriedForce> start, middle{}, end{};
  // The effect of each, where forces are too stiff to be known by three times.
  std::span<const ForceEffect> effects{};
  double stored_start = 0, stored_end = 0;  // J; in springs at contacts
  // Constant forces have the levers that their points have about the means of the bodies' paths
  // over twice this time, s; 0: about where they start.
  double levers_at = 0;
  ProgramWrenches program{};

  bool vary() const { return !middle.empty(); }
};

}  // namespace carom::record
