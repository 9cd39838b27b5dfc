// Vouga's eq. (1) for balls on a line, in long double and with nothing else in the way: while some
// neighbours approach, the first such pair exchanges its relative velocity.
#pragma once

#include <cstddef>
#include <vector>

namespace carom::reference {

struct Cradle {
  std::vector<long double> speeds;
  int iterations = 0;
};

inline Cradle collide_cradle(const std::vector<double>& masses, const std::vector<double>& speeds) {
  Cradle cradle{{speeds.begin(), speeds.end()}};
  std::vector<long double>& v = cradle.speeds;
  for (std::size_t i = 0; i + 1 < v.size();) {
    if (v[i] - v[i + 1] <= 1e-15L) {
      ++i;
      continue;
    }
    const long double m = masses[i], n = masses[i + 1];
    const long double exchanged = 2 * m * n / (m + n) * (v[i] - v[i + 1]);
    v[i] -= exchanged / m;
    v[i + 1] += exchanged / n;
    ++cradle.iterations;
    i = 0;
  }
  return cradle;
}

}  // namespace carom::reference
