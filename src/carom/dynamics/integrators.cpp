#include "carom/dynamics/integrators.h"

namespace carom::dynamics {
namespace {

// `step(t, h, y)` returns the next y. Times come from the step's number, so they do not drift.
template <typename Step>
Integration take_steps(Interval interval, const VecX& y0, int steps, const Step& step) {
  Integration result{.t = interval.from, .y = y0};
  const double h = interval.length() / steps;
  for (int i = 0; i < steps; ++i) {
    VecX next = step(interval.from + i * h, h, result.y);
    if (!next.allFinite()) {
      result.status = IntegrationStatus::NotFinite;
      return result;
    }
    result.y = std::move(next);
    result.steps = i + 1;
    result.t = result.steps == steps ? interval.to : interval.from + result.steps * h;
  }
  return result;
}

}  // namespace

Integration integrate_euler(const Derivative& f, Interval interval, const VecX& y0, int steps) {
  return take_steps(interval, y0, steps,
                    [&](double t, double h, const VecX& y) -> VecX { return y + h * f(t, y); });
}

Integration integrate_rk4(const Derivative& f, Interval interval, const VecX& y0, int steps) {
  return take_steps(interval, y0, steps, [&](double t, double h, const VecX& y) -> VecX {
    const VecX k1 = f(t, y);
    const VecX k2 = f(t + h / 2, y + h / 2 * k1);
    const VecX k3 = f(t + h / 2, y + h / 2 * k2);
    const VecX k4 = f(t + h, y + h * k3);
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  });
}

SplitIntegration integrate_symplectic_euler(const SplitSystem& system, Interval interval,
                                            const VecX& q0, const VecX& v0, int steps) {
  VecX start(q0.size() + v0.size());
  start << q0, v0;
  const auto run = take_steps(interval, start, steps, [&](double t, double h, const VecX& y) {
    const VecX q = y.head(q0.size()), v = y.tail(v0.size());
    const VecX v_next = v + h * system.acceleration(t, q, v);
    VecX next(y.size());
    next << q + h * system.position_rate(q, v_next), v_next;
    return next;
  });
  return {run.status, run.t, run.y.head(q0.size()), run.y.tail(v0.size()), run.steps};
}

}  // namespace carom::dynamics
