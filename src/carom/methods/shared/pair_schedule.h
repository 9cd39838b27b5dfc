// Times of looks at pairs of bodies that are apart, where each body goes its own way since
// a time of its own (Mirtich & Canny, §3): before that time the two cannot touch. A look gives a
// new bound, and so does a body's new way, from what was last known of the distance and of how fast
// it can shrink. Of equal times the pair with the least number comes first; a change costs
// O(log pairs).
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/contact/pair_query.h"
#include "carom/methods/shared/time_heap.h"

namespace carom::methods {

// The way of one body since t0.
struct OwnWay {
  double t0 = 0;
  RigidMotion motion;
  double speed = 0;  // m/s; no point of the body moves faster, as far as is looked ahead

  BodyState at(double t) const { return dynamics::state_on(motion, t - t0); }
};

// m/s; no point of the body moves faster within the duration. `lever`: how far turning moves its
// surface, m per rad.
inline double speed_bound(const RigidMotion& motion, double lever, double duration) {
  double speed = math::speed_bound(motion, duration);
  if (lever > 0) speed += lever * math::spin_bounds(motion.rotation, duration).speed;
  return speed;
}

// Both bodies at time t, looked ahead to `until`; the rest is the caller's.
inline contact::PairQuery::Clocks clocks_at(const OwnWay& a, const OwnWay& b, double t,
                                            double until) {
  return {a.motion, b.motion, t - a.t0, t - b.t0, until - t};
}

class PairSchedule {
 public:
  struct Gap {
    double size = 0;   // m; the two are at least so far apart
    double speed = 0;  // m/s; and close it at most so fast
  };

  void clear() { times_.clear(); }
  void add(double t) { times_.add(t); }  // the next pair
  bool empty() const { return times_.empty(); }
  const TimeHeap::Entry& next() const { return times_.top(); }
  double earliest() const { return times_.earliest(); }

  void set(std::size_t pair, double t) { times_.set(pair, t); }
  void drop(std::size_t pair) {
    times_.set(pair, HUGE_VAL);
  }  // not looked at until it is set again

  // Looks when the gap, which it has at t, can have closed; never, if that is not before `known`,
  // after which the ways of the bodies are not known.
  void wait_for(std::size_t pair, double t, const Gap& gap, double known = HUGE_VAL) {
    const double until = gap.size > 0 ? t + gap.size / gap.speed : t;
    times_.set(pair, until < known ? until : HUGE_VAL);
  }
  // Follows a look at t, which shows no contact for `wait`. Time goes on by at least what the
  // bodies need for the gap `least`, so that a look which shows nothing is not repeated without
  // end.
  void wait_on(std::size_t pair, double t, double wait, const Gap& least, double known = HUGE_VAL) {
    const double until = t + std::max(wait, least.size / least.speed);
    times_.set(pair, until < known ? std::max(until, std::nextafter(t, HUGE_VAL)) : HUGE_VAL);
  }

 private:
  TimeHeap times_;
};

}  // namespace carom::methods
