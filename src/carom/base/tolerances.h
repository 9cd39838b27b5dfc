// The few tolerances of a simulation, each with a unit and a scale. They are computed once, from
// the scene's own size and acceleration, so that a scene in millimetres behaves as the same one in
// metres.
#pragma once

namespace carom::base {

struct Tolerances {
  double resolution = 0;         // m; gaps are told apart by more than this
  double gap = 0;                // m; closer than this is touching
  double velocity = 0;           // m/s; slower than this along the normal is resting
  double leaving = 0;            // m/s; what opens slower falls back before it stops touching
  double rest_speed = 0;         // m/s; an impact slower than this ends a bounce sequence
  double rocking = 0;            // m/s; the same of contacts that impacts pass on to one another: a
                                 // body rocks at √(2 g gap) from one touching corner to the next
  double initial_overlap = 0;    // m; a scene that starts with more is refused
  double length = 0, speed = 0;  // m, m/s; the scales of all of these
};

// m/s; contacts that approach slower are stopped within `duration` by forces that let them sink by
// less than the touching distance: to be held, not an impact.
constexpr double slow_approach(const Tolerances& tolerances, double duration) {
  const double held = tolerances.gap / duration;
  if (held <= tolerances.velocity) return tolerances.velocity;
  return held < tolerances.rest_speed ? held : tolerances.rest_speed;
}

// length: the size of the smallest moving body; speed: what it gains falling through its own size;
// extent: how far from the origin bodies are, which limits what positions can tell apart.
// Forces that are constant over a flight hold a contact to some part of the touching distance: the
// wider it is, the longer flights are.
constexpr Tolerances make_tolerances(double length, double speed, double extent) {
  const double round_off = 1e-14 * extent;
  const auto at_least = [&](double part) {
    return part * length > round_off ? part * length : round_off;
  };
  return {.resolution = at_least(1e-12),
          .gap = at_least(1e-9),
          .velocity = 1e-10 * speed,
          .leaving = 1e-6 * speed,
          .rest_speed = 1e-5 * speed,
          .rocking = 1e-4 * speed,
          .initial_overlap = 1e-9 * length,
          .length = length,
          .speed = speed};
}

}  // namespace carom::base
