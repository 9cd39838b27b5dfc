// Numerical integration of y' = f(t, y), from the simplest to the ones that control their error.
// Every result says how it ended; every loop has a cap.
//
//   explicit Euler, order 1              semi-implicit (symplectic) Euler, order 1
//   classical Runge–Kutta, order 4       Dormand–Prince 5(4), order 5, dense output of order 4
//   Adams–Bashforth–Moulton, order 4, variable step, in Nordsieck's form
//
// Closed-form flight (flight.h) is what the simulator uses where no force varies; these integrate
// everything else, and are what the closed forms are measured against.
#pragma once

#include <functional>
#include <vector>

#include "carom/math/linear_algebra.h"

namespace carom::dynamics {

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

[[nodiscard]] Integration integrate_euler(const Derivative& f, Interval interval, const VecX& y0,
                                          int steps);
[[nodiscard]] Integration integrate_rk4(const Derivative& f, Interval interval, const VecX& y0,
                                        int steps);

// Positions and velocities apart: v' = acceleration(t, q, v), q' = position_rate(q, v).
struct SplitSystem {
  std::function<VecX(double t, const VecX& q, const VecX& v)> acceleration;
  std::function<VecX(const VecX& q, const VecX& v)> position_rate;
};
struct SplitIntegration {
  IntegrationStatus status = IntegrationStatus::Converged;
  double t = 0;
  VecX q, v;
  int steps = 0;
};
// New velocities first, then positions with them: for a separable Hamiltonian the step is
// symplectic, so the energy error stays bounded.
[[nodiscard]] SplitIntegration integrate_symplectic_euler(const SplitSystem& system,
                                                          Interval interval, const VecX& q0,
                                                          const VecX& v0, int steps);

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

// Dormand & Prince (1980) with the step control and the continuous extension of Hairer, Nørsett &
// Wanner, Solving ODEs I, §II.4–6.
[[nodiscard]] DenseIntegration integrate_dormand_prince(const Derivative& f, Interval interval,
                                                        const VecX& y0,
                                                        const AdaptiveOptions& options = {});

// Adams' formulas with the past kept as scaled derivatives (y, h y', …, h⁴ y⁗/4!), so that changing
// the step is a rescaling (Nordsieck 1962; Gear 1971). Predicts with order 4, corrects twice,
// estimates the error from their difference (Milne), and starts from a Dormand–Prince step.
[[nodiscard]] Integration integrate_adams(const Derivative& f, Interval interval, const VecX& y0,
                                          const AdaptiveOptions& options = {});

}  // namespace carom::dynamics
