#include "carom/record/carried_impulses.h"

#include <algorithm>

namespace carom::record {

void CarriedImpulses::add(double t0, double h, const Forces& forces) {
  if (!(h > 0)) return;
  for (std::size_t i = 0; i < forces.start.size(); ++i) {
    const CarriedForce& force = forces.start[i];
    if (force.joint >= 0) continue;
    Vec3 mean = force.force;
    if (!forces.effects.empty())
      mean = forces.effects[i].impulse / h;
    else if (forces.vary())
      mean = (force.force + 4 * forces.middle[i].force + forces.end[i].force) / 6;
    Sum& sum = sums_.at(force.a, force.b);
    sum.impulse += (force.a < force.b ? h : -h) * mean;
    if (sum.first < 0) sum.first = t0;
    sum.last = t0 + h;
  }
}

std::vector<CarriedImpulse> CarriedImpulses::all() const {
  std::vector<CarriedImpulse> all;
  for (const auto& [a, b, sum] : sums_.entries())
    all.push_back({a, b, sum.impulse, sum.first, sum.last});
  std::sort(all.begin(), all.end(), [](const CarriedImpulse& f, const CarriedImpulse& g) {
    return std::pair(f.a, f.b) < std::pair(g.a, g.b);
  });
  return all;
}

}  // namespace carom::record
