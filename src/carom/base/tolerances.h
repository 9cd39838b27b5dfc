// The few tolerances of a simulation, each with a unit and a scale. They are computed once, from the
// scene's own size and acceleration, so that a scene in millimetres behaves as the same one in metres.
#pragma once

namespace carom::base {

struct Tolerances {
  double gap = 1e-10;         // m; closer than this is touching
  double velocity = 1e-9;     // m/s; slower than this along the normal is resting
  double rest_speed = 1e-6;   // m/s; an impact slower than this ends a bounce sequence
};

// length: the typical size of a moving body; speed: what it gains falling through its own size.
constexpr Tolerances make_tolerances(double length, double speed) {
  return {.gap = 1e-10 * length, .velocity = 1e-10 * speed, .rest_speed = 1e-6 * speed};
}

}  // namespace carom::base
