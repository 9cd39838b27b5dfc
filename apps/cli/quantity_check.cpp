#include <algorithm>
#include <cmath>

#include "carom/model/problems.h"
#include "quantity.h"

namespace carom::cli {

namespace {

template <typename Named>
void check_name(const std::string& name, const std::vector<Named>& all, const char* expected,
                const std::string& place, model::SceneBuilder& problems) {
  std::vector<std::string> names;
  for (const Named& each : all) names.push_back(each.name);
  if (std::ranges::count(names, name) > 0) return;
  problems.report({.place = place,
                   .found = model::quoted(name),
                   .expected = expected,
                   .hint = base::find_nearest_name(name, names)});
}

void check_body(const std::string& name, const Scene& scene, const std::string& place,
                model::SceneBuilder& problems) {
  check_name(name, scene.bodies, "a body of the scene", place, problems);
}

// States are recorded at an end between two output times as well.
enum class End { Counts, IsNoOutput };

void check_time(double time, End end, const Scene& scene, const std::string& place,
                model::SceneBuilder& problems) {
  constexpr double kRounding = 1e-9;  // of an output interval, per interval
  const double outputs = time / scene.output_every;
  const bool multiple =
      std::abs(outputs - std::round(outputs)) <= kRounding * std::max(1.0, outputs);
  const bool inside = time >= 0 && time <= scene.duration * (1 + kRounding);
  if (inside && (multiple || (end == End::Counts && time == scene.duration))) return;
  problems.report({.place = place,
                   .found = model::describe(time) + " s",
                   .expected = "a multiple of the scene's output.every, " +
                               model::describe(scene.output_every) + " s, up to its duration, " +
                               model::describe(scene.duration) + " s"});
}

void check_times(const Times& times, End end, const Scene& scene, const std::string& place,
                 model::SceneBuilder& problems) {
  if (times.at_end) check_time(scene.duration, end, scene, place, problems);
  for (const double time : times.each) check_time(time, end, scene, place, problems);
}

void check_by(const ForceQuantity& force, const Scene& scene, const std::string& place,
              model::SceneBuilder& problems) {
  if (const auto* joint = std::get_if<std::string>(&force.by))
    return check_name(*joint, scene.joints, "a joint of the scene", place, problems);
  for (const std::string& body : std::get<0>(force.by)) check_body(body, scene, place, problems);
}

}  // namespace

void check_quantity(const Quantity& quantity, const Scene& scene, const std::string& place,
                    model::SceneBuilder& problems) {
  if (const auto* state = std::get_if<StateQuantity>(&quantity)) {
    for (const auto& body : state->bodies) check_body(body, scene, place + "/state", problems);
    check_times(state->times, End::Counts, scene, place + "/time", problems);
  }
  if (const auto* acceleration = std::get_if<AccelerationQuantity>(&quantity)) {
    for (const auto& body : acceleration->bodies)
      check_body(body, scene, place + "/acceleration", problems);
    check_times(acceleration->times, End::IsNoOutput, scene, place + "/time", problems);
  }
  if (const auto* force = std::get_if<ForceQuantity>(&quantity)) {
    check_by(*force, scene, place + "/force", problems);
    check_times(force->times, End::IsNoOutput, scene, place + "/time", problems);
  }
  if (const auto* contacts = std::get_if<ContactsQuantity>(&quantity)) {
    for (const auto& body : contacts->between)
      check_body(body, scene, place + "/contacts", problems);
  }
  const auto* event = std::get_if<EventQuantity>(&quantity);
  if (event == nullptr || !event->between) return;
  for (const std::string& body : *event->between)
    check_body(body, scene, place + "/between", problems);
}

}  // namespace carom::cli
