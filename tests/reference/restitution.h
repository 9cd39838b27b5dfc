// The restitution that a damping gives, from the first integral of the damped contact's motion:
// with L = coth x - 1/x the damping is D = x (1 + L) and the restitution e = (1 - L)/(1 + L), x by
// bisection in long double.
#pragma once

#include <cmath>

namespace carom::reference {

inline long double langevin(long double x) {
  const long double y = x * x;
  if (x < 0.1L) return x * (1 / 3.0L + y * (-1 / 45.0L + y * (2 / 945.0L - y / 4725)));
  return 1 / std::tanh(x) - 1 / x;
}

inline double restitution_for(double damping) {
  if (damping <= 0) return 1;
  long double low = 0, high = damping;  // D >= x
  for (int i = 0; i < 200; ++i) {
    const long double x = 0.5L * (low + high);
    (x * (1 + langevin(x)) < damping ? low : high) = x;
  }
  const long double loss = langevin(low);
  return static_cast<double>((1 - loss) / (1 + loss));
}

}  // namespace carom::reference
