#include <algorithm>
#include <cmath>

#include "carom/dynamics/step_control.h"

namespace carom::dynamics {
namespace {

constexpr int kOrder = 4;
// Corrector of order 4 (Gear 1971, table 9.1): its first entry is the Adams–Moulton weight 3/8.
constexpr double kCorrector[kOrder + 1] = {3.0 / 8, 1, 11.0 / 12, 1.0 / 3, 1.0 / 24};
// Milne: the corrector's error in units of corrector minus predictor, from the error constants
// −19/720 and 251/720.
constexpr double kMilne = 19.0 / 270;

// y and its scaled derivatives: column k is hᵏ y⁽ᵏ⁾ / k!.
using Nordsieck = MatX;

// The polynomial one step later: Pascal's triangle by additions.
void apply_shift(Nordsieck& z) {
  for (int k = 0; k < kOrder; ++k) {
    for (int j = kOrder - 1; j >= k; --j) z.col(j) += z.col(j + 1);
  }
}

void apply_scaling(double factor, Nordsieck& z) {
  double power = 1;
  for (int k = 1; k <= kOrder; ++k) z.col(k) *= (power *= factor);
}

// Corrects twice and returns corrector minus predictor.
VecX apply_corrections(const Derivative& f, double t, double h, Nordsieck& z) {
  const VecX predicted = z.col(0);
  for (int i = 0; i < 2; ++i) {
    const VecX mismatch = h * f(t, z.col(0)) - z.col(1);
    for (int k = 0; k <= kOrder; ++k) z.col(k) += kCorrector[k] * mismatch;
  }
  return z.col(0) - predicted;
}

// The past of one run, with the size of step it is scaled to.
struct History {
  Nordsieck z;
  double h = 0;
  int steps_at_this_size = 0;

  void resize_step(double size) {
    if (size == h) return;
    apply_scaling(size / h, z);
    h = size;
    steps_at_this_size = 0;
  }
};

// Small increases are not worth the noise they bring into the scaled derivatives, and none is
// allowed before those come from steps of one size.
double step_factor(double error, int steps_at_this_size) {
  if (!std::isfinite(error)) return 0.1;
  const double factor = 0.9 * std::pow(std::max(error, 1e-10), -1.0 / (kOrder + 1));
  if (error > 1) return std::clamp(factor, 0.3, 0.9);
  return factor < 1.5 || steps_at_this_size <= kOrder ? 1 : std::min(factor, 2.0);
}

Integration advance(const Derivative& f, Interval interval, const AdaptiveOptions& options,
                    History past, Integration result) {
  while (result.t != interval.to) {
    if (result.steps + result.rejected >= options.max_steps) {
      result.status = IntegrationStatus::StepLimit;
      return result;
    }
    past.resize_step(limit_step(past.h, result.t, interval, options));
    const double h = past.h;
    Nordsieck next = past.z;
    apply_shift(next);
    const VecX correction = apply_corrections(f, result.t + h, h, next);
    const double error = scaled_error(kMilne * correction, next.col(0), options);
    if (is_hopeless(error, h, result.t)) {
      result.status = IntegrationStatus::NotFinite;
      return result;
    }
    if (error <= 1) {
      past.z = next;
      ++past.steps_at_this_size;
      apply_acceptance(h, next.col(0), interval, result);
    } else {
      ++result.rejected;
    }
    past.resize_step(h * step_factor(error, past.steps_at_this_size));
  }
  return result;
}

}  // namespace

Integration integrate_adams(const Derivative& f, Interval interval, const VecX& y0,
                            const AdaptiveOptions& options) {
  const double first = limit_step(choose_first_step(f, interval, y0, options, kOrder),
                                  interval.from, interval, options);
  const double started = first == interval.length() ? interval.to : interval.from + first;
  const DenseIntegration start = integrate_dormand_prince(f, {interval.from, started}, y0, options);
  const Integration& reached = start;
  if (start.status != IntegrationStatus::Converged || start.t == interval.to) return reached;
  History past{start.dense.back().coefficients, start.dense.back().h};
  apply_shift(past.z);
  past.z.col(1) = past.h * f(start.t, start.y);
  return advance(f, interval, options, past, reached);
}

}  // namespace carom::dynamics
