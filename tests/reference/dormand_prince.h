// Numerical integration of y' = f(t, y) with control of its error, as a twin for closed forms and
// for what integrates by itself: Dormand & Prince (1980), order 5, with the step control and the
// continuous extension of order 4 of Hairer, Nørsett & Wanner, Solving ODEs I, §II.4–6. Says how it
// ended; its loop has a cap.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "carom/math/linear_algebra.h"

namespace carom::reference {

using Derivative = std::function<VecX(double t, const VecX& y)>;

struct Interval {
  double from = 0, to = 0;
  double length() const { return to - from; }
};

enum class IntegrationStatus { Converged, StepLimit, NotFinite };

struct Integration {
  IntegrationStatus status = IntegrationStatus::Converged;
  double t = 0;  // reached
  VecX y;
  int steps = 0;
  int rejected = 0;
};

struct AdaptiveOptions {
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-10;
  double initial_step = 0;  // 0: chosen from the first derivatives
  double max_step = 0;      // 0: the whole interval
  int max_steps = 100000;   // accepted and rejected together
};

// One step's polynomial y(t + θ h), θ in [0, 1]: column k is the coefficient of θᵏ.
struct DenseStep {
  double t = 0, h = 0;
  MatX coefficients;

  VecX at(double time) const;
};
struct DenseIntegration : Integration {
  std::vector<DenseStep> dense;  // consecutive

