#include "run_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace carom::cli {

namespace {

using BodyPair = std::pair<BodyId, BodyId>;

// Those that begin a touch.
bool is_meeting(const record::ContactEvent& event) {
  using enum record::EventKind;
  return event.kind == Impact || event.kind == Microcollision || event.kind == ContactBegin;
}

std::map<BodyPair, std::vector<double>> meetings_of(const record::Trace& run) {
  std::map<BodyPair, std::vector<double>> meetings;
  for (const record::ContactEvent& event : run.events)
    if (is_meeting(event)) meetings[std::minmax(event.a, event.b)].push_back(event.t);
  for (auto& [pair, times] : meetings) std::ranges::sort(times);  // they have clocks of their own
  return meetings;
}

double distance_to_nearest(const std::vector<double>& sorted, double t) {
  const auto after = std::ranges::lower_bound(sorted, t);
  double distance = after == sorted.end() ? HUGE_VAL : *after - t;
  if (after != sorted.begin()) distance = std::min(distance, t - *std::prev(after));
  return distance;
}

void compare_places(const Scene& scene, const State& first, const State& second, double size,
                    RunDifferences& differences) {
  double greatest = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const double distance = (first.bodies[i].x - second.bodies[i].x).norm();
    if (distance < greatest) continue;
    greatest = distance;
    differences.furthest = id_of<BodyId>(i);
  }
  differences.times.push_back(first.t);
  differences.greatest.push_back(greatest);
  if (greatest > size && !differences.parting)
    differences.parting = Parting{first.t, differences.furthest};
}

void compare_collisions(const record::Trace& first, const record::Trace& second,
                        RunDifferences& differences) {
  constexpr double kSlow = 0.01;  // of the fastest
  const auto meetings = meetings_of(second);
  double fastest = 0;
  for (const record::ContactEvent& event : first.events)
    if (is_meeting(event)) fastest = std::max(fastest, event.approach_speed);
  const double until = differences.parting ? differences.parting->t : differences.times.back();
  for (const record::ContactEvent& event : first.events) {
    const bool is_fast = event.approach_speed > 0 && event.approach_speed >= kSlow * fastest;
    if (!is_meeting(event) || !is_fast || event.t > until) continue;
    ++differences.collisions;
    const auto same = meetings.find(std::minmax(event.a, event.b));
    if (same == meetings.end())
      ++differences.missed;
    else
      differences.collision_times =
          std::max(differences.collision_times, distance_to_nearest(same->second, event.t));
  }
}

}  // namespace

RunDifferences find_differences(const Scene& scene, const record::Trace& first,
                                const record::Trace& second, double size) {
  RunDifferences differences;
  std::size_t other = 0;
  for (const State& state : first.outputs) {
    while (other < second.outputs.size() && second.outputs[other].t < state.t) ++other;
    if (other == second.outputs.size()) break;
    if (second.outputs[other].t == state.t)
      compare_places(scene, state, second.outputs[other], size, differences);
  }
  if (!differences.times.empty()) compare_collisions(first, second, differences);
  return differences;
}

double visible_size(const Scene& scene) {
  double smallest = HUGE_VAL;
  for (const Body& body : scene.bodies)
    if (body.motion != model::Motion::Fixed && body.radius > 0)
      smallest = std::min(smallest, body.radius);
  return std::isfinite(smallest) ? std::pow(10, std::floor(std::log10(0.1 * smallest))) : 1e-3;
}

std::string length_text(double length) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr std::array<Unit, 5> kUnits = {
      {{1e3, "km"}, {1, "m"}, {1e-3, "mm"}, {1e-6, "µm"}, {1e-9, "nm"}}};
  for (const Unit& unit : kUnits)
    if (length >= 0.999 * unit.size) return fmt::format("{:.3g} {}", length / unit.size, unit.name);
  return length == 0 ? "0 m" : fmt::format("{:.2g} m", length);
}

}  // namespace carom::cli
