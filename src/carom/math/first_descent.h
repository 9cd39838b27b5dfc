// The first time at which a smooth function of time falls to a level, found from one side so that
// nothing is missed. Given g, its first two derivatives and bounds K >= |g''| and J >= |g'''| on
// the interval, no root of g = level lies before the first root of either lower bound,
//
//     g + g' s - K s²/2            and            g + g' s + g'' s²/2 - J s³/6,
//
// which is positive even at g = level when g' > 0, so that a contact which is leaving gets out of
// its own way. The second bound makes large steps where a contact rests, g' and g'' being nearly
// zero. Repeating them converges at least quadratically to a simple root and stays on its upper
// side throughout (Mirtich & Canny, §3.1, with derivatives instead of speeds alone).
#pragma once

#include <cmath>

#include "carom/math/sample.h"

namespace carom::math {

enum class DescentStatus { Found, NotInInterval, IterationCap };

struct Descent {
  DescentStatus status = DescentStatus::NotInInterval;
  double s = 0;  // still at or above the level
  Sample at;     // of the function at s
  int iterations = 0;
};

struct DescentQuery {
  double start = 0, end = 0;
  double level = 0;
  double curvature = 0;    // K
  double jerk = HUGE_VAL;  // J; infinite: not known
  double resolution = 0;   // how close to the level counts as there
  int max_iterations = 1'000'000;
};

// The first positive root of height + rate s - curvature s²/2; infinite if there is none.
double time_to_descend(double height, double rate, double curvature);

// The first positive root of height + rate s + acceleration s²/2 - jerk s³/6, jerk > 0, approached
// from below, looked for up to `limit`; `limit` if there is none before it.
double time_to_descend(double height, const Sample& at, double jerk, double limit);

inline double time_to_descend_at_least(const Sample& at, const DescentQuery& query, double limit) {
  const double height = std::fmax(0.0, at.value - query.level);
  const double by_curvature = time_to_descend(height, at.rate, query.curvature);
  if (by_curvature >= limit || !std::isfinite(query.jerk)) return by_curvature;
  return std::fmax(by_curvature, time_to_descend(height, at, query.jerk, limit));
}

// `first` is the function's value at the start.
template <typename Function>
Descent find_first_descent(const Function& function, const Sample& first,
                           const DescentQuery& query) {
  Descent result{.s = query.start, .at = first};
  for (; result.iterations < query.max_iterations; ++result.iterations) {
    const double step = time_to_descend_at_least(result.at, query, query.end - result.s);
    const double next = result.s + step;
    const bool arrived = result.at.value - query.level <= query.resolution && result.at.rate <= 0;
    if (arrived || (next <= result.s && result.at.rate < 0)) {
      result.status = DescentStatus::Found;
      return result;
    }
    if (!(next < query.end)) return result;  // also when there is no descent at all
    result.s = std::fmax(next, std::nextafter(result.s, HUGE_VAL));
    result.at = function(result.s);
  }
  result.status = DescentStatus::IterationCap;
  return result;
}

template <typename Function>
Descent find_first_descent(const Function& function, const DescentQuery& query) {
  return find_first_descent(function, function(query.start), query);
}

}  // namespace carom::math
