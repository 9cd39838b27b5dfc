// What a search for times of contact got wrong: an overlap before the time it gave, or a point that
// is not at both surfaces then. In units of the gap tolerance.
#pragma once

#include "reference/contact_watch.h"
#include "support/motion_cases.h"

namespace carom::reference {

struct MotionErrors {
  bool capped = false;
  bool impact = false;
  int touches = 0;       // distinct times
  double missed = 0;     // depth of an overlap before the impact, beyond what is allowed
  double missed_at = 0;  // s
  double early = 0;      // distance of a reported point from a surface
  bool wrong() const { return missed > 0 || early > kSurface; }

  static constexpr double kSurface = 1.5;  // a point midway across a gap of at most one tolerance
};

inline MotionErrors check_motion(const support::MotionCase& c) {
  const geometry::MovingShape a{c.a, c.X_AS, c.motion_a}, b{c.b, c.X_BS, c.motion_b};
  geometry::TouchSearch search;
  std::vector<geometry::TouchTime> found;
  MotionErrors errors;
  errors.capped =
      find_times_of_contact(a, b, c.query, search, found) != geometry::TouchStatus::Complete;
  ContactWatch watch(a, b, c.query.duration);
  const double tolerance = c.query.gap_tolerance;
  double end = c.query.duration, last = -1;
  for (const geometry::TouchTime& touch : found) {
    errors.early = std::max(errors.early, watch.outside(touch.s, touch.at.point) / tolerance);
    errors.touches += touch.s > last ? 1 : 0;
    last = touch.s;
    if (touch.rate >= -c.query.velocity_tolerance) continue;
    errors.impact = true;
    end = std::min(end, touch.s);
  }
  if (errors.capped) return errors;
  // Each touch without impact may be passed by one tolerance more.
  const double start = static_cast<double>(watch.overlap_at_start());
  const double floor = start - (1.1 + errors.touches) * tolerance - 1e-12 * c.size;
  const Overlap overlap = watch.find_overlap(end, floor);
  errors.missed = overlap.depth / tolerance;
  errors.missed_at = overlap.s;
  return errors;
}

}  // namespace carom::reference
