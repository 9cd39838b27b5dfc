#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "carom/io/summary_json.h"
#include "named_values.h"
#include "quantity.h"

namespace carom::cli {

namespace {

using record::ContactEvent;
using Names = std::array<std::string, 2>;

struct Component {
  std::string_view name;
  double (*value)(const BodyState& body);
  bool is_angle = false;  // then made continuous from output to output
};

Vec3 spin_in_body_frame(const BodyState& body) { return body.q.conjugate() * body.w; }

// q and -q are the same attitude; the one with w >= 0 is meant.
double sign_of(const BodyState& body) { return body.q.w() < 0 ? -1 : 1; }

double yaw(const BodyState& body) {
  const Vec3 x_axis = body.q * Vec3::UnitX();
  return std::atan2(x_axis.y(), x_axis.x());
}

constexpr Component kComponents[] = {
    {"x", [](const BodyState& b) { return b.x.x(); }},
    {"y", [](const BodyState& b) { return b.x.y(); }},
    {"z", [](const BodyState& b) { return b.x.z(); }},
    {"qw", [](const BodyState& b) { return sign_of(b) * b.q.w(); }},
    {"qx", [](const BodyState& b) { return sign_of(b) * b.q.x(); }},
    {"qy", [](const BodyState& b) { return sign_of(b) * b.q.y(); }},
    {"qz", [](const BodyState& b) { return sign_of(b) * b.q.z(); }},
    {"vx", [](const BodyState& b) { return b.v.x(); }},
    {"vy", [](const BodyState& b) { return b.v.y(); }},
    {"vz", [](const BodyState& b) { return b.v.z(); }},
    {"wx", [](const BodyState& b) { return b.w.x(); }},
    {"wy", [](const BodyState& b) { return b.w.y(); }},
    {"wz", [](const BodyState& b) { return b.w.z(); }},
    {"body_wx", [](const BodyState& b) { return spin_in_body_frame(b).x(); }},
    {"body_wy", [](const BodyState& b) { return spin_in_body_frame(b).y(); }},
    {"body_wz", [](const BodyState& b) { return spin_in_body_frame(b).z(); }},
    {"speed", [](const BodyState& b) { return b.v.norm(); }},
    {"spin", [](const BodyState& b) { return b.w.norm(); }},
    {"yaw", yaw, true},
};

struct Field {
  std::string_view name;
  double (*value)(const ContactEvent& event);
};

constexpr Field kFields[] = {
    {"time", [](const ContactEvent& e) { return e.t; }},
    {"x", [](const ContactEvent& e) { return e.point.x(); }},
    {"y", [](const ContactEvent& e) { return e.point.y(); }},
    {"z", [](const ContactEvent& e) { return e.point.z(); }},
    {"nx", [](const ContactEvent& e) { return e.normal.x(); }},
    {"ny", [](const ContactEvent& e) { return e.normal.y(); }},
    {"nz", [](const ContactEvent& e) { return e.normal.z(); }},
    {"approach_speed", [](const ContactEvent& e) { return e.approach_speed; }},
    {"separation_speed", [](const ContactEvent& e) { return e.separation_speed; }},
    {"jx", [](const ContactEvent& e) { return e.impulse.x(); }},
    {"jy", [](const ContactEvent& e) { return e.impulse.y(); }},
    {"jz", [](const ContactEvent& e) { return e.impulse.z(); }},
};

void unwrap(std::vector<double>& angles) {
  constexpr double kTurn = 2 * std::numbers::pi;
  for (std::size_t i = 1; i < angles.size(); ++i) {
    angles[i] -= kTurn * std::round((angles[i] - angles[i - 1]) / kTurn);
  }
}

std::vector<double> series(const std::vector<State>& outputs, std::size_t body,
                           const Component& component) {
  std::vector<double> values;
  for (const State& state : outputs) values.push_back(component.value(state.bodies[body]));
  if (component.is_angle) unwrap(values);
  return values;
}

std::vector<double> times_of(const std::vector<State>& outputs) {
  std::vector<double> times;
  for (const State& state : outputs) times.push_back(state.t);
  return times;
}

Measured measure_state(const StateQuantity& quantity, const Scene& scene,
                       const record::Trace& trace) {
  const std::vector<std::size_t> numbers = select_times(quantity.times, times_of(trace.outputs));
  std::vector<double> values;
  for (const std::string& body : quantity.bodies) {
    for (const std::string& name : quantity.components) {
      const auto all = series(trace.outputs, index_of(scene, body), entry_of(kComponents, name));
      for (const std::size_t number : numbers) values.push_back(all[number]);
    }
  }
  return {values, {}};
}

ContactEvent seen_from_b(ContactEvent event) {
  std::swap(event.a, event.b);
  event.normal = -event.normal;
  event.impulse = -event.impulse;
  return event;
}

std::vector<ContactEvent> select(const EventQuantity& quantity, const Scene& scene,
                                 const std::vector<ContactEvent>& events) {
  std::vector<ContactEvent> selected;
  for (const ContactEvent& event : events) {
    if (event.kind != quantity.kind) continue;
    const Names names{scene.body(event.a).name, scene.body(event.b).name};
    if (!quantity.between || *quantity.between == names) {
      selected.push_back(event);
    } else if (*quantity.between == Names{names[1], names[0]}) {
      selected.push_back(seen_from_b(event));
    }
  }
  return selected;
}

std::vector<double> sum_by_time(const std::vector<ContactEvent>& events, const Field& field) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i == 0 || events[i].t != events[i - 1].t) sums.push_back(0);
    sums.back() += field.value(events[i]);
  }
  return sums;
}

