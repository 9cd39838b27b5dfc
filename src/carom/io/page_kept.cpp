#include "carom/io/page_kept.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "carom/io/page_data.h"

namespace carom::io {

namespace {

float to_13_bits(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return static_cast<float>(std::ldexp(std::round(std::ldexp(fraction, 13)), exponent - 13));
}

}  // namespace

template <typename T, typename Of>
void KeptEvents::add_column(PageColumns& columns, const std::string& name, const Of& of) const {
  std::vector<T> values;
  for (const Kept& kept : kept_) values.push_back(static_cast<T>(of(kept.event)));
  columns.add(name, std::span<const T>(values));
}

auto KeptEvents::rank(const Kept& kept) {
  const bool is_micro = kept.event.kind == record::EventKind::Microcollision;
  return std::tuple(!is_micro, kept.event.impulse.squaredNorm(), -kept.number);
}

void KeptEvents::drop() {
  if (kept_.size() <= PageData::kMostEvents) return;
  const auto end = kept_.begin() + PageData::kMostEvents;
  std::nth_element(kept_.begin(), end, kept_.end(),
                   [](const Kept& a, const Kept& b) { return rank(a) > rank(b); });
  kept_.erase(end, kept_.end());
  std::sort(kept_.begin(), kept_.end(),
            [](const Kept& a, const Kept& b) { return a.number < b.number; });
}

void KeptEvents::add(const record::ContactEvent& event) {
  kept_.push_back({total_++, event});
  if (kept_.size() >= 2 * PageData::kMostEvents) drop();
}

void KeptEvents::write(PageColumns& columns) {
  drop();
  add_column<double>(columns, "event t", [](const auto& e) { return e.t; });
  add_column<std::int32_t>(columns, "event kind", [](const auto& e) { return e.kind; });
  add_column<std::int32_t>(columns, "event a", [](const auto& e) { return index(e.a); });
  add_column<std::int32_t>(columns, "event b", [](const auto& e) { return index(e.b); });
  for (int axis = 0; axis < 3; ++axis) {
    const auto name = [axis](const char* of) { return of + std::to_string(axis); };
    add_column<float>(columns, name("event point"), [&](const auto& e) { return e.point[axis]; });
    add_column<float>(columns, name("event normal"), [&](const auto& e) { return e.normal[axis]; });
    add_column<float>(columns, name("event impulse"),
                      [&](const auto& e) { return e.impulse[axis]; });
  }
  add_column<float>(columns, "event approach", [](const auto& e) { return e.approach_speed; });
  add_column<float>(columns, "event separation", [](const auto& e) { return e.separation_speed; });
}

template <typename Of>
void KeptForces::add_column(PageColumns& columns, const char* name, const Of& of) const {
  std::vector<std::int32_t> values;
  for (const Kept& kept : kept_) values.push_back(static_cast<std::int32_t>(of(kept)));
  columns.add(name, std::span<const std::int32_t>(values));
}

void KeptForces::add(std::int64_t output, std::span<const record::CarriedForce> forces) {
  if (output % every_ != 0) return;
  for (const record::CarriedForce& force : forces) kept_.push_back({output, force});
  while (kept_.size() > PageData::kMostForces && every_ <= output) {
    every_ *= 2;
    std::erase_if(kept_, [this](const Kept& kept) { return kept.output % every_ != 0; });
  }
}

void KeptForces::write(PageColumns& columns, double place_quantum) const {
  add_column(columns, "force output", [](const Kept& k) { return k.output; });
  add_column(columns, "force a", [](const Kept& k) { return index(k.force.a); });
  add_column(columns, "force b", [](const Kept& k) { return index(k.force.b); });
  add_column(columns, "force joint", [](const Kept& k) { return k.force.joint; });
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<float> points, forces;
    for (const Kept& kept : kept_) {
      points.push_back(static_cast<float>(kept.force.point[axis]));
      forces.push_back(to_13_bits(kept.force.force[axis]));
    }
    columns.add("force point" + std::to_string(axis), points,
                {.length = points.size(), .quantum = place_quantum, .order = 0});
    columns.add("force force" + std::to_string(axis), forces);
  }
}

}  // namespace carom::io
