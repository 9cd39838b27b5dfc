#include "carom/dynamics/step_control.h"

#include <algorithm>
#include <cmath>

namespace carom::dynamics {

double scaled_error(const VecX& error, const VecX& y, const AdaptiveOptions& options) {
  const VecX scale = VecX::Constant(y.size(), options.absolute_tolerance) +
                     options.relative_tolerance * y.cwiseAbs();
  return std::sqrt(error.cwiseQuotient(scale).squaredNorm() / static_cast<double>(y.size()));
}

double choose_first_step(const Derivative& f, Interval interval, const VecX& y0,
                         const AdaptiveOptions& options, int order) {
  if (options.initial_step > 0) return std::copysign(options.initial_step, interval.length());
  const VecX slope = f(interval.from, y0);
  const double size = scaled_error(y0, y0, options), speed = scaled_error(slope, y0, options);
  const double guess = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  const double trial = std::copysign(guess, interval.length());
  const VecX later = f(interval.from + trial, y0 + trial * slope);
  const double bend = scaled_error(later - slope, y0, options) / guess;
  const double steepest = std::max(speed, bend);
  const double step = steepest <= 1e-15 ? std::max(1e-6, 1e-3 * guess)
                                        : std::pow(0.01 / steepest, 1.0 / (order + 1));
  return std::copysign(std::min(100 * guess, step), interval.length());
}

bool is_hopeless(double error, double step, double t) {
  return !std::isfinite(error) && std::abs(step) < 1e-14 * (1 + std::abs(t));
}

double limit_step(double step, double t, Interval interval, const AdaptiveOptions& options) {
  const double longest = options.max_step > 0 ? options.max_step : std::abs(interval.length());
  const double left = interval.to - t;
  const double size = std::min(std::abs(step), longest);
  // A last step within a rounding of the end is stretched onto it instead of leaving a sliver.
  return size * (1 + 1e-10) >= std::abs(left) ? left : std::copysign(size, left);
}

void apply_acceptance(double step, const VecX& y, Interval interval, Integration& result) {
  result.t = step == interval.to - result.t ? interval.to : result.t + step;
  result.y = y;
  ++result.steps;
}

}  // namespace carom::dynamics
