// Regula falsi with Illinois' rule: the root of f between two points where its signs differ. An end
// that stays twice in a row has its value halved, so that both ends close in. Returns the last
// point known on b's side, at most `resolution` behind the root, or after the cap on evaluations.
#pragma once

#include <cmath>

namespace carom::math {

struct Bracket {
  double a = 0, fa = 0, b = 0, fb = 0;  // fa > 0 >= fb
};

template <typename Function>
double find_root(Function&& f, Bracket at, double resolution) {
  constexpr int kMaxEvaluations = 100;
  int stayed = 0;  // how often a (> 0) or b (< 0) has stayed
  for (int i = 0; i < kMaxEvaluations && at.b - at.a > resolution && at.fb < 0; ++i) {
    const double secant = at.a + (at.b - at.a) * at.fa / (at.fa - at.fb);
    const double margin = 0.25 * resolution;  // a guess at an end would leave the other where it is
    const double s = std::fmin(std::fmax(secant, at.a + margin), at.b - margin);
    const double value = f(s);
    if (value > 0) {
      at.a = s;
      at.fa = value;
      stayed = stayed < 0 ? stayed - 1 : -1;
      if (stayed <= -2) at.fb *= 0.5;
    } else {
      at.b = s;
      at.fb = value;
      stayed = stayed > 0 ? stayed + 1 : 1;
      if (stayed >= 2) at.fa *= 0.5;
    }
  }
  return at.b;
}

}  // namespace carom::math
