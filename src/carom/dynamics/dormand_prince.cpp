#include <algorithm>
#include <array>
#include <cmath>

#include "carom/dynamics/step_control.h"

namespace carom::dynamics {
namespace {

constexpr int kStages = 7;

// Dormand & Prince 1980, table 2: nodes, stage weights, weights of order 5 and of the error.
constexpr std::array<double, kStages> kC{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double kA[kStages][kStages - 1] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr std::array<double, kStages> kError{
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// Weights of the continuous extension's last term (Hairer et al., §II.6).
constexpr std::array<double, kStages> kDense{
    -12715105075.0 / 11282082432,  0,
    87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
    701980252875.0 / 199316789632, -1453857185.0 / 822651844,
    69997945.0 / 29380423};

struct Step {
  std::array<VecX, kStages> k;
  VecX y;  // at the end
};

VecX combine(const std::array<VecX, kStages>& k, const std::array<double, kStages>& weights) {
  VecX sum = weights[0] * k[0];
  for (int i = 1; i < kStages; ++i) sum += weights[i] * k[i];
  return sum;
}

// The last stage is the first of the next step.
Step take_step(const Derivative& f, double t, double h, const VecX& y, const VecX& slope) {
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
DenseStep make_dense(double t, double h, const VecX& y, const Step& step) {
  const VecX r2 = step.y - y;
  const VecX r3 = h * step.k.front() - r2;
  const VecX r4 = r2 - h * step.k.back() - r3;
  const VecX r5 = h * combine(step.k, kDense);
  DenseStep dense{t, h, MatX(y.size(), 5)};
  dense.coefficients << y, r2 + r3, r4 + r5 - r3, -r4 - 2 * r5, r5;
  return dense;
}

// Proportional-integral control: remembering the last error keeps the step from oscillating.
double step_factor(double error, double previous_error) {
  constexpr double kBeta = 0.04, kSafety = 0.9;
  const double factor = kSafety * std::pow(std::max(error, 1e-10), 0.75 * kBeta - 0.2) *
                        std::pow(previous_error, kBeta);
  return std::clamp(factor, 0.2, 10.0);
}

}  // namespace

VecX DenseStep::at(double time) const {
  const double theta = h == 0 ? 0 : (time - t) / h;
  VecX y = coefficients.col(4);
  for (int k = 3; k >= 0; --k) y = coefficients.col(k) + theta * y;
  return y;
}

VecX DenseIntegration::at(double time) const {
  const bool forward = dense.front().h > 0;
  const auto next = std::find_if(dense.begin() + 1, dense.end(), [&](const DenseStep& step) {
    return forward ? step.t > time : step.t < time;
  });
  return (next - 1)->at(time);
}

DenseIntegration integrate_dormand_prince(const Derivative& f, Interval interval, const VecX& y0,
                                          const AdaptiveOptions& options) {
  DenseIntegration result;
  result.t = interval.from;
  result.y = y0;
  VecX slope = f(result.t, y0);
  double h = choose_first_step(f, interval, y0, options, 5), previous_error = 1e-4;
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

}  // namespace carom::dynamics
