#include "carom/record/mean_forces.h"

#include <algorithm>

#include "carom/base/bytes.h"

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

void MeanForces::save(std::string& bytes) const {
  base::append_bytes(bytes, static_cast<std::uint64_t>(sums_.entries().size()));
  for (const auto& [a, b, sums] : sums_.entries()) {
    base::append_bytes(bytes, a);
    base::append_bytes(bytes, b);
    for (const Vec3* vector : {&sums.impulse, &sums.couple, &sums.weighted_point})
      for (const double number : *vector) base::append_bytes(bytes, number);
    base::append_bytes(bytes, sums.weight);
  }
}

void MeanForces::restore(std::string_view& bytes) {
  sums_.clear();
  std::uint64_t size = 0;
  base::take_bytes(bytes, size);
  for (; size > 0; --size) {
    BodyId a{}, b{};
    base::take_bytes(bytes, a);
    base::take_bytes(bytes, b);
    Sums& sums = sums_.at(a, b);
    for (Vec3* vector : {&sums.impulse, &sums.couple, &sums.weighted_point})
      for (double& number : *vector) base::take_bytes(bytes, number);
    base::take_bytes(bytes, sums.weight);
  }
}

}  // namespace carom::record
