// The first time at which a smooth function of time falls to a level, found from one side so that
// nothing is missed. Given g, its rate and a bound K >= |g''| on the interval, no root of g = level
// lies before
//
//     s* = (g' + sqrt(g'² + 2 K (g - level))) / K,
//
// which is positive even at g = level when g' > 0, so that a contact which is leaving gets out of
// its own way. Repeating the bound converges quadratically to a simple root and stays on its upper
// side throughout (Mirtich & Canny, §3.1, with rates and curvature instead of speeds alone).
#pragma once

#include <cmath>

namespace carom::math {

struct Sample {
  double value = 0, rate = 0;
};

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
  double curvature = 0;   // K
  double resolution = 0;  // how close to the level counts as there
  int max_iterations = 1'000'000;
};

inline double time_to_descend_at_least(double height, double rate, double curvature) {
  if (curvature <= 0) return rate < 0 ? height / -rate : HUGE_VAL;
  const double root = std::sqrt(rate * rate + 2 * curvature * height);
  if (rate >= 0) return (rate + root) / curvature;
  return 2 * height / (root - rate);  // the same root without cancellation
}

template <typename Function>
Descent find_first_descent(const Function& function, const DescentQuery& query) {
  Descent result{.s = query.start, .at = function(query.start)};
  for (; result.iterations < query.max_iterations; ++result.iterations) {
    const double height = std::fmax(0.0, result.at.value - query.level);
    const double step = time_to_descend_at_least(height, result.at.rate, query.curvature);
    const double next = result.s + step;
    const bool arrived = height <= query.resolution && result.at.rate <= 0;
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

}  // namespace carom::math
