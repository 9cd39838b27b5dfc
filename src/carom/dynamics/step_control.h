// What the adaptive integrators share: how large an error is, and how long a first step.
#pragma once

#include "carom/dynamics/integrators.h"

namespace carom::dynamics {

// Root mean square of the error in units of the tolerance at y; at most 1 is good enough.
double scaled_error(const VecX& error, const VecX& y, const AdaptiveOptions& options);

// A step of the interval's sign, small against the scale on which y changes (Hairer et al. §II.4).
double choose_first_step(const Derivative& f, Interval interval, const VecX& y0,
                         const AdaptiveOptions& options, int order);

// Whether to give up: the error is not a number although the step is down to rounding of t.
bool is_hopeless(double error, double step, double t);

// `step` cut to the longest one allowed and to what is left of the interval.
double limit_step(double step, double t, Interval interval, const AdaptiveOptions& options);

// Books an accepted step; lands on the interval's end exactly.
void apply_acceptance(double step, const VecX& y, Interval interval, Integration& result);

}  // namespace carom::dynamics
