#include "carom/record/contact_statistics.h"

#include <algorithm>
#include <tuple>

namespace carom::record {

ContactTotals seen_from_other(ContactTotals totals) {
  std::swap(totals.a, totals.b);
  totals.impulse = -totals.impulse;
  totals.mean_force = -totals.mean_force;
  return totals;
}

// Totals that have no bodies yet have met nothing.
void ContactStatistics::meet(ContactTotals& totals, double first, double last) {
  const bool is_new = totals.a == totals.b;
  totals.first_time = is_new ? first : std::min(totals.first_time, first);
  totals.last_time = is_new ? last : std::max(totals.last_time, last);
}

void ContactStatistics::event(const ContactEvent& event) {
  const bool is_impact = event.kind == EventKind::Impact,
             is_micro = event.kind == EventKind::Microcollision;
  if (!is_impact && !is_micro && event.impulse.isZero(0)) return;
  ContactTotals& totals = totals_.at(event.a, event.b);
  meet(totals, event.t, event.t);
  std::tie(totals.a, totals.b) = std::minmax(event.a, event.b);
  totals.impacts += is_impact ? 1 : 0;
  totals.microcollisions += is_micro ? 1 : 0;
  totals.impulse += event.a < event.b ? event.impulse : -event.impulse;
  totals.normal_impulse += event.normal.dot(event.impulse);
  totals.greatest_impulse = std::max(totals.greatest_impulse, event.impulse.norm());
}

void ContactStatistics::end(const Summary& summary) {
  for (const CarriedImpulse& carried : summary.carried) {
    ContactTotals& totals = totals_.at(carried.a, carried.b);
    meet(totals, carried.first_time, carried.last_time);
    totals.a = carried.a;
    totals.b = carried.b;
    totals.impulse += carried.impulse;
  }
  for (const auto& entry : totals_.entries()) {
    pairs_.push_back(entry.value);
    if (summary.simulated_seconds > 0)
      pairs_.back().mean_force = entry.value.impulse / summary.simulated_seconds;
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const ContactTotals& f, const ContactTotals& g) {
    return std::pair(f.a, f.b) < std::pair(g.a, g.b);
  });
}

}  // namespace carom::record
