#include "carom/record/mean_forces.h"

#include <algorithm>

namespace carom::record {

void MeanForces::add(const Collision& collision) {
  const ContactEvent& event = collision.event;
  const double sign = event.a < event.b ? 1 : -1;
  const double weight = event.impulse.norm();
  Sums& sums = sums_.at(event.a, event.b);
  sums.impulse += sign * event.impulse;
  sums.couple += sign * collision.couple;
  sums.weighted_point += weight * event.point;
  sums.weight += weight;
}

void MeanForces::compute(double duration, std::vector<CarriedForce>& out) const {
  out.clear();
  for (const auto& [a, b, sums] : sums_.entries()) {
    if (!(sums.weight > 0)) continue;
    out.push_back({.a = a,
                   .b = b,
                   .point = sums.weighted_point / sums.weight,
                   .force = sums.impulse / duration,
                   .torque = sums.couple / duration});
  }
  std::sort(out.begin(), out.end(), [](const CarriedForce& f, const CarriedForce& g) {
    return std::pair(f.a, f.b) < std::pair(g.a, g.b);
  });
}

}  // namespace carom::record