Measured pick(const std::vector<double>& all, const std::vector<std::size_t>& nth) {
  if (nth.empty() && all.empty()) return {std::vector<double>{}, "no such event"};
  if (nth.empty()) return {all, {}};
  std::vector<double> values;
  for (const std::size_t number : nth) {
    if (number > all.size()) return {values, "only " + std::to_string(all.size()) + " such events"};
    values.push_back(all[number - 1]);
  }
  return {values, {}};
}

Measured measure_events(const EventQuantity& quantity, const Scene& scene,
                        const record::Trace& trace) {
  const std::vector<ContactEvent> events = select(quantity, scene, trace.events);
  if (quantity.reading == EventReading::Count) {
    return {std::vector<double>{static_cast<double>(events.size())}, {}};
  }
  const Field& field = entry_of(kFields, quantity.field);
  if (quantity.reading == EventReading::Sum) return pick(sum_by_time(events, field), quantity.nth);
  std::vector<double> values;
  for (const ContactEvent& event : events) values.push_back(field.value(event));
  return pick(values, quantity.nth);
}

Measured measure_summary(const std::string& pointer, const record::Summary& summary) {
  const auto value =
      nlohmann::json::parse(io::to_json(summary)).at(nlohmann::json::json_pointer(pointer));
  if (value.is_boolean()) return {value.get<bool>(), {}};
  if (value.is_number()) return {std::vector<double>{value.get<double>()}, {}};
  return {std::vector<double>{}, "no number"};  // not finite
}

}  // namespace

std::vector<std::size_t> select_times(const Times& wanted, const std::vector<double>& at_hand) {
  if (wanted.at_end) return {at_hand.size() - 1};
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < at_hand.size() && wanted.each.empty(); ++i) numbers.push_back(i);
  for (const double time : wanted.each) {
    const auto nearest =
        std::ranges::min_element(at_hand, {}, [&](double t) { return std::abs(t - time); });
    numbers.push_back(static_cast<std::size_t>(nearest - at_hand.begin()));
  }
  return numbers;
}

std::vector<std::string> component_names() { return names_in(kComponents); }
std::vector<std::string> field_names() { return names_in(kFields); }

// Of a run that stopped early only the summary can be claimed: all else would compare the wrong
// times.
Measured measure(const Quantity& quantity, const Scene& scene, const Ran& run) {
  const record::Summary& summary = run.trace.summary();
  if (const auto* from = std::get_if<SummaryQuantity>(&quantity)) {
    return measure_summary(from->pointer, summary);
  }
  if (!summary.finished)
    return {std::vector<double>{}, "stopped " + summary.reason.value_or("early")};
  if (const auto* state = std::get_if<StateQuantity>(&quantity)) {
    return measure_state(*state, scene, run.trace.trace());
  }
  if (const auto* force = std::get_if<ForceQuantity>(&quantity)) {
    return measure_force(*force, scene, run.trace.trace());
  }
  if (const auto* contacts = std::get_if<ContactsQuantity>(&quantity)) {
    return measure_contacts(*contacts, scene, run.contacts);
  }
  if (const auto* acceleration = std::get_if<AccelerationQuantity>(&quantity)) {
    return measure_acceleration(*acceleration, scene, run.accelerations.samples());
  }
  return measure_events(std::get<EventQuantity>(quantity), scene, run.trace.trace());
}

Measured measure_ratio(const RatioQuantity& quantity, const record::Summary& above,
                       const record::Summary& below) {
  for (const record::Summary* summary : {&above, &below}) {
    if (!summary->finished)
      return {std::vector<double>{}, "stopped " + summary->reason.value_or("early")};
  }
  const Measured terms[] = {measure_summary(quantity.pointers[0], above),
                            measure_summary(quantity.pointers[1], below)};
  std::vector<double> values;
  for (const Measured& term : terms) {
    const auto* numbers = std::get_if<std::vector<double>>(&term.values);
    if (numbers == nullptr || numbers->empty()) return {std::vector<double>{}, "no number"};
    values.push_back(numbers->front());
  }
  return {std::vector<double>{values[0] / values[1]}, {}};
}

}  // namespace carom::cli
