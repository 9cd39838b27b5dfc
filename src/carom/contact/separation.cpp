#include "carom/contact/separation.h"

#include <algorithm>
#include <numeric>

namespace carom::contact {

namespace {

constexpr int kMaxRounds = 100;
constexpr int kMaxSweeps = 20'000;
constexpr double kSlack = 0.25;  // of the clearance, that the sweeps may leave closed

// Bodies that move as one.
struct Groups {
  std::vector<std::size_t> of;  // each body
  std::vector<double> weight;   // of each group: one over its bodies, 0 where it must stay
};

Groups make_groups(const Scene& scene) {
  Groups groups{std::vector<std::size_t>(scene.bodies.size()), {}};
  std::iota(groups.of.begin(), groups.of.end(), std::size_t{0});
  for (const model::Joint& joint : scene.joints) {
    const std::size_t a = groups.of[index(joint.a)], b = groups.of[index(joint.b)];
    std::ranges::replace(groups.of, std::max(a, b), std::min(a, b));
  }
  groups.weight.assign(scene.bodies.size(), 0);
  for (const std::size_t group : groups.of) ++groups.weight[group];
  for (double& weight : groups.weight) weight = weight > 0 ? 1 / weight : 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].is_dynamic()) groups.weight[groups.of[i]] = 0;
  }
  return groups;
}

// n·(s_a − s_b) ≥ opening, of the shifts s of two groups.
struct Opening {
  std::size_t a, b;
  Vec3 normal;
  double distance;
  double multiplier = 0;
};

// Hildreth's method: minimises Σ |s|²/w under all openings, a multiplier at a time. False where it
// does not get there, since the openings contradict each other.
bool find_least_shifts(const Groups& groups, double slack, std::vector<Opening>& openings,
                       std::vector<Vec3>& shifts) {
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double worst = 0;
    for (Opening& each : openings) {
      const double w_a = groups.weight[each.a], w_b = groups.weight[each.b];
      const double closed = each.distance - each.normal.dot(shifts[each.a] - shifts[each.b]);
      const double before = each.multiplier;
      each.multiplier = std::max(0.0, before + closed / (w_a + w_b));
      const Vec3 push = (each.multiplier - before) * each.normal;
      shifts[each.a] += w_a * push;
      shifts[each.b] -= w_b * push;
      worst = std::max(worst, closed);
    }
    if (worst <= slack) return true;
  }
  return false;
}

State shifted(const Scene& scene, const Groups& groups, const std::vector<Vec3>& shifts) {
  State state = dynamics::make_initial_state(scene);
  for (std::size_t i = 0; i < state.bodies.size(); ++i) state.bodies[i].x += shifts[groups.of[i]];
  return state;
}

std::vector<Vec3> shifts_of_bodies(const Groups& groups, const std::vector<Vec3>& shifts) {
  std::vector<Vec3> all;
  for (const std::size_t group : groups.of) all.push_back(shifts[group]);
  return all;
}

}  // namespace

Separation separate(const Scene& scene, base::Workers& workers) {
  Pairs pairs(scene, workers);
  const Groups groups = make_groups(scene);
  const double clearance = scene.tolerances.initial_overlap;
  std::vector<Vec3> shifts(scene.bodies.size(), Vec3::Zero());
  std::vector<Opening> openings;
  bool possible = true;
  for (int round = 0;; ++round) {
    auto overlaps = pairs.find_overlaps(shifted(scene, groups, shifts));
    std::erase_if(overlaps, [&](const Pairs::Overlap& each) { return each.depth <= clearance; });
    if (overlaps.empty()) break;
    if (!possible || round == kMaxRounds)
      return {shifts_of_bodies(groups, shifts), overlaps.front()};
    for (const Pairs::Overlap& each : overlaps) {
      const std::size_t a = groups.of[index(each.a)], b = groups.of[index(each.b)];
      if (a == b || groups.weight[a] + groups.weight[b] == 0)
        return {shifts_of_bodies(groups, shifts), each, true};
      const double now = each.normal.dot(shifts[a] - shifts[b]);
      openings.push_back({a, b, each.normal, now + each.depth + clearance});
    }
    possible = find_least_shifts(groups, kSlack * clearance, openings, shifts);
  }
  return {shifts_of_bodies(groups, shifts)};
}

}  // namespace carom::contact