  VecX at(double time) const;  // anywhere in the part of the interval that was reached
};

inline double scaled_error(const VecX& error, const VecX& y, const AdaptiveOptions& options) {
  const VecX scale = VecX::Constant(y.size(), options.absolute_tolerance) +
                     options.relative_tolerance * y.cwiseAbs();
  return std::sqrt(error.cwiseQuotient(scale).squaredNorm() / static_cast<double>(y.size()));
}

inline double choose_first_step(const Derivative& f, Interval interval, const VecX& y0,
                                const AdaptiveOptions& options) {
  if (options.initial_step > 0) return std::copysign(options.initial_step, interval.length());
  const VecX slope = f(interval.from, y0);
  const double size = scaled_error(y0, y0, options), speed = scaled_error(slope, y0, options);
  const double guess = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  const double trial = std::copysign(guess, interval.length());
  const VecX later = f(interval.from + trial, y0 + trial * slope);
  const double bend = scaled_error(later - slope, y0, options) / guess;
  const double steepest = std::max(speed, bend);
  const double step =
      steepest <= 1e-15 ? std::max(1e-6, 1e-3 * guess) : std::pow(0.01 / steepest, 1.0 / 6);
  return std::copysign(std::min(100 * guess, step), interval.length());
}

inline bool is_hopeless(double error, double step, double t) {
  return !std::isfinite(error) && std::abs(step) < 1e-14 * (1 + std::abs(t));
}

inline double limit_step(double step, double t, Interval interval, const AdaptiveOptions& options) {
  const double longest = options.max_step > 0 ? options.max_step : std::abs(interval.length());
  const double left = interval.to - t;
  const double size = std::min(std::abs(step), longest);
  // A last step within a rounding of the end is stretched onto it instead of leaving a sliver.
  return size * (1 + 1e-10) >= std::abs(left) ? left : std::copysign(size, left);
}

inline void apply_acceptance(double step, const VecX& y, Interval interval, Integration& result) {
  result.t = step == interval.to - result.t ? interval.to : result.t + step;
  result.y = y;
  ++result.steps;
}

inline constexpr int kStages = 7;

// Dormand & Prince 1980, table 2: nodes, stage weights, weights of order 5 and of the error.
inline constexpr std::array<double, kStages> kC{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
inline constexpr double kA[kStages][kStages - 1] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
inline constexpr std::array<double, kStages> kError{
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// Weights of the continuous extension's last term (Hairer et al., §II.6).
inline constexpr std::array<double, kStages> kDense{
    -12715105075.0 / 11282082432,  0,
    87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
    701980252875.0 / 199316789632, -1453857185.0 / 822651844,
    69997945.0 / 29380423};

struct Step {
  std::array<VecX, kStages> k;
  VecX y;  // at the end
};

inline VecX combine(const std::array<VecX, kStages>& k,
                    const std::array<double, kStages>& weights) {
  VecX sum = weights[0] * k[0];
  for (int i = 1; i < kStages; ++i) sum += weights[i] * k[i];
  return sum;
}

// The last stage is the first of the next step.
inline Step take_step(const Derivative& f, double t, double h, const VecX& y, const VecX& slope) {
  Step step;
  step.k[0] = slope;
  for (int i = 1; i < kStages; ++i) {
    VecX increment = kA[i][0] * step.k[0];
    for (int j = 1; j < i; ++j) increment += kA[i][j] * step.k[j];
    step.y = y + h * increment;
    step.k[i] = f(t + kC[i] * h, step.y);
  }
  return step;
}

// y0 + θ (r2 + (1 − θ)(r3 + θ (r4 + (1 − θ) r5))), expanded in powers of θ.
inline DenseStep make_dense(double t, double h, const VecX& y, const Step& step) {
  const VecX r2 = step.y - y;
  const VecX r3 = h * step.k.front() - r2;
  const VecX r4 = r2 - h * step.k.back() - r3;
  const VecX r5 = h * combine(step.k, kDense);
  DenseStep dense{t, h, MatX(y.size(), 5)};
  dense.coefficients << y, r2 + r3, r4 + r5 - r3, -r4 - 2 * r5, r5;
  return dense;
}

// Proportional-integral control: remembering the last error keeps the step from oscillating.
inline double step_factor(double error, double previous_error) {
  constexpr double kBeta = 0.04, kSafety = 0.9;
  const double factor = kSafety * std::pow(std::max(error, 1e-10), 0.75 * kBeta - 0.2) *
                        std::pow(previous_error, kBeta);
  return std::clamp(factor, 0.2, 10.0);
}

inline VecX DenseStep::at(double time) const {
  const double theta = h == 0 ? 0 : (time - t) / h;
  VecX y = coefficients.col(4);
  for (int k = 3; k >= 0; --k) y = coefficients.col(k) + theta * y;
  return y;
}

inline VecX DenseIntegration::at(double time) const {
  const bool forward = dense.front().h > 0;
  const auto next = std::find_if(dense.begin() + 1, dense.end(), [&](const DenseStep& step) {
    return forward ? step.t > time : step.t < time;
  });
  return (next - 1)->at(time);
}

[[nodiscard]] inline DenseIntegration integrate_dormand_prince(
    const Derivative& f, Interval interval, const VecX& y0, const AdaptiveOptions& options = {}) {
  DenseIntegration result;
  result.t = interval.from;
  result.y = y0;
  VecX slope = f(result.t, y0);
  double h = choose_first_step(f, interval, y0, options), previous_error = 1e-4;
  while (result.t != interval.to) {
    if (result.steps + result.rejected == options.max_steps) {
      result.status = IntegrationStatus::StepLimit;
      return result;
    }
    h = limit_step(h, result.t, interval, options);
    const Step step = take_step(f, result.t, h, result.y, slope);
    const VecX larger = result.y.cwiseAbs().cwiseMax(step.y.cwiseAbs());
    const double error = scaled_error(h * combine(step.k, kError), larger, options);
    if (is_hopeless(error, h, result.t)) {
      result.status = IntegrationStatus::NotFinite;
      return result;
    }
    if (!(error <= 1)) {
      ++result.rejected;
      h *= std::isfinite(error) ? std::min(1.0, step_factor(error, 1)) : 0.1;
      continue;
    }
    result.dense.push_back(make_dense(result.t, h, result.y, step));
    apply_acceptance(h, step.y, interval, result);
    slope = step.k.back();
    h *= step_factor(error, previous_error);
    previous_error = std::max(error, 1e-4);
  }
  return result;
}

}  // namespace carom::reference
