#include "carom/record/carried_impulses.h"

#include <algorithm>

#include "carom/base/bytes.h"

namespace carom::record {

void CarriedImpulses::add(const Flight& flight, const Forces& forces) {
  const double h = flight.duration;
  if (!(h > 0)) return;
  for (std::size_t i = 0; i < forces.start.size(); ++i) {
    const CarriedForce& force = forces.start[i];
    if (force.joint >= 0) continue;
    Vec3 mean = force.force;
    if (forces.vary()) mean = (force.force + 4 * forces.middle[i].force + forces.end[i].force) / 6;
    Sum& sum = sums_.at(force.a, force.b);
    sum.impulse += (force.a < force.b ? h : -h) * mean;
    if (sum.first < 0) sum.first = flight.t0;
    sum.last = flight.t0 + h;
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

void CarriedImpulses::save(std::string& bytes) const {
  base::append_bytes(bytes, static_cast<std::uint64_t>(sums_.entries().size()));
  for (const auto& [a, b, sum] : sums_.entries()) {
    base::append_bytes(bytes, a);
    base::append_bytes(bytes, b);
    for (const double number : sum.impulse) base::append_bytes(bytes, number);
    base::append_bytes(bytes, sum.first);
    base::append_bytes(bytes, sum.last);
  }
}

void CarriedImpulses::restore(std::string_view& bytes) {
  sums_.clear();
  std::uint64_t size = 0;
  base::take_bytes(bytes, size);
  for (; size > 0; --size) {
    BodyId a{}, b{};
    base::take_bytes(bytes, a);
    base::take_bytes(bytes, b);
    Sum& sum = sums_.at(a, b);
    for (double& number : sum.impulse) base::take_bytes(bytes, number);
    base::take_bytes(bytes, sum.first);
    base::take_bytes(bytes, sum.last);
  }
}

}  // namespace carom::record
