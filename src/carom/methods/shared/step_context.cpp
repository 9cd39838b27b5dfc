#include "carom/methods/shared/step_context.h"

#include <algorithm>
#include <cmath>

namespace carom::methods {

namespace {

using contact::Contact;

const Contact* first_slower(const contact::ContactSet& contacts, double rate) {
  const auto found = std::find_if(contacts.begin(), contacts.end(),
                                  [&](const Contact& each) { return each.approach_rate < rate; });
  return found == contacts.end() ? nullptr : &*found;
}

}  // namespace

void find_contacts(StepContext& context, const State& state, FeatureContacts& out) {
  context.workers.watched().poll(state.t);
  context.pairs.find_contacts(state, out.set, &out.features);
}

const Contact* first_approaching(const contact::ContactSet& contacts, const Scene& scene) {
  return first_slower(contacts, -scene.tolerances.velocity);
}

const Contact* first_approaching(const contact::ContactSet& contacts, const Scene& scene,
                                 double duration) {
  return first_slower(contacts, -base::slow_approach(scene.tolerances, duration));
}

const Contact* first_active(const contact::ContactSet& contacts, const Scene& scene) {
  return first_slower(contacts, std::nextafter(scene.tolerances.velocity, HUGE_VAL));
}

void select_resting(const FeatureContacts& contacts, const Scene& scene, FeatureContacts& out) {
  out.set.clear();
  out.features.clear();
  for (std::size_t i = 0; i < contacts.set.size(); ++i) {
    if (contacts.set[i].approach_rate > scene.tolerances.leaving) continue;
    out.set.push_back(contacts.set[i]);
    out.features.push_back(contacts.features[i]);
  }
}

TimeOfContact find_toc(StepContext& context, const Flight& flight) {
  const contact::SearchResult search = context.pairs.times_of_contact(flight, context.times);
  if (search.status != contact::SearchStatus::Complete) {
    return {{AdvanceStatus::SearchDidNotEnd, search.pair.a, search.pair.b}, 0, false};
  }
  if (search.unproven > 0) context.recorder.fallback(record::Rung::SampledSearch, search.unproven);
  const double slow = base::slow_approach(context.scene.tolerances, flight.duration);
  for (const contact::ContactTime& time : context.times) {
    if (time.rate == -HUGE_VAL) {
      return {{AdvanceStatus::SearchDidNotEnd, time.a, time.b}, time.s, true};
    }
    if (time.rate < -slow) return {{}, time.s, true};
  }
  return {{}, flight.duration, false};
}

}  // namespace carom::methods
