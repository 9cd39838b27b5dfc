#include "carom/audit/limits.h"

#include <cmath>

namespace carom::audit {

namespace {

constexpr double kRoundOff = 1e-13;  // of positions and potential energies, from the origin

constexpr double kMidpoint = 1.0 / 24;  // of h² f'': what the midpoint rule misses of an average

double add_up(const Scene& scene, const auto& of_body) {
  double sum = 0;
  for (const Body& body : scene.bodies)
    if (body.is_dynamic()) sum += of_body(body);
  return sum;
}

// As much as lifts every body by a few hops, since what rocks moves faster than its contacts: a hop
// is `epsilon` times its diameter.
double hop_energy(const Scene& scene) {
  constexpr double kUsualHop = 1e-4, kRocking = 10;
  const double height = kRocking * 2 * scene.method.number("epsilon", kUsualHop);
  return add_up(scene, [&](const Body& body) {
    return body.mass * scene.gravity.norm() * height * body.radius;
  });
}

// What gravity gives in a step to bodies at rest.
double energy_of_a_step(const Scene& scene, double step) {
  const double speed = scene.gravity.norm() * step;
  return add_up(scene, [&](const Body& body) { return 0.5 * body.mass * speed * speed; });
}

}  // namespace

record::JudgedNumbers compute_limits(const Scene& scene, const Scales& scales, double indentation) {
  using enum record::Judged;
  const Promise promise = promise_of(scene.method);
  const double place = kRoundOff * scales.extent;
  record::JudgedNumbers limits{};
  limits[Penetration] = promise.penetration * scales.length + place;
  limits[JointGap] = promise.joints * scales.length + place;
  limits[JointTurn] = promise.joints;
  limits[EnergyGain] = limits[EnergyLedger] =
      promise.books * scales.energy + kRoundOff * scales.potential;
  if (scales.longest_held > 0) limits[EnergyGain] += promise.gain * scales.energy;
  limits[Momentum] = promise.books * scales.momentum;
  limits[AngularMomentum] = promise.angular_momentum * scales.angular_momentum;
  // Forces of joints are constant over a step h while they turn by ωh: second order.
  const double turned = scales.turning * scales.longest_step * scales.longest_step;  // ω² r h²
  if (!scene.joints.empty() && promise.usual_tolerance == 0)
    limits[EnergyGain] += scales.energy * turned / scales.length;
  // Under time-stepping so are all forces, which are those of the middle of a step; gaps are linear
  // in it while corners move on arcs, and what slides back within it was braked to its end.
  if (promise.peculiarity == Peculiarity::HoldsMidstep) {
    const double missed = kMidpoint * turned / scales.length;
    limits[Penetration] += turned;
    limits[AngularMomentum] += missed * scales.angular_momentum;
    limits[EnergyGain] += missed * scales.energy + energy_of_a_step(scene, scales.longest_step);
  }
  if (promise.peculiarity == Peculiarity::Hops) limits[EnergyGain] += hop_energy(scene);
  // Smoothed by balls ("distance": "mpr") solids are larger than they are here and push sooner, so
  // that they sink in less: their limit needs no allowance.
  if (promise.peculiarity == Peculiarity::Deforms)
    limits[Penetration] += (1 + promise.books) * indentation;
  return limits;
}

// The middle is one of the path that velocities alone predict, off by a quarter of what the rule's
// result is off by in an oscillation, or so; four times as much is allowed.
void allow_held_forces(const Scene& scene, const LedgerTotals& totals,
                       record::JudgedNumbers& limits) {
  using enum record::Judged;
  constexpr double kAllowed = 4;
  if (promise_of(scene.method).usual_tolerance > 0) return;
  limits[EnergyGain] += kAllowed * totals.forces_energy_off;
  limits[EnergyLedger] += kAllowed * totals.forces_energy_off;
  limits[Momentum] += kAllowed * totals.forces_impulse_off;
  limits[AngularMomentum] += kAllowed * totals.forces_moment_off;
}

void allow_round_off(const LedgerTotals& totals, record::JudgedNumbers& limits) {
  using enum record::Judged;
  const double passed_on = totals.most_driven_work + std::abs(totals.dissipated);
  limits[EnergyGain] += kRoundOff * passed_on;
  limits[EnergyLedger] += kRoundOff * passed_on;
}

void tolerate(const record::JudgedNumbers& tolerated, record::JudgedNumbers& limits) {
  for (std::size_t i = 0; i < record::kJudged; ++i)
    if (tolerated[i] >= 0) limits[i] = tolerated[i];
}

}  // namespace carom::audit
